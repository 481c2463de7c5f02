package cachedrdb_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// SQLite stores NaN as NULL, which rdb.v2 reads as 0. Here it is NaN, and never the
// best, whatever is sought.
func TestNaN(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		storage := cachedrdb.NewStorage(openSQLiteFile(t, path))
		study, err := goptuna.CreateStudy(string(direction), goptuna.StudyOptionStorage(storage),
			goptuna.StudyOptionDirection(direction), goptuna.StudyOptionLogger(nil))
		check(t, err)
		nan := fmtest.AddTrial(t, study, goptuna.TrialStateComplete, math.NaN())
		best, err := storage.GetBestTrial(study.ID)
		check(t, err)
		if best.State == goptuna.TrialStateComplete {
			t.Errorf("%s: without a value, trial %d is the best", direction, best.ID)
		}
		worse := -3.0 // than the 0 that NULL would be
		if direction == goptuna.StudyDirectionMinimize {
			worse = 3
		}
		id := fmtest.AddTrial(t, study, goptuna.TrialStateComplete, worse)
		fmtest.AddTrial(t, study, goptuna.TrialStateComplete, math.NaN())
		best, err = storage.GetBestTrial(study.ID)
		check(t, err)
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
