package sampler_test

import (
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A study goes on as if its process had never stopped, whether it stops during
// start-up or later.
func TestRestart(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 3
	want := fmtest.RunMixed(t, seed)
	for _, stop := range []int{25, 4} {
		db := dbtest.New(t, dbtest.SQLite)
		objective := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)
		first := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionStorage(db.Open(t)))
		fmtest.Optimize(t, first, objective, stop)

		second := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionStorage(db.Open(t)),
			goptuna.StudyOptionLoadIfExists(true))
		fmtest.Optimize(t, second, objective, fmtest.MixedTrials-stop)
		fmtest.SameTrials(t, "stopped and continued", fmtest.TrialsOf(t, second), want)
	}
}

// So does one with the reference fit, with samples of the hyperparameters, or
// with both.
func TestRestartWithHyperparameterOptions(t *testing.T) {
	fmtest.Sequential(t)
	const trials, stop = 28, 17
	objective := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)
	for name, opts := range map[string][]fm.SamplerOption{
		"reference fit":  {fm.SamplerOptionReferenceFit(true)},
		"slice sampling": {fm.SamplerOptionSliceSampling(4)},
		"both, AddLap":   {fm.SamplerOptionReferenceFit(true), fm.SamplerOptionSliceSampling(3), fm.SamplerOptionKernel(fmkernel.NewAddLap)},
	} {
		t.Run(name, func(t *testing.T) {
			memory := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...))
			fmtest.Optimize(t, memory, objective, trials)

			db := dbtest.New(t, dbtest.SQLite)
			first := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...), goptuna.StudyOptionStorage(db.Open(t)))
			fmtest.Optimize(t, first, objective, stop)
			second := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...), goptuna.StudyOptionStorage(db.Open(t)), goptuna.StudyOptionLoadIfExists(true))
			fmtest.Optimize(t, second, objective, trials-stop)
			fmtest.SameTrials(t, "stopped and continued", fmtest.TrialsOf(t, second), fmtest.TrialsOf(t, memory))
		})
	}
}

// The fit of where trials fail is stored when some did, and a study that stops
// goes on from it.
func TestRestartWithFailures(t *testing.T) {
	fmtest.Sequential(t)
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
		if err == nil && x["dropout"] > 0.3 {
			return math.NaN(), fmtest.ErrObjective
		}
		return fmtest.MixedValue(x), err
	}
	run := func(stops ...int) []goptuna.FrozenTrial {
		db := dbtest.New(t, dbtest.SQLite)
		var study *goptuna.Study
		for _, n := range stops {
			study = fmtest.NewStudy(t, fmtest.Seeded(t, 4), goptuna.StudyOptionStorage(db.Open(t)),
				goptuna.StudyOptionLoadIfExists(true), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, objective, n)
		}
		return fmtest.TrialsOf(t, study)
	}
	want := run(32)
	fmtest.SameTrials(t, "stopped twice", run(21, 4, 7), want)
	if plan := want[31].SystemAttrs["fm:plan:0"]; !strings.Contains(plan, `"g":`) {
		t.Errorf("the plan of the last trial has no fit of failures: %s", plan)
	}
	for _, trial := range fmtest.RunMixed(t, 4) {
		if strings.Contains(trial.SystemAttrs["fm:plan:0"], `"g":`) {
			t.Fatalf("trial %d has a fit of failures where none failed", trial.Number)
		}
	}
}
