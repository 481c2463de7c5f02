package observe_test

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// Values of other data are brought to the level of those of the data that is left: by
// configurations that both have, or by the best of both.
func TestLevel(t *testing.T) {
	type trial struct{ data, x, y float64 }
	const a, b, now = 0, 1, 2
	for _, test := range []struct {
		name   string
		trials []trial
		want   []float64
	}{
		{"nothing of what is left", []trial{{a, 0.1, 5}, {a, 0.2, 6}}, []float64{5, 6}},
		{"by the best", []trial{{a, 0.1, 5}, {a, 0.2, 6}, {now, 0.3, 12}, {now, 0.4, 11}}, []float64{11, 12, 12, 11}},
		{"by a configuration", []trial{{a, 0.1, 5}, {a, 0.2, 6}, {now, 0.3, 12}, {now, 0.2, 20}}, []float64{19, 20, 12, 20}},
		{"by the mean of its values", []trial{{a, 0.1, 5}, {now, 0.1, 7}, {now, 0.1, 9}}, []float64{8, 7, 9}},
		{"by the median of several", []trial{{a, 0.1, 0}, {a, 0.2, 0}, {a, 0.3, 0}, {now, 0.1, 1}, {now, 0.2, 9}, {now, 0.3, 2}}, []float64{2, 2, 2, 1, 9, 2}},
		{"each by its own", []trial{{a, 0.1, 5}, {b, 0.2, 50}, {now, 0.1, 6}, {now, 0.2, 7}}, []float64{6, 7, 6, 7}},
		{"as far as numbers go", []trial{{a, 0.1, -math.MaxFloat64}, {a, 0.2, math.MaxFloat64}, {now, 0.1, math.MaxFloat64}}, []float64{-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}},
	} {
		s := &study{distributions: map[string]any{"x": unit}}
		for _, of := range test.trials {
			s.distributions["data"] = goptuna.CategoricalDistribution{Choices: []string{"abc"[int(of.data):][:1]}}
			s.add(values{"data": 0, "x": of.x}, of.y)
		}
		s.distributions["data"] = goptuna.CategoricalDistribution{Choices: []string{"c"}}
		if p := s.observe(t, s.next(nil), "data", "x"); !slices.Equal(p.Y, test.want) || !slices.Equal(p.FeasibleY, test.want) {
			t.Errorf("%s: %v, feasible %v, want %v", test.name, p.Y, p.FeasibleY, test.want)
		}
	}
}

// What violates a constraint is not among the best.
func TestLevelOfFeasible(t *testing.T) {
	s := &study{distributions: map[string]any{"x": unit, "data": goptuna.CategoricalDistribution{Choices: []string{"a"}}}}
	s.add(values{"data": 0, "x": 0.1}, 5)
	s.add(values{"data": 0, "x": 0.2}, 1).Violations = history.Violations{"c": 1}
	s.distributions["data"] = goptuna.CategoricalDistribution{Choices: []string{"b"}}
	s.add(values{"data": 0, "x": 0.3}, 15)
	s.add(values{"data": 0, "x": 0.4}, 2).Violations = history.Violations{"c": 1}
	p := s.observe(t, s.next(nil), "data", "x")
	if want := []float64{15, 11, 15, 2}; !slices.Equal(p.Y, want) || !slices.Equal(p.FeasibleY, []float64{15}) {
		t.Errorf("%v, feasible %v, want %v", p.Y, p.FeasibleY, want)
	}
}

// Levels are those of the data, not of what may change from trial to trial: a choice with
// several values left, and a parameter that only some trials have.
func TestNoLevel(t *testing.T) {
	s := &study{distributions: map[string]any{"x": unit, "k": choices, "some": goptuna.CategoricalDistribution{Choices: []string{"a", "b"}}}}
	s.add(values{"x": 0.1, "k": 0, "some": 0}, 5)
	s.add(values{"x": 0.2, "k": 1, "some": 1}, 6)
	s.distributions["k"] = goptuna.CategoricalDistribution{Choices: []string{"b", "c"}}
	s.distributions["some"] = goptuna.CategoricalDistribution{Choices: []string{"b"}}
	s.add(values{"x": 0.3, "k": 1, "some": 0}, 20)
	s.add(values{"x": 0.4, "k": 1}, 21)
	if p := s.observe(t, s.next(nil), "x", "k"); !slices.Equal(p.Y, []float64{5, 6, 20, 21}) {
		t.Errorf("values %v", p.Y)
	}
}

// What is within a limit with other values says nothing of those that are left, once a trial
// with these tells of the limit: as long as none is within, the search is for one that is.
func TestFeasibleElsewhere(t *testing.T) {
	for _, test := range []struct {
		name      string
		violation float64
		noValue   bool
		feasible  int
	}{
		{"one that is within", -1, false, 1},
		{"one that is beyond", 1, false, 0},
		{"one that is beyond, without a value", 1, true, 0},
		{"one that failed", -1, true, 2},
	} {
		s := &study{distributions: map[string]any{"x": unit, "data": goptuna.CategoricalDistribution{Choices: []string{"a"}}}}
		for _, x := range []float64{0.1, 0.2} {
			s.add(values{"data": 0, "x": x}, 5).Violations = history.Violations{"c": -1}
		}
		s.distributions["data"] = goptuna.CategoricalDistribution{Choices: []string{"b"}}
		trial := s.add(values{"data": 0, "x": 0.3}, 15)
		trial.Violations = history.Violations{"c": test.violation}
		if test.noValue || test.violation > 0 {
			trial.State, trial.NoValue = goptuna.TrialStateFail, test.noValue
		}
		p := s.observe(t, s.next(nil), "data", "x")
		if p.Infeasible != (test.feasible == 0) || !p.Infeasible && len(p.FeasibleY) != test.feasible {
			t.Errorf("%s: no trial is feasible: %t, feasible %v", test.name, p.Infeasible, p.FeasibleY)
		}
	}
}
