package history_test

import (
	"maps"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// What each outcome of a trial is to the model. SQLite stores NaN as NULL.
func TestOutcomes(t *testing.T) {
	fmtest.CheckOutcomes(t, dbtest.OnSQLite(t))
}

// NULL values of one study are not those of another in the same database.
func TestNullOfAnotherStudy(t *testing.T) {
	db := dbtest.OnSQLite(t)
	var studies [2]*goptuna.Study
	for i, name := range []string{"a", "b"} {
		study, err := goptuna.CreateStudy(name, db, goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		fmtest.AddTrial(t, study, goptuna.TrialStateComplete, 0)
		studies[i] = study
	}
	a, b := studies[0], studies[1]
	fmtest.AddTrial(t, b, goptuna.TrialStateComplete, math.NaN())
	fmtest.AddTrial(t, a, goptuna.TrialStateComplete, 0)
	if h := fmtest.ReadHistory(t, a, -1); h.Observations != 2 {
		t.Errorf("study a has %d observations, want 2", h.Observations)
	}
	if h := fmtest.ReadHistory(t, b, -1); h.Observations != 1 || !h.Finished[1].NoValue {
		t.Errorf("study b has %d observations, want 1", h.Observations)
	}
	if trials, _, err := history.Trials(b); err != nil || trials[0].Value != 0 || !math.IsNaN(trials[1].Value) {
		t.Errorf("trials %v, %v; want the second with NaN", trials, err)
	}
}

// A study without trials has an empty history.
func TestNoTrials(t *testing.T) {
	if h := fmtest.ReadHistory(t, fmtest.NewStudy(t, goptuna.NewRandomSampler(), dbtest.OnSQLite(t)), -1); len(h.Finished)+len(h.Running)+h.Observations != 0 {
		t.Errorf("history %v of an empty study", h)
	}
}

// What others may have planned since: trials that were running, whether they had
// a plan or not, even if they have ended meanwhile, and new ones.
func TestLater(t *testing.T) {
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), dbtest.OnSQLite(t))
	note := func(id int, text string) {
		t.Helper()
		if err := study.Storage.SetTrialSystemAttr(id, "fm:note", text); err != nil {
			t.Fatal(err)
		}
	}
	fmtest.AddTrial(t, study, goptuna.TrialStateComplete, 1)
	again := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
	ended := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
	self := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
	h := fmtest.ReadHistory(t, study, self)
	note(again, "another plan")
	note(ended, "another plan")
	if err := study.Storage.SetTrialState(ended, goptuna.TrialStateFail); err != nil {
		t.Fatal(err)
	}
	after := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
	note(self, "own")

	later, err := h.Later(study)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]map[string]string{
		again: {"fm:note": "another plan"}, ended: {"fm:note": "another plan"}, after: {"fm:note": "of a test"},
	}
	if !maps.EqualFunc(later, want, maps.Equal[map[string]string]) {
		t.Errorf("got %v, want %v", later, want)
	}
}
