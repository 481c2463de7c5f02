package surrogate_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// A pruned trial is neither an observation nor a reason for a new fit, and its place
// is expected to be no better than most.
func TestPrunedTrials(t *testing.T) {
	place := values{"u": 0.35, "v": 0.012, "k": 0} // near the best
	predicted := func(pruned bool) (float64, *surrogate.Surrogate) {
		s := newStudy(30, smooth)
		if pruned {
			s.finish(place, goptuna.TrialStatePruned, 0)
		}
		p := s.observe(t)
		x, ok := p.Point(place)
		if !ok {
			t.Fatal("no point")
		}
		m := fit(t, p, plain, &surrogate.Cache{})
		return m.Means([]fmkernel.Point{x})[0], m
	}
	without, base := predicted(false)
	with, m := predicted(true)
	if !reflect.DeepEqual(m.Fit, base.Fit) || !slices.Equal(m.Y, base.Y) {
		t.Error("a pruned trial changes the fit, or is an observation")
	}
	if with < without+0.3 {
		t.Errorf("predicted at %v with a pruned trial there, %v without", with, without)
	}
}

// The order of values matters, their unit does not; a few that are far out do not
// spoil the model.
func TestTransformsOfValues(t *testing.T) {
	for _, test := range []struct {
		name       string
		transforms []string // any of them does
		of         func(y float64) float64
	}{
		{"in another unit", []string{"", "linear"}, func(y float64) float64 { return 1e9*y - 3e9 }},
		{"tiny", []string{"", "linear"}, func(y float64) float64 { return 1e-200 * y }},
		{"exponential", []string{"log", "log5"}, func(y float64) float64 { return math.Exp(12 * y) }},
		{"with a cliff", []string{"", "linear"}, func(y float64) float64 {
			if y > 1 {
				return 1e6
			}
			return y
		}},
	} {
		s := newStudy(60, func(x values) float64 { return test.of(smooth(x)) })
		var last *surrogate.Surrogate
		for range 3 { // later fits decide about the transform
			p := s.observe(t)
			last = fit(t, p, plain, &surrogate.Cache{})
			s.keep(t, last.Fit)
			s.add(4, func(x values) float64 { return test.of(smooth(x)) })
		}
		p := s.observe(t)
		right, xs := 0, points(t, s, p, 400)
		means := last.Means(xs)
		for i := 0; i < len(xs); i += 2 {
			if (smooth(p.Values(xs[i])) < smooth(p.Values(xs[i+1]))) == (means[i] < means[i+1]) {
				right++
			}
		}
		if right < 170 {
			t.Errorf("%s: orders %d of 200 pairs rightly, with transform %q", test.name, right, last.Fit.Transform)
		}
		if !slices.Contains(test.transforms, last.Fit.Transform) {
			t.Errorf("%s: transform %q, want one of %q", test.name, last.Fit.Transform, test.transforms)
		}
	}
}

// What little differs on the plateau of a finite space is not magnified by a logarithm of
// the distance from the minimum, with which the values are most probable here.
func TestTransformOnPlateau(t *testing.T) {
	s := newStudy(0, nil)
	s.distributions = map[string]any{
		"method": goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d"}},
		"level":  goptuna.IntUniformDistribution{Low: 0, High: 7},
		"files":  goptuna.IntUniformDistribution{Low: 0, High: 9},
	}
	s.draw = func() values {
		x := values{"method": float64(s.rng.IntN(4)), "level": float64(s.rng.IntN(8)), "files": float64(s.rng.IntN(10))}
		if len(s.Finished) >= 15 { // the search is on the plateau
			x["method"], x["level"] = 0, float64(s.rng.IntN(3))
		}
		return x
	}
	objective := func(x values) float64 {
		if x["method"] == 0 && x["level"] < 3 {
			return 1 + 0.002*x["files"]*x["files"]
		}
		return 1 + math.Exp(x["level"]+0.5*x["method"])
	}
	for range 3 {
		s.add(15, objective)
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		s.keep(t, m.Fit)
		if slices.Contains([]string{"log25", "log5"}, m.Fit.Transform) {
			t.Errorf("after %d trials the transform is %q", len(s.Finished), m.Fit.Transform)
		}
	}
}

// Nothing that a study may hold is without a model: values that are all the same,
// trials that repeat one another, one observation.
func TestDegenerateObservations(t *testing.T) {
	same := values{"u": 0.5, "v": 0.1, "k": 1}
	for name, settings := range variants() {
		for what, s := range map[string]*study{
			"one":         newStudy(1, smooth),
			"two":         newStudy(2, smooth),
			"one value":   newStudy(12, func(values) float64 { return 3 }),
			"huge values": newStudy(12, func(x values) float64 { return (x["u"] - 0.5) * math.MaxFloat64 }),
			"one place":   newStudy(0, smooth),
		} {
			if what == "one place" {
				for i := range 12 {
					s.finish(same, goptuna.TrialStateComplete, float64(i%2))
				}
			}
			p := s.observe(t)
			m := fit(t, p, settings, &surrogate.Cache{})
			xs := append(points(t, s, p, 10), m.X...)
			var improvement [100]float64
			m.Improvement(surrogate.Reference{Observed: []int{0}}, 0)().ValueBatch(improvement[:len(xs)], xs)
			for i, mean := range m.Means(xs) {
				if math.IsNaN(mean) || math.IsInf(mean, 0) || math.IsNaN(improvement[i]) {
					t.Errorf("%s, %s: predicts %v, log improvement %v", name, what, mean, improvement[i])
				}
			}
		}
	}
}
