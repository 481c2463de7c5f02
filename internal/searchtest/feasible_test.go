package searchtest

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Where a third of the space fails, a half-space or a choice, and the best that
// is not allowed would be there, few trials go there once it is known.
func TestFailingRegionIsLeft(t *testing.T) {
	t.Parallel()
	const seeds, trials, known = 2, 80, 40
	for _, problem := range []*problems.Problem{problems.Func2CHalfspace(), problems.Func3CCategory()} {
		failed := 0
		for seed := range int64(seeds) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, problems.Objective(problem), trials)
			failed += fmtest.Count(fmtest.TrialsOf(t, study)[known:], goptuna.TrialStateFail)
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
	t.Parallel()
	const seeds = 8
	run := func(seed int64, fails bool) float64 {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
		done := false
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
			if err != nil {
				t.Error(err)
			}
			if fails && !done && fmtest.MixedValue(x) < 0.3 {
				done = true
				return 0, fmtest.ErrObjective
			}
			return fmtest.MixedValue(x), nil
		}, 50)
		if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateFail); fails && n != 1 {
			t.Errorf("seed %d: %d trials failed, want one", seed, n)
		}
		return fmtest.Best(t, study)
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
