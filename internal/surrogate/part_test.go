package surrogate_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// with returns what contains the points with one value of k.
func with(p *observe.Problem, k float64) func(x fmkernel.Point) bool {
	return func(x fmkernel.Point) bool { return p.Values(x)["k"] == k }
}

// A model of one choice alone sees its valley, and how far it is from the best of
// all: it finds an improvement in one that is deep, and none in one that is not.
func TestImprovementWithin(t *testing.T) {
	for _, test := range []struct {
		bottom float64
		deep   bool
	}{{0.9, true}, {3, false}} {
		s := newStudy(30, func(x values) float64 {
			if x["k"] < 2 {
				return 1
			}
			return test.bottom + 2*(x["u"]-0.3)*(x["u"]-0.3)
		})
		p := s.observe(t)
		m := fit(t, p, plain, &surrogate.Cache{})
		improvement, ok := m.ImprovementWithin(with(p, 2))
		if !ok {
			t.Fatal("no model of one choice")
		}
		best, at := -1e300, 0.0
		for u := 0.0; u <= 1; u += 0.05 {
			x, ok := p.Point(values{"u": u, "v": 0.03, "k": 2})
			if !ok {
				t.Fatal("no point")
			}
			value := make([]float64, 1)
			if improvement().ValueBatch(value, []fmkernel.Point{x}); value[0] > best {
				best, at = value[0], u
			}
		}
		if test.deep && (at < 0.15 || at > 0.45 || best < -10) || !test.deep && best > -28 {
			t.Errorf("bottom %v: log improvement %.3g at %v", test.bottom, best, at)
		}
	}
}

// Nothing, and values that are all equal, make no model.
func TestImprovementWithinNothing(t *testing.T) {
	s := newStudy(30, func(x values) float64 { return max(1, x["k"]) })
	p := s.observe(t)
	m := fit(t, p, plain, &surrogate.Cache{})
	if _, ok := m.ImprovementWithin(func(fmkernel.Point) bool { return false }); ok {
		t.Error("a model of nothing")
	}
	if _, ok := m.ImprovementWithin(with(p, 0)); ok {
		t.Error("a model of equal values")
	}
}
