package surrogate_test

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
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
		if m.Fit.Failures != nil || len(m.Weights()) > 0 {
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
		beyond := func(x values, c int) float64 { return x["u"] - float64(c+1)/13 }
		for range n {
			x := s.draw()
			trial := s.finish(x, goptuna.TrialStateComplete, smooth(x))
			trial.Violations = history.Violations{}
			for c := range constraints {
				trial.Violations[string(rune('a'+c))] = beyond(x, c)
			}
		}
		settings := plain
		settings.ModelTrials = 30
		p := s.observe(t)
		models := fit(t, p, settings, &surrogate.Cache{}).LatentPoints()
		if len(models) != constraints {
			t.Fatalf("%d constraints have %d models", constraints, len(models))
		}
		for c, points := range models {
			if len(points) != want {
				t.Errorf("one of %d constraints has a model of %d trials, want %d", constraints, len(points), want)
			}
			distance := func(x fmkernel.Point) float64 { return math.Abs(beyond(p.Values(x), c)) }
			nearest := slices.SortedFunc(slices.Values(p.X), func(x, y fmkernel.Point) int { return cmp.Compare(distance(x), distance(y)) })
			for _, x := range nearest[:want/3] {
				if !slices.ContainsFunc(points, x.Equal) {
					t.Errorf("one of %d constraints has a model without a trial %v from its limit", constraints, distance(x))
				}
			}
		}
	}
}

// Hyperparameters of a constraint are those of the last fit until a new one is due, which
// starts from them.
func TestConstraintKeepsHyperparameters(t *testing.T) {
	s := newStudy(0, smooth)
	s.constrain(30, 1)
	before := fit(t, s.observe(t), plain, &surrogate.Cache{}).Fit
	s.keep(t, before)
	s.constrain(1, 1)
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); m.IsNew || !reflect.DeepEqual(m.Fit.Constraints, before.Constraints) {
		t.Errorf("after one trial more: new %t, %+v, before %+v", m.IsNew, m.Fit.Constraints["u"], before.Constraints["u"])
	}
	s.constrain(29, 1)
	if m := fit(t, s.observe(t), plain, &surrogate.Cache{}); !m.IsNew || reflect.DeepEqual(m.Fit.Constraints, before.Constraints) {
		t.Errorf("after 30 more: new %t, %+v as before", m.IsNew, m.Fit.Constraints["u"])
	}
}

// The unit of a violation says nothing, and neither does one that is always at its limit.
func TestViolationsOfAnySize(t *testing.T) {
	var first func(fmkernel.Point) float64
	for _, unit := range []float64{1, 1e-6, 0} {
		s := newStudy(0, smooth)
		s.constrain(30, 1)
		for _, trial := range s.Finished {
			trial.Violations["u"] *= unit
		}
		p := s.observe(t)
		feasible := fit(t, p, plain, &surrogate.Cache{}).Feasible()
		if first == nil {
			first = feasible
		}
		for _, x := range points(t, s, p, 20) {
			if got, want := feasible(x), first(x); unit > 0 && math.Abs(got-want) > 1e-6 || unit == 0 && !(got > 0.1) {
				t.Errorf("in units of %v: feasible with probability %v, and %v", unit, got, want)
			}
		}
	}
}

// A constraint has no noise where the objective has none.
func TestDeterministicConstraint(t *testing.T) {
	s := newStudy(0, smooth)
	s.constrain(30, 1)
	for _, trial := range s.Finished {
		trial.Violations["u"] += 0.2 * s.rng.NormFloat64() // which looks like noise
	}
	settings := plain
	settings.Deterministic = true
	if fit := fit(t, s.observe(t), settings, &surrogate.Cache{}).Fit; fit.Constraints["u"].Noise != fit.Noise {
		t.Errorf("noise of %v, and of the objective %v", fit.Constraints["u"].Noise, fit.Noise)
	}
}

// An outlier is not left out where nothing else is feasible.
func TestFeasibleOutlier(t *testing.T) {
	s := newStudy(40, smooth)
	for i := range s.Finished {
		s.Finished[i].Violations = history.Violations{"c": 1}
	}
	s.Finished[13].Violations = history.Violations{"c": -1}
	s.Finished[13].Y += 5
	m := fit(t, s.observe(t), plain, &surrogate.Cache{})
	if all := m.Observed(func(fmkernel.Point) bool { return true }); len(all) != 1 || !slices.Equal(m.Fit.Outliers, []int{13}) {
		t.Errorf("%d feasible observations, with the outliers %v", len(all), m.Fit.Outliers)
	}
}

// In a part of the space, too, the improvement is one on the best feasible value, and the
// values of infeasible trials are learned from.
func TestFeasibleImprovementWithin(t *testing.T) {
	s := newStudy(30, func(x values) float64 {
		switch x["k"] {
		case 0:
			return x["u"] - 9 // infeasible
		case 1:
			return 1
		}
		return 0.9 + 2*(x["u"]-0.3)*(x["u"]-0.3)
	})
	for i := range s.Finished {
		trial := &s.Finished[i]
		trial.Violations = history.Violations{"c": 0.5 - trial.InternalParams["k"]}
	}
	p := s.observe(t)
	m := fit(t, p, plain, &surrogate.Cache{})
	improvement, ok := m.ImprovementWithin(with(p, 2))
	x, found := p.Point(values{"u": 0.3, "v": 0.03, "k": 2})
	if !ok || !found {
		t.Fatal("no model of one choice, or no point")
	}
	value := make([]float64, 1)
	if improvement().ValueBatch(value, []fmkernel.Point{x}); value[0] < -10 {
		t.Errorf("log improvement %v", value[0])
	}
	improvement, ok = m.ImprovementWithin(with(p, 0))
	if x, found = p.Point(values{"u": 0.3, "v": 0.03, "k": 0}); !ok || !found {
		t.Fatal("no model of a choice whose trials are infeasible, or no point")
	}
	if improvement().ValueBatch(value, []fmkernel.Point{x}); value[0] > 0 {
		t.Errorf("log improvement %v where trials are infeasible", value[0])
	}
}

// A trial has to hold all constraints, noise included, and what a configuration is expected to
// gain is weighed by the probability that it does.
func TestAllConstraints(t *testing.T) {
	s := newStudy(0, smooth)
	s.constrain(60, 1)
	for _, trial := range s.Finished {
		trial.Violations["noisy"] = s.rng.NormFloat64() - 1 // holds in 84 % of the trials
	}
	p := s.observe(t)
	m := fit(t, p, plain, &surrogate.Cache{})
	feasible := m.Feasible()
	improvement := m.Improvement(surrogate.Reference{Points: p.X[:1]}, 0)()
	best := m.Means(p.X[:1])[0]
	for _, x := range points(t, s, p, 50) {
		got, u := feasible(x), p.Values(x)["u"]
		if u < 0.4 && (got < 0.6 || got > 0.96) || u > 0.6 && got > 0.1 {
			t.Errorf("feasible with probability %v at %v", got, u)
		}
		value := make([]float64, 1)
		improvement.ValueBatch(value, []fmkernel.Point{x})
		mean, variance := m.Model().Predictor().Predict(x)
		if want := acquisition.LogEI(best, mean, variance) + math.Log(got); math.Abs(value[0]-want) > 1e-6*math.Abs(want) {
			t.Errorf("log improvement %v, want %v", value[0], want)
		}
	}
}
