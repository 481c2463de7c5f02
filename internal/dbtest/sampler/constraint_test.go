package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A study with constraints has the same trials on a database as in memory, and when it stops,
// goes on as if it had not: while no trial is feasible, and after.
func TestRestartWithConstraints(t *testing.T) {
	fmtest.Sequential(t)
	const trials = 34
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
		if err != nil {
			return 0, err
		}
		return fm.Constrained(trial, fmtest.MixedValue(x), fm.AtMost("Größe", x["dropout"], 0.1), fm.AtMost("\xff", 1e300*(x["kind"]-1.5), 0), fm.AtLeast("\"", x["dropout"], 0.05))
	}
	run := func(open func() goptuna.Storage, stops ...int) []goptuna.FrozenTrial {
		var study *goptuna.Study
		for _, n := range stops {
			study = fmtest.NewStudy(t, fmtest.Seeded(t, 4), goptuna.StudyOptionStorage(open()), goptuna.StudyOptionLoadIfExists(true), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, objective, n)
		}
		return fmtest.TrialsOf(t, study)
	}
	want := run(func() goptuna.Storage { return goptuna.NewInMemoryStorage() }, trials)
	if n := fmtest.Count(want, goptuna.TrialStateComplete); n == 0 || n == trials {
		t.Errorf("%d of %d trials are feasible", n, trials)
	}
	first := 0 // feasible one
	for want[first].State != goptuna.TrialStateComplete {
		first++
	}
	if first == 0 {
		t.Error("the first trial is feasible")
	}
	for name, open := range map[string]func(db *dbtest.Database) goptuna.Storage{
		"rdb":       func(db *dbtest.Database) goptuna.Storage { return db.Open(t) },
		"cachedrdb": func(db *dbtest.Database) goptuna.Storage { return cachedrdb.NewStorage(db.OpenDB(t)) },
	} {
		for _, stops := range [][]int{{trials}, {first, 15, trials - 15 - first}} {
			db := dbtest.New(t, dbtest.SQLite)
			fmtest.SameTrials(t, name, run(func() goptuna.Storage { return open(db) }, stops...), want)
		}
	}
}
