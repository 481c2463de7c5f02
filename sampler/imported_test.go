package sampler_test

import (
	"maps"
	"math"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
)

// imported returns n finished trials of the space as another program would hand
// them to Storage.CloneTrial.
func imported(t *testing.T, n int, value func(x map[string]float64) float64) []goptuna.FrozenTrial {
	t.Helper()
	study := newStudy(t, seeded(t, 99))
	optimize(t, study, ask(mixed(), value), n)
	trials := trialsOf(t, study)
	for i := range trials {
		trials[i].InternalParams = maps.Clone(trials[i].InternalParams)
		trials[i].SystemAttrs = map[string]string{}
		trials[i].UserAttrs = map[string]string{}
	}
	return trials
}

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
	const old, next = 20, 5
	history := imported(t, old, mixedValue)
	for _, storage := range []struct {
		name string
		opt  func() goptuna.StudyOption
	}{
		{"in memory", func() goptuna.StudyOption { return goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()) }},
		{"on SQLite", func() goptuna.StudyOption { return onSQLite(t) }},
	} {
		run := func(dated bool) []goptuna.FrozenTrial {
			study := newStudy(t, seeded(t, 1), storage.opt())
			clone(t, study, history, dated)
			optimize(t, study, ask(mixed(), mixedValue), next)
			return trialsOf(t, study)[old:]
		}
		dated, undated := run(true), run(false)
		sameTrials(t, storage.name+", without dates", undated, dated)
		if worst := lowerQuartile(history[:10]); lowerQuartile(dated) > worst {
			t.Errorf("%s: lower quartile %.3g after the import, %.3g of its start-up", storage.name, lowerQuartile(dated), worst)
		}
	}
}

// A parameter that is no number in one imported trial costs that trial at most,
// not the model.
func TestImportedNaNParameterLeavesTheModelOn(t *testing.T) {
	for _, name := range []string{"units", "layers", "kind", "dropout", "rate", "momentum"} {
		log := &recorder{}
		study, err := goptuna.CreateStudy(studyName, goptuna.StudyOptionSampler(seeded(t, 1)), goptuna.StudyOptionLogger(log))
		if err != nil {
			t.Fatal(err)
		}
		history := imported(t, 20, mixedValue)
		history[7].InternalParams[name] = math.NaN()
		clone(t, study, history, true)
		if err := recovered(func() error { return study.Optimize(ask(mixed(), mixedValue), 10) }); err != nil {
			t.Errorf("%s is NaN: %v", name, err)
			continue
		}
		log.check(t, 0, "")
		startup, next := lowerQuartile(history[:10]), lowerQuartile(trialsOf(t, study)[20:])
		if next > startup/2 {
			t.Errorf("%s is NaN: lower quartile %.3g of the next trials, %.3g of start-up; want at most half", name, next, startup)
		}
	}
}
