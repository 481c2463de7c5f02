package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Ask and Tell make the trials of Optimize, however these end.
func TestAskAndTell(t *testing.T) {
	fmtest.Sequential(t)
	failure := errors.New("out of paper")
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		number, err := trial.Number()
		if err != nil {
			return 0, err
		}
		switch number {
		case 3:
			return 0, failure
		case 5:
			return 0, goptuna.ErrTrialPruned
		}
		return fm.Constrained(trial, x, fm.AtLeast("x", x, 0.3))
	}
	const trials = 14
	loop := fmtest.NewStudy(t, fmtest.Seeded(t, 3), goptuna.StudyOptionIgnoreError(true))
	fmtest.Optimize(t, loop, objective, trials)
	byHand := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
	for range trials {
		trial, err := fm.Ask(byHand)
		if err != nil {
			t.Fatal(err)
		}
		value, failure := objective(trial)
		if err := fm.Tell(goptuna.Trial{Study: byHand, ID: trial.ID}, value, failure); err != nil {
			t.Fatal(err)
		}
	}
	got, want := fmtest.TrialsOf(t, byHand), fmtest.TrialsOf(t, loop)
	for i := range want {
		if a, b := got[i], want[i]; a.State != b.State || a.Value != b.Value || fmt.Sprint(a.Params) != fmt.Sprint(b.Params) {
			t.Errorf("trial %d is %v with %v at %v; by Optimize %v with %v at %v", i, a.State, a.Value, a.Params, b.State, b.Value, b.Params)
		}
	}
	if reason := got[3].UserAttrs["fm: error"]; reason != failure.Error() {
		t.Errorf("trial 3 has failed for %q", reason)
	}
}

// What was enqueued comes first. A trial that was not run says nothing, and what another trial
// has had cannot be changed.
func TestAskIsGivenWhatWasEnqueued(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
	d := map[string]any{"x": goptuna.IntUniformDistribution{Low: 0, High: 3}}
	if err := fm.EnqueueTrial(study, map[string]any{"x": 2}, d); err != nil {
		t.Fatal(err)
	}
	ask := func() (trial goptuna.Trial, x int) {
		trial, err := fm.Ask(study)
		if err != nil {
			t.Fatal(err)
		}
		if x, err = trial.SuggestInt("x", 0, 3); err != nil {
			t.Fatal(err)
		}
		return trial, x
	}
	trial, x := ask()
	if x != 2 {
		t.Errorf("x is %d, want what was enqueued", x)
	}
	if err := fm.Tell(trial, 0, fmt.Errorf("the bottle was empty: %w", fm.ErrNotRun)); err != nil {
		t.Fatal(err)
	}
	if err := fm.Tell(trial, 1, nil); err == nil || !strings.Contains(err.Error(), "fm: trial 0 has ended") {
		t.Errorf("a trial that has ended: %v", err)
	}
	seen := map[int]bool{}
	for range 4 {
		trial, x := ask()
		seen[x] = true
		if err := fm.Tell(trial, float64(x), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 4 {
		t.Errorf("the trials had %v, want all four values: one of them was not run", seen)
	}
	log.Check(t, 0, "")
	if err := fm.Optimize(context.Background(), study, func(context.Context, goptuna.Trial) (float64, error) { return 0, fm.ErrNotRun }, 1); err != nil {
		t.Fatal(err)
	}
	for i, trial := range fmtest.TrialsOf(t, study) {
		if notRun := trial.SystemAttrs["fm:interrupted"] != ""; notRun != (i == 0 || i == 5) {
			t.Errorf("trial %d, %v, was not run: %t", i, trial.State, notRun)
		}
	}
	if _, err := fm.Ask(nil); err == nil {
		t.Error("a trial of no study")
	}
	if err := fm.Tell(goptuna.Trial{}, 0, nil); err == nil {
		t.Error("a trial of no study was told a value")
	}
}

// Goptuna's own panic over a relative sampler that meets choices is an error of Ask, and the
// trial does not run for ever.
func TestAskRelativeSampler(t *testing.T) {
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), goptuna.StudyOptionRelativeSampler(fmtest.Seeded(t, 1)))
	for range 2 {
		trial, err := fm.Ask(study)
		if err != nil {
			t.Fatal(err)
		}
		kind, failure := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		if err := fm.Tell(trial, float64(len(kind)), failure); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := fm.Ask(study); err == nil || !strings.Contains(err.Error(), "uncomparable") {
		t.Errorf("error %v", err)
	}
	if trials := fmtest.TrialsOf(t, study); len(trials) != 3 || trials[2].State != goptuna.TrialStateFail {
		t.Errorf("got %v, want a third trial that has failed", trials)
	}
}
