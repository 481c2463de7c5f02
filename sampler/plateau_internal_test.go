package sampler

import (
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// The search is on a plateau when a third of the start-up is about as good as the best.
func TestOnPlateau(t *testing.T) {
	nothing := slices.Repeat([]float64{0.8}, 8)
	for _, test := range []struct {
		name string
		ys   []float64
		want bool
	}{
		{"four of ten alike", append([]float64{0, 0.05, 0.06, 0.07, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), true},
		{"three of ten alike", append([]float64{0, 0.05, 0.06, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), false},
		{"four of ten not so good", append([]float64{0, 0.15, 0.16, 0.17, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), false},
		{"a search that gains", append([]float64{0, 0.05, 0.06, 0.07, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, append(nothing[1:], -0.03)...), false},
	} {
		if got := onPlateau(&observe.Problem{Y: test.ys}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// The search is beside a plateau when a third of the values are alike and the best is
// another: not with fewer, not where they differ by more, not while the start-up's are most
// of them, and not where the best is one of them.
func TestBesidePlateau(t *testing.T) {
	// Two values are added to the spread of 1: eight fill up the gaps of the start-up.
	others := []float64{0.07, 0.21, 0.36, 0.5, 0.64, 0.79, 0.93, 1.07}
	alike := func(n int, at, width float64) (ys []float64) {
		for i := range n {
			ys = append(ys, at+width*float64(i)/float64(n-1))
		}
		return ys
	}
	for _, test := range []struct {
		name string
		ys   []float64
		want bool
	}{
		{"a third", slices.Concat(evenStart(), others, alike(9, 2, 0.04)), true},
		{"a quarter", slices.Concat(evenStart(), others, alike(6, 2, 0.04)), false},
		{"a third that differ", slices.Concat(evenStart(), others, alike(9, 2, 0.08)), false},
		{"a third, too soon", slices.Concat(evenStart(), alike(7, 2, 0.04)), false},
		{"the best among them", slices.Concat(evenStart(), others, alike(9, 0, 0.04)), false},
	} {
		if got := besidePlateau(&observe.Problem{Y: test.ys}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// Linear targets show nothing but the worst value where it is five spreads from the best.
func TestHeavyTailed(t *testing.T) {
	for worst, want := range map[float64]bool{3: false, 5: true} {
		if got := heavyTailed(append(evenStart(), worst)); got != want {
			t.Errorf("worst value %v: %t, want %t", worst, got, want)
		}
	}
}
