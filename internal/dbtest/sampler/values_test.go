package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// A value that is no number is kept out of the model. SQLite stores NaN as NULL,
// which Goptuna reads back as 0: below all the others, it would be the best.
// That it is not, shows in trials that are those of a study in memory, to the
// bit.
func TestNoNumbersAreNoIncumbents(t *testing.T) {
	fmtest.Sequential(t)
	objective := fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 {
		switch {
		case x["dropout"] > 1:
			return math.NaN()
		case x["rate"] > 0.3:
			return math.Inf(-1)
		case x["units"] > 60:
			return math.Inf(1)
		}
		return 5 + fmtest.MixedValue(x)
	})
	memory := fmtest.NewStudy(t, fmtest.Seeded(t, 2))
	fmtest.Optimize(t, memory, objective, fmtest.MixedTrials)
	sqlite := fmtest.NewStudy(t, fmtest.Seeded(t, 2), dbtest.OnSQLite(t))
	fmtest.Optimize(t, sqlite, objective, fmtest.MixedTrials)

	want, got := fmtest.TrialsOf(t, memory), fmtest.TrialsOf(t, sqlite)
	outside := 0
	for i, trial := range want {
		if math.IsNaN(trial.Value) {
			if got[i].Value != 0 {
				t.Fatalf("trial %d: Goptuna reads NaN back as %v; this test expects 0", i, got[i].Value)
			}
			got[i].Value = trial.Value
		}
		if x := trial.InternalParams; i >= 10 && (x["dropout"] > 1 || x["rate"] > 0.3 || x["units"] > 60) {
			outside++
		}
	}
	fmtest.SameTrials(t, "on SQLite", got, want)
	if outside > fmtest.MixedTrials/4 {
		t.Errorf("%d of %d trials of the model are where no numbers come from", outside, fmtest.MixedTrials-10)
	}
	for _, study := range []*goptuna.Study{memory, sqlite} {
		for i, trial := range fmtest.ReadHistory(t, study, -1).Finished {
			if v := want[i].Value; trial.NoValue != (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Errorf("trial %d with value %v: without a value is %t", i, v, trial.NoValue)
			}
		}
	}
}

// A configuration that failed or was pruned is not suggested again while others
// remain.
func TestFailuresAreNotRepeated(t *testing.T) {
	fmtest.Sequential(t)
	for _, failure := range []error{fmtest.ErrObjective, goptuna.ErrTrialPruned} {
		fmtest.FailOften(t, failure, dbtest.OnSQLite(t))
	}
}

// Parameters with one value get it.
func TestSingleValues(t *testing.T) {
	fmtest.Sequential(t)
	params, check := fmtest.Singles(t)
	fmtest.Optimize(t, fmtest.NewStudy(t, fmtest.Seeded(t, 3), dbtest.OnSQLite(t)), fmtest.Ask(append(params, fmtest.Mixed()...), check), 15)
}
