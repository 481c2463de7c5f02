package insight_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// limited runs trials of x + y, of which the limit is at least so much.
func limited(t *testing.T, limit float64, trials int) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy("limited", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := floats(trial, 2)
		if err != nil {
			return 0, err
		}
		sum := x[0] + x[1]
		return fm.Constrained(trial, sum, fm.AtLeast("sum", sum, limit))
	}, trials); err != nil {
		t.Fatal(err)
	}
	return study
}

// What is best, recommended and expected to be gained is within the constraints, though
// better values are beyond.
func TestConstraints(t *testing.T) {
	study := limited(t, 1.2, 40)
	m := fit(t, study)
	if m.Trials() != 40 {
		t.Errorf("learned from %d of 40 trials", m.Trials())
	}
	best, err := study.GetBestValue()
	if err != nil {
		t.Fatal(err)
	}
	r := m.Recommend()
	if r.BestValue != best || best < 1.2 {
		t.Errorf("the best value is %v, for %v", r.BestValue, best)
	}
	if sum := r.Params["x1"].(float64) + r.Params["x2"].(float64); sum < 1.2 {
		t.Errorf("recommended: %v", r)
	}
	if _, gain, ok := m.Improvement(); !ok || gain > 0.05 {
		t.Errorf("a gain of %v is expected, where %v is the best", gain, best)
	}
	feasible := 0
	for _, left := range m.LeaveOneOut() {
		if left.Observed >= 1.2 {
			feasible++
		}
	}
	if want := fmt.Sprintf("%d feasible trials cannot tell yet", feasible); m.Advice().Reason != want || feasible >= 10 {
		t.Errorf("%v, for %s", m.Advice(), want)
	}
	for _, branch := range m.Branches() {
		if branch.Best == nil || branch.Best.Observed != best {
			t.Errorf("%+v is the best of the branch", branch.Best)
		}
	}
}

// Violations are no values of the objective: while there is nothing else, there is no model of it.
func TestNoFeasibleTrial(t *testing.T) {
	if _, err := insight.Fit(limited(t, 3, 15)); !errors.Is(err, insight.ErrNoValue) {
		t.Errorf("%v", err)
	}
}
