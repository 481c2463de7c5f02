package observe_test

import (
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// As long as no trial that has a place in the space is feasible, the values are violations:
// a feasible one that the space has no place for shows no way.
func TestInfeasible(t *testing.T) {
	s := &study{distributions: map[string]any{"x": unit, "k": choices}}
	s.add(values{"x": 0.1, "k": 0}, 5)
	for i := range 3 {
		trial := s.add(values{"x": 0.2 * float64(i), "k": 1}, -float64(i))
		trial.State, trial.Violations = goptuna.TrialStateFail, history.Violations{"c": float64(i) + 0.5}
	}
	s.fail(values{"x": 0.9, "k": 1}).Violations = history.Violations{"c": 7} // nothing else was measured
	p := s.observe(t, s.next(nil), "x", "k")
	if p.Infeasible || !slices.Equal(p.Y, []float64{5, 0, -1, -2}) || !slices.Equal(p.FeasibleY, []float64{5}) || len(p.Valueless) != 1 {
		t.Errorf("beside a feasible trial: values %v, feasible %v, %d without, infeasible %t", p.Y, p.FeasibleY, len(p.Valueless), p.Infeasible)
	}
	s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"b", "c"}}
	delete(s.distributions, "x")
	s.distributions["x"] = goptuna.UniformDistribution{Low: 0.15, High: 1}
	s.Finished[0].InternalParams = values{"x": 0.1} // which others do not have alone
	s.Finished[0].Distributions = map[string]any{"x": goptuna.CategoricalDistribution{Choices: []string{"0.1", "z"}}}
	p = s.observe(t, s.next(nil), "x", "k")
	if want := []float64{0.5, 1.5, 2.5, 7}; !p.Infeasible || !slices.Equal(p.Y, want) || !slices.Equal(p.FeasibleY, want) {
		t.Errorf("without one: values %v, want %v; feasible %v, infeasible %t", p.Y, want, p.FeasibleY, p.Infeasible)
	}
}

// Trials one after the other that violate a constraint, of which nothing more was measured, are
// no outage.
func TestViolationsAreNoOutage(t *testing.T) {
	s := &study{distributions: map[string]any{"x": unit}}
	for i := range 31 {
		x := values{"x": float64(i) / 31}
		if i < 20 || i == 30 {
			s.add(x, 1)
		} else {
			s.fail(x).Violations = history.Violations{"c": 1}
		}
	}
	if p := s.observe(t, s.next(nil), "x"); len(p.Valueless) != 10 {
		t.Errorf("%d of 10 trials that violate a constraint count", len(p.Valueless))
	}
}

// The constraints are those of all finished trials, with a value or not, by name.
func TestConstraints(t *testing.T) {
	s := &study{distributions: map[string]any{"x": unit}}
	s.add(values{"x": 0.1}, 5).Violations = history.Violations{"e": -1, "a": -1}
	s.fail(values{"x": 0.2}).Violations = history.Violations{"d": 1, "b": 1, "c": -1, "a": 1}
	if got := s.observe(t, s.next(nil), "x").Constraints(); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("constraints %q", got)
	}
}
