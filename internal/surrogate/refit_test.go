package surrogate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// A model of some of the observations goes through these, on the scale of all.
func TestRefitted(t *testing.T) {
	s := newStudy(40, smooth)
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	for _, keep := range [][]int{{7}, {3, 5, 8, 13, 21, 34}, indices(len(m.X))} {
		model, targets, err := m.Refitted(keep)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(targets, surrogate.DefaultTargets(m.Y)) {
			t.Fatalf("%d observations: the targets are not those of all", len(keep))
		}
		var xs []fmkernel.Point
		for _, i := range keep {
			xs = append(xs, m.X[i])
		}
		if !slices.EqualFunc(model.Points(), xs, func(x, y fmkernel.Point) bool { return slices.Equal(x.C, y.C) && slices.Equal(x.V, y.V) }) {
			t.Errorf("%d observations: a model of other ones", len(keep))
		}
		fitted := make([]float64, len(keep))
		model.FittedTo(fitted)
		for k, i := range keep {
			if off := math.Abs(fitted[k] - targets[i]); off > 0.1 {
				t.Errorf("%d observations: predicts %v at number %d, which had %v", len(keep), fitted[k], i, targets[i])
			}
		}
	}
}

func indices(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}
