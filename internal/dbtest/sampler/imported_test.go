package sampler_test

import (
	"math"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// clone adds finished trials to a study, with the dates or without a start.
func clone(t *testing.T, study *goptuna.Study, trials []goptuna.FrozenTrial, dated bool) {
	t.Helper()
	for _, trial := range trials {
		if !dated {
			trial.DatetimeStart = time.Time{}
		}
		if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
			t.Fatal(err)
		}
	}
}

// An imported trial without a start date counts like one with a date: the next
// suggestions are the same to the bit, and come from the model.
func TestImportedTrialsWithoutDatesAreUsed(t *testing.T) {
	fmtest.Sequential(t)
	const old, next = 20, 5
	history := fmtest.Finished(t, old)
	for where, storage := range storages {
		run := func(dated bool) []goptuna.FrozenTrial {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), storage(t))
			clone(t, study, history, dated)
			fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), next)
			return fmtest.TrialsOf(t, study)[old:]
		}
		dated, undated := run(true), run(false)
		fmtest.SameTrials(t, where+", without dates", undated, dated)
		if worst := fmtest.LowerQuartile(history[:10]); fmtest.LowerQuartile(dated) > worst {
			t.Errorf("%s: lower quartile %.3g after the import, %.3g of its start-up", where, fmtest.LowerQuartile(dated), worst)
		}
	}
}

// A parameter that is no number in one imported trial costs that trial at most,
// not the model.
func TestImportedNaNParameterLeavesTheModelOn(t *testing.T) {
	fmtest.Sequential(t)
	for _, name := range []string{"units", "layers", "kind", "dropout", "rate", "momentum"} {
		log := &fmtest.Recorder{}
		study, err := goptuna.CreateStudy(fmtest.StudyName, goptuna.StudyOptionSampler(fmtest.Seeded(t, 1)), goptuna.StudyOptionLogger(log))
		if err != nil {
			t.Fatal(err)
		}
		history := fmtest.Finished(t, 20)
		history[7].InternalParams[name] = math.NaN()
		clone(t, study, history, true)
		if err := study.Optimize(fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 10); err != nil {
			t.Errorf("%s is NaN: %v", name, err)
			continue
		}
		log.Check(t, 0, "")
		startup, next := fmtest.LowerQuartile(history[:10]), fmtest.LowerQuartile(fmtest.TrialsOf(t, study)[20:])
		if next > startup/2 {
			t.Errorf("%s is NaN: lower quartile %.3g of the next trials, %.3g of start-up; want at most half", name, next, startup)
		}
	}
}

// Trials that were added count on every database, also to a storage that has read
// the study before.
func TestAddTrial(t *testing.T) {
	fmtest.Sequential(t)
	dbtest.EachKind(t, func(t *testing.T, kind dbtest.Kind) {
		fmtest.CheckAdded(t, func(t testing.TB) goptuna.Storage { return cachedrdb.NewStorage(dbtest.New(t, kind).OpenDB(t)) })
	})
}
