package report

import (
	"context"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Of a study with constraints the page has how many trials are infeasible, and which
// constraints they violate. One that is complete all the same is not the best.
func TestConstraints(t *testing.T) {
	s, err := goptuna.CreateStudy("limited", goptuna.StudyOptionSampler(fm.NewSampler()), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	limited := func(trial goptuna.Trial, high float64) (x, value float64, err error) {
		if x, err = trial.SuggestFloat("x", 0, high); err != nil {
			return 0, 0, err
		}
		value, err = fm.Constrained(trial, x, fm.AtLeast("share", x, 0.4))
		return x, value, err
	}
	if err := s.Optimize(func(trial goptuna.Trial) (float64, error) {
		x, _, _ := limited(trial, 0.1)
		return x, nil // though it is infeasible
	}, 1); err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(context.Background(), s, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		_, value, err := limited(trial, 1)
		return value, err
	}, 29); err != nil {
		t.Fatal(err)
	}
	r := read(t, s)
	infeasible := 0
	for _, trial := range r.trials {
		if trial.Params["x"].(float64) < 0.4 {
			infeasible++
		}
	}
	if infeasible < 5 || infeasible > 25 {
		t.Fatalf("%d of 30 are infeasible: that shows little", infeasible)
	}
	best, ok := r.best()
	if !ok || best.Value < 0.4 || r.recommended == nil || r.recommended.Best != best.Number {
		t.Errorf("the best is trial %d with %v, for the recommendation %+v", best.Number, best.Value, r.recommended)
	}
	if rows := r.failures().Table.Rows; len(rows) != 1 || rows[0][0] != "violates share" {
		t.Errorf("failures: %q", rows)
	}
	if states := r.states(); !strings.Contains(states, "infeasible") || strings.Contains(states, "failed") {
		t.Errorf("states: %s", states)
	}
	_, text := render(t, r.document())
	if !strings.Contains(strings.Join(strings.Fields(text), " "), "has measured: share is") {
		t.Errorf("the recommendation does not say what was measured:\n%s", text)
	}
}
