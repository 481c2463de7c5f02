package surrogate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// tameDraw draws for smooth, but never k = 2.
func (s *study) tameDraw() values {
	x := s.drawSmooth()
	x["k"] = float64(s.rng.IntN(2))
	return x
}

// failAt adds n failed trials with k.
func (s *study) failAt(k float64, n int) {
	for range n {
		x := s.draw()
		x["k"] = k
		s.finish(x, goptuna.TrialStateFail, 0)
	}
}

// A failure counts where others fail, and hardly where it is alone among trials with a
// value, whatever it says of itself. A pruned trial always counts.
func TestWeights(t *testing.T) {
	for _, n := range []int{6, 30} {
		s := newStudy(0, smooth)
		s.draw = s.tameDraw
		s.add(n, smooth)
		s.finish(s.draw(), goptuna.TrialStatePruned, 0)
		s.failAt(0, 1)
		s.failAt(2, 8)
		weights := fit(t, s.observe(t), plain, &surrogate.Cache{}).Weights()
		if len(weights) != 10 || weights[0] != 1 || weights[1] > 0.03 || slices.Min(weights[2:]) < 0.25 {
			t.Errorf("beside %d values a pruned trial, one that failed alone, and others together count %.3f", n, weights)
		}
	}
}

// Where every second trial fails, wherever it is, nothing is known of the next, and a
// failure hardly counts; where there is another cause, it does.
func TestWeightsByChance(t *testing.T) {
	s := newStudy(0, smooth)
	s.draw = s.tameDraw
	for range 40 {
		s.add(1, smooth)
		s.finish(s.draw(), goptuna.TrialStateFail, 0)
	}
	p := s.observe(t)
	m := fit(t, p, plain, &surrogate.Cache{})
	for _, x := range points(t, s, p, 20) {
		if feasible := m.Feasible()(x); math.Abs(feasible-0.5) > 0.2 {
			t.Errorf("at %v a value has the probability %v", x, feasible)
		}
	}
	if weights := m.Weights(); slices.Min(weights) < 0 || slices.Max(weights) > 0.02 {
		t.Errorf("failures by chance count %v", weights)
	}
	s.failAt(2, 15)
	if weights := fit(t, s.observe(t), plain, &surrogate.Cache{}).Weights(); slices.Min(weights[40:]) < 0.05 {
		t.Errorf("other failures count %v", weights[40:])
	}
}
