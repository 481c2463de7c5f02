package surrogate_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// A choice that does nothing is idle once values repeat beside it, until other values
// contradict that. Without repeated values, with the paper's priors, and where a constraint was
// measured, nothing is idle.
func TestIdleFromRepeats(t *testing.T) {
	const idle = 1e6 // of β, far beyond what a fit reaches
	withoutK := func(x values) float64 { return smooth(values{"u": x["u"], "v": x["v"], "k": 0}) }
	s := newStudy(12, withoutK)
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); m.Fit.Beta["k"] > idle {
		t.Errorf("β %v of a choice though no value repeats", m.Fit.Beta["k"])
	}
	best := slices.MinFunc(s.Finished, func(a, b history.Trial) int { return cmp.Compare(a.Y, b.Y) }).InternalParams
	s.draw = func() values {
		return values{"u": best["u"], "v": best["v"], "k": math.Mod(float64(len(s.Finished)), 3)}
	}
	s.add(4, withoutK)
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if m.Fit.Beta["k"] < idle {
		t.Errorf("β %v of a choice that does nothing", m.Fit.Beta["k"])
	}
	reference := plain
	reference.ReferenceFit = true
	if m := fit(t, s.observe(t), reference, &surrogate.Cache{}); m.Fit.Beta["k"] > idle {
		t.Errorf("β %v under the paper's priors", m.Fit.Beta["k"])
	}
	for i := range s.Finished {
		s.Finished[i].Violations = history.Violations{"c": -1}
	}
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); m.Fit.Beta["k"] > idle {
		t.Errorf("β %v where a constraint was measured", m.Fit.Beta["k"])
	}
	for i := range s.Finished {
		s.Finished[i].Violations = nil
	}
	// The next trial has the last one's fit to start from, and learns otherwise.
	s.keep(t, m.Fit)
	s.add(6, func(x values) float64 { return withoutK(x) + 0.3*x["k"] + 0.01*s.rng.Float64() })
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); m.Fit.Beta["k"] > idle {
		t.Errorf("β %v of a choice that does something after all", m.Fit.Beta["k"])
	}
}

// A choice is not idle where most of its values are alike, but not all: of five values of which
// four are, two different ones leave the objective as it is in six pairs of ten.
func TestMostlyIdle(t *testing.T) {
	const idle = 1e6 // of β, far beyond what a fit reaches
	for alike, want := range map[int]bool{4: false, 5: true} {
		s := &study{rng: rand.New(rand.NewPCG(1, 40)), distributions: maps.Clone(distributions)}
		s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d", "e"}}
		objective := func(x values) float64 {
			return smooth(values{"u": x["u"], "v": x["v"], "k": max(0, x["k"]-float64(alike-1))})
		}
		s.draw = func() values {
			x := s.drawSmooth()
			x["k"] = float64(s.rng.IntN(5))
			return x
		}
		s.add(12, objective)
		s.draw = func() values { return values{"u": 0.3, "v": 0.01, "k": float64(len(s.Finished) % 5)} }
		s.add(5, objective)
		if got := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit.Beta["k"]; (got > idle) != want {
			t.Errorf("β %v of a choice of which %d values are alike", got, alike)
		}
	}
}
