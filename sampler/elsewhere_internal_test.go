package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// A scale is read off ten start-up values from 0 to 1: the upper quartile is 0.7 above the
// best. Where two thirds of them are nearly the same, it is the worst value but one.
func TestSpread(t *testing.T) {
	for _, test := range []struct {
		name string
		ys   []float64
		want float64
	}{
		{"even", []float64{0.9, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, 0.7},
		{"better ones since", []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, -1, 5}, 1.7},
		{"a plateau", []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.5, 0.9, 100}, 0.9},
		{"a slope", []float64{0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.5, 0.9, 100}, 0.5},
	} {
		if got := spread(test.ys); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// evenStart is ten start-up values with a spread of 1.
func evenStart() []float64 {
	start := make([]float64, observe.MinStartup)
	for i := range start {
		start[i] = float64(i) / 7
	}
	return start
}

// The search stagnates when eight trials after the start-up gain less than a fiftieth of
// the spread. What runs at once has to find nothing, either.
func TestStagnates(t *testing.T) {
	for _, test := range []struct {
		name    string
		since   []float64 // values after the start-up
		running int
		want    bool
	}{
		{"eight without a gain", slices.Repeat([]float64{0.5}, 8), 0, true},
		{"only seven", slices.Repeat([]float64{0.5}, 7), 0, false},
		{"a small gain", append(slices.Repeat([]float64{0.5}, 7), -0.015), 0, true},
		{"a gain", append(slices.Repeat([]float64{0.5}, 7), -0.03), 0, false},
		{"a gain before", append([]float64{-0.5}, slices.Repeat([]float64{0.5}, 8)...), 0, true},
		{"eight, while others run", slices.Repeat([]float64{0.5}, 8), 2, false},
		{"ten, while others run", slices.Repeat([]float64{0.5}, 10), 2, true},
	} {
		p := &observe.Problem{Y: append(evenStart(), test.since...), Pending: make([]fmkernel.Point, test.running)}
		if got := stagnates(p); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
