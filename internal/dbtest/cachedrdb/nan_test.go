package cachedrdb_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// SQLite stores NaN as NULL, which rdb.v2 reads as 0. Here it is NaN, and never the
// best, whatever is sought, neither of a study nor in the list of studies.
func TestNaN(t *testing.T) {
	storage := cachedrdb.NewStorage(openSQLite(t))
	for i, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		study, err := goptuna.CreateStudy(string(direction), goptuna.StudyOptionStorage(storage),
			goptuna.StudyOptionDirection(direction), goptuna.StudyOptionLogger(nil))
		check(t, err)
		nan := fmtest.AddTrial(t, study, goptuna.TrialStateComplete, math.NaN())
		best := bestOf(t, storage, study.ID, i)
		if best.State == goptuna.TrialStateComplete {
			t.Errorf("%s: without a value, trial %d is the best", direction, best.ID)
		}
		worse := -3.0 // than the 0 that NULL would be
		if direction == goptuna.StudyDirectionMinimize {
			worse = 3
		}
		id := fmtest.AddTrial(t, study, goptuna.TrialStateComplete, worse)
		fmtest.AddTrial(t, study, goptuna.TrialStateComplete, math.NaN())
		best = bestOf(t, storage, study.ID, i)
		if best.ID != id {
			t.Errorf("%s: the best is trial %d with %v, want %d with %v", direction, best.ID, best.Value, id, worse)
		}
		trial, err := storage.GetTrial(nan)
		check(t, err)
		if trials := fmtest.TrialsOf(t, study); !math.IsNaN(trial.Value) || !math.IsNaN(trials[0].Value) || trials[1].Value != worse {
			t.Errorf("%s: NaN reads as %v, and with all trials as %v", direction, trial.Value, trials[0].Value)
		}
	}
}

// NaN is NaN wherever SQLite stores it as NULL: a pruner takes a step with 0 for a good one,
// and one with NaN for what it is.
func TestNaNEverywhere(t *testing.T) {
	storage := cachedrdb.NewStorage(openSQLite(t))
	study := newStudy(t, storage, "study")
	nan := math.NaN()
	id, err := storage.CloneTrial(study, goptuna.FrozenTrial{
		State:          goptuna.TrialStateRunning,
		InternalParams: map[string]float64{"x": nan},
		Distributions:  map[string]any{"x": goptuna.UniformDistribution{Low: 1, High: 2}},
	})
	check(t, err)
	check(t, storage.SetTrialIntermediateValue(id, 1, nan))
	check(t, storage.SetTrialValue(id, nan))
	check(t, storage.SetTrialState(id, goptuna.TrialStatePruned))
	trial, err := storage.GetTrial(id)
	check(t, err)
	for what, value := range map[string]float64{
		"parameter": trial.InternalParams["x"], "step": trial.IntermediateValues[1], "value of a pruned trial": trial.Value,
	} {
		if !math.IsNaN(value) {
			t.Errorf("NaN as a %s reads as %v", what, value)
		}
	}
}

// bestOf returns the best trial of a study, which is also that of its summary, at
// an index in the list of studies.
func bestOf(t *testing.T, storage goptuna.Storage, study, i int) goptuna.FrozenTrial {
	t.Helper()
	best, err := storage.GetBestTrial(study)
	check(t, err)
	summaries, err := storage.GetAllStudySummaries()
	check(t, err)
	if len(summaries) != i+1 || summaries[i].ID != study || !reflect.DeepEqual(summaries[i].BestTrial, best) {
		t.Errorf("study %d: the best is trial %d with %v, summaries %+v", study, best.ID, best.Value, summaries)
	}
	return best
}
