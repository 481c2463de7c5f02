package sampler_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Where a third of the space fails, a half-space or a choice, and the best that
// is not allowed would be there, few trials go there once it is known.
func TestFailingRegionIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("runs four studies of 80 trials")
	}
	const seeds, trials, known = 2, 80, 40
	for _, problem := range []*problems.Problem{problems.Func2CHalfspace(), problems.Func3CCategory()} {
		failed := 0
		for seed := range int64(seeds) {
			study := newStudy(t, seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			optimize(t, study, problems.Objective(problem), trials)
			failed += count(trialsOf(t, study)[known:], goptuna.TrialStateFail)
		}
		share := float64(failed) / (seeds * (trials - known))
		t.Logf("%s: %.0f %% of the trials failed from trial %d on", problem.Name, 100*share, known)
		if share > 0.2 { // 0.15 over many seeds
			t.Errorf("%s: %.0f %% of the trials failed from trial %d on", problem.Name, 100*share, known)
		}
	}
}

// One trial that fails where the objective is good does not hide it.
func TestOneFailureHidesNothing(t *testing.T) {
	const seeds = 8
	run := func(seed int64, fails bool) float64 {
		study := newStudy(t, seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
		done := false
		optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := suggest(&trial, mixed()...)
			if err != nil {
				t.Error(err)
			}
			if fails && !done && mixedValue(x) < 0.3 {
				done = true
				return 0, errObjective
			}
			return mixedValue(x), nil
		}, 50)
		if n := count(trialsOf(t, study), goptuna.TrialStateFail); fails && n != 1 {
			t.Errorf("seed %d: %d trials failed, want one", seed, n)
		}
		best, err := study.GetBestValue()
		if err != nil {
			t.Fatal(err)
		}
		return best
	}
	var with, without float64
	for seed := range int64(seeds) {
		a, b := run(seed, true), run(seed, false)
		t.Logf("seed %d: best value %.4f, without the failure %.4f", seed, a, b)
		with += a / seeds
		without += b / seeds
	}
	if with > without+0.05 {
		t.Errorf("mean of the best values %.4f, without a failure %.4f", with, without)
	}
}

// The fit of where trials fail is stored when some did, and a study that stops
// goes on from it.
func TestRestartWithFailures(t *testing.T) {
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := suggest(&trial, mixed()...)
		if err == nil && x["dropout"] > 0.3 {
			return math.NaN(), errObjective
		}
		return mixedValue(x), err
	}
	run := func(stops ...int) []goptuna.FrozenTrial {
		file := filepath.Join(t.TempDir(), "study.db")
		var study *goptuna.Study
		for _, n := range stops {
			study = newStudy(t, seeded(t, 4), goptuna.StudyOptionStorage(sqliteStorage(t, file)),
				goptuna.StudyOptionLoadIfExists(true), goptuna.StudyOptionIgnoreError(true))
			optimize(t, study, objective, n)
		}
		return trialsOf(t, study)
	}
	want := run(32)
	sameTrials(t, "stopped twice", run(21, 4, 7), want)
	if plan := want[31].SystemAttrs["fm:plan:0"]; !strings.Contains(plan, `"g":`) {
		t.Errorf("the plan of the last trial has no fit of failures: %s", plan)
	}
	for _, trial := range runMixed(t, 4) {
		if strings.Contains(trial.SystemAttrs["fm:plan:0"], `"g":`) {
			t.Fatalf("trial %d has a fit of failures where none failed", trial.Number)
		}
	}
}
