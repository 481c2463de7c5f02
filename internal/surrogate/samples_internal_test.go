package surrogate

import (
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// Samples stand for the key, points and values that they were drawn for, and for no others.
func TestKeyedSamples(t *testing.T) {
	xs := []fmkernel.Point{{C: []float64{0.1}}, {C: []float64{0.2}}}
	ys := []float64{1, 2}
	for _, test := range []struct {
		name string
		key  string
		xs   []fmkernel.Point
		ys   []float64
		want int // how often they are drawn, after the first time
	}{
		{"the same", "key", xs, ys, 0},
		{"another key", "other", xs, ys, 1},
		{"another point", "key", []fmkernel.Point{xs[0], {C: []float64{0.3}}}, ys, 1},
		{"another value", "key", xs, []float64{1, 3}, 1},
	} {
		var s keyedSamples
		s.get("key", slices.Clone(xs), slices.Clone(ys), func() []gp.Hyper { return nil })
		draws := 0
		for range 2 {
			s.get(test.key, test.xs, test.ys, func() []gp.Hyper { draws++; return nil })
		}
		if draws != test.want {
			t.Errorf("%s: drawn %d times, want %d", test.name, draws, test.want)
		}
	}
}
