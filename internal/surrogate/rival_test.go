package surrogate_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// crowd is the number of parameters of a study in which some may do nothing.
const crowd = 14

// crowded returns a study without trials: half of the parameters are choices.
func crowded(seed uint64) *study {
	s := &study{rng: rand.New(rand.NewPCG(seed, 41)), distributions: map[string]any{}}
	for i := range crowd {
		s.distributions[param(i)] = goptuna.UniformDistribution{Low: 0, High: 1}
		if i%2 == 1 {
			s.distributions[param(i)] = goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}
		}
	}
	s.draw = func() values {
		x := values{}
		for i := range crowd {
			x[param(i)] = s.rng.Float64()
			if i%2 == 1 {
				x[param(i)] = float64(s.rng.IntN(3))
			}
		}
		return x
	}
	return s
}

func param(i int) string { return fmt.Sprintf("p%02d", i) }

// firstMatter returns an objective of the first n parameters.
func firstMatter(n int) func(values) float64 {
	return func(x values) float64 {
		var y float64
		for i := range n {
			if i%2 == 1 {
				y += 0.4 * x[param(i)]
			} else {
				y += sq(2*x[param(i)] - 1)
			}
		}
		return y
	}
}

func sq(x float64) float64 { return x * x }

// grow adds trials to a study one by one, with a fit before each, and returns the
// last fit.
func (s *study) grow(t *testing.T, n int, objective func(values) float64) (last *surrogate.Surrogate) {
	t.Helper()
	cache := &surrogate.Cache{}
	for range n {
		s.add(1, objective)
		last = fit(t, s.observe(t), plain, cache)
		if last.Fit.Lead > 0 || last.Fit.Rival == nil || last.Fit.Rival.Wide == last.Fit.Wide {
			t.Fatalf("after %d trials the rival of %+v is %+v", len(s.Finished), last.Fit, last.Fit.Rival)
		}
		s.keep(t, last.Fit)
	}
	return last
}

// The prior that predicts better is believed: the wide one where few parameters
// matter, the default where all do.
func TestRivals(t *testing.T) {
	if testing.Short() {
		t.Skip("fits hundreds of times")
	}
	const studies = 5
	for _, test := range []struct{ matter, least, most int }{{2, 4, studies}, {crowd, 0, 1}} {
		wide := 0
		for seed := range uint64(studies) {
			s := crowded(seed)
			if m := s.grow(t, 40, firstMatter(test.matter)); m.Fit.Wide {
				wide++
			}
		}
		t.Logf("%d of %d parameters matter: the wide prior is believed in %d studies of %d", test.matter, crowd, wide, studies)
		if wide < test.least || wide > test.most {
			t.Errorf("%d of %d parameters matter: the wide prior is believed in %d studies of %d", test.matter, crowd, wide, studies)
		}
	}
}

// One observation counts little, whatever a model thought of it.
func TestLeadIsBounded(t *testing.T) {
	s := crowded(1)
	last := s.grow(t, 20, firstMatter(2)).Fit
	for i := range 10 {
		m := s.grow(t, 1, func(values) float64 { return math.Pow(-10, float64(i)) })
		lead := m.Fit.Lead
		if m.Fit.Wide != last.Wide {
			lead = -lead
		}
		if off := math.Abs(lead - last.Lead); off > 1+1e-12 {
			t.Errorf("one observation moved the lead by %v", off)
		}
		last = m.Fit
	}
}

// There is no rival where the user decides about the priors, or where there are many
// observations; a fit that has none, or one that cannot be used, goes on without.
func TestNoRival(t *testing.T) {
	reference := plain
	reference.ReferenceFit = true
	s := newStudy(30, smooth)
	if m := fit(t, s.observe(t), reference, &surrogate.Cache{}); m.Fit.Rival != nil {
		t.Error("the reference fit has a rival")
	}
	first := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit
	for name, spoil := range map[string]func(*plan.Fit){
		"none":         func(f *plan.Fit) { f.Rival = nil },
		"empty":        func(f *plan.Fit) { f.Rival = &plan.Hyper{Wide: true} },
		"without u":    func(f *plan.Fit) { delete(f.Rival.Theta, "u") },
		"not positive": func(f *plan.Fit) { f.Rival.Noise, f.Rival.Scale = -1, 0 },
	} {
		s := newStudy(30, smooth)
		spoilt, rival := *first, *first.Rival
		rival.Theta = maps.Clone(rival.Theta)
		spoilt.Rival = &rival
		spoil(&spoilt)
		s.keep(t, &spoilt)
		s.add(3, smooth)
		m := fit(t, s.observe(t), plain, &surrogate.Cache{})
		if !m.IsNew || m.Fit.Wide || m.Fit.Lead != -2 || m.Fit.Rival == nil || !m.Fit.Rival.Wide {
			t.Errorf("%s: the fit is new: %t, %+v with the rival %+v", name, m.IsNew, m.Fit, m.Fit.Rival)
		}
	}

	many := newStudy(201, smooth)
	believed := *first
	believed.Hyper, believed.Rival = *first.Rival, &first.Hyper
	many.keep(t, &believed)
	if m := fit(t, many.observe(t), plain, &surrogate.Cache{}); m.Fit.Rival != nil || !m.Fit.Wide || reflect.DeepEqual(m.Fit.Hyper, believed.Hyper) {
		t.Errorf("of 201 observations the fit is %+v with the rival %+v, want a new one under the prior that was believed", m.Fit, m.Fit.Rival)
	}
}
