package surrogate_test

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// constrain adds n trials of which one may have at most half of a parameter; those beyond
// have a value in a share of the trials only.
func (s *study) constrain(n int, valued float64) {
	for range n {
		x := s.draw()
		trial := s.finish(x, goptuna.TrialStateComplete, smooth(x))
		if trial.Violations = (history.Violations{"u": x["u"] - 0.5}); x["u"] > 0.5 {
			if trial.State = goptuna.TrialStateFail; s.rng.Float64() >= valued {
				trial.NoValue = true
				s.Observations--
			}
		}
	}
}

// Where a constraint holds is known from what was measured, whether or not the trials beyond
// have a value. They are no failures, and say nothing bad of the objective.
func TestConstraint(t *testing.T) {
	for _, valued := range []float64{0, 0.5, 1} {
		s := newStudy(0, smooth)
		s.constrain(40, valued)
		p := s.observe(t)
		m := fit(t, p, plain, &surrogate.Cache{})
		if m.Fit.Feasible != nil || len(m.Weights()) > 0 {
			t.Errorf("%.1f with a value: trials that violate a constraint are taken for failures, and count %v", valued, m.Weights())
		}
		if _, ok := m.Fit.Constraints["u"]; !ok || len(m.Fit.Constraints) != 1 {
			t.Errorf("%.1f with a value: the fit has the constraints %v", valued, m.Fit.Constraints)
		}
		feasible := m.Feasible()
		for _, x := range points(t, s, p, 200) {
			u := p.Values(x)["u"]
			if got := feasible(x); math.Abs(u-0.5) > 0.1 && (got > 0.5) != (u < 0.5) {
				t.Errorf("%.1f with a value: feasible with probability %v at %v", valued, got, u)
			}
		}
	}
}

// A constraint of which no trial has a place in the space is none; beside it others count.
func TestConstraintWithoutTrials(t *testing.T) {
	s := newStudy(0, smooth)
	s.constrain(20, 1)
	elsewhere := s.finish(values{"u": 0}, goptuna.TrialStateFail, 0)
	elsewhere.Distributions = map[string]any{"u": goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}}
	elsewhere.Violations = history.Violations{"other": 1}
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if _, ok := m.Fit.Constraints["u"]; !ok || len(m.Fit.Constraints) != 1 {
		t.Errorf("the fit has the constraints %v", m.Fit.Constraints)
	}
}

// A model has something to improve on, however few observations it takes.
func TestFeasibleObservation(t *testing.T) {
	for _, trials := range []int{1, 2, 3} {
		s := newStudy(0, smooth)
		for i := range 12 {
			x := s.draw()
			violation := 1.0
			if i == 7 {
				violation = -1
			}
			s.finish(x, goptuna.TrialStateComplete, smooth(x)).Violations = history.Violations{"c": violation}
		}
		settings := plain
		settings.ModelTrials = trials
		m := fit(t, s.observe(t), settings, &surrogate.Cache{})
		n := 0
		for i := range m.X {
			if m.IsFeasible(i) {
				n++
			}
		}
		if len(m.X) != trials || n != 1 {
			t.Errorf("of %d observations %d are feasible", len(m.X), n)
		}
	}
}

// What was learned of violations, while no trial was feasible, is where a fit of the values
// starts, and no more: it is not old.
func TestViolationsAreNoValues(t *testing.T) {
	s := newStudy(0, smooth)
	s.draw = func() values { x := s.drawSmooth(); x["u"] = 0.5 + x["u"]/2; return x }
	s.constrain(60, 1)
	p := s.observe(t)
	before := fit(t, p, plain, &surrogate.Cache{})
	if !p.Infeasible {
		t.Fatal("a trial is feasible")
	}
	before.Fit.Outliers = []int{3}
	s.keep(t, before.Fit)
	if again := fit(t, s.observe(t), plain, &surrogate.Cache{}); again.First || again.IsNew {
		t.Errorf("the fit of violations is not found: first %t, new %t", again.First, again.IsNew)
	}
	x := s.draw()
	x["u"] = 0.4
	s.finish(x, goptuna.TrialStateComplete, smooth(x)).Violations = history.Violations{"u": -0.1}
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); m.First || !m.IsNew || m.Fit.Trials != 61 || len(m.Fit.Outliers) > 0 {
		t.Errorf("after it: first %t, new %t, fitted to %d trials without %v", m.First, m.IsNew, m.Fit.Trials, m.Fit.Outliers)
	}
}

// Many constraints take as long as three: each model has fewer trials, those near its limit
// among them.
func TestManyConstraints(t *testing.T) {
	const n = 330
	for constraints, want := range map[int]int{1: 300, 3: 300, 12: 150} {
		s := newStudy(0, smooth)
		for i := range n {
			x := s.draw()
			trial := s.finish(x, goptuna.TrialStateComplete, smooth(x))
			trial.Violations = history.Violations{}
			for c := range constraints {
				trial.Violations[string(rune('a'+c))] = 0.001 * float64((i+c)%n-n/2)
			}
		}
		settings := plain
		settings.ModelTrials = 30
		m := fit(t, s.observe(t), settings, &surrogate.Cache{})
		if got := m.LatentPoints(); len(got) != constraints || slices.Min(got) != want || slices.Max(got) != want {
			t.Errorf("%d constraints have models of %d trials, want %d", constraints, got, want)
		}
	}
}
