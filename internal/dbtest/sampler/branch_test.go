package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// interposed calls between once, after the next read of all trials.
type interposed struct {
	*rdb.Storage
	between func()
}

func (i *interposed) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := i.Storage.GetAllTrials(studyID)
	if between := i.between; between != nil {
		i.between = nil
		between()
	}
	return trials, err
}

// Two workers that plan at the same time may enter one branch.
func TestWorkersInOneBranch(t *testing.T) {
	const seed, trials = 3, 14
	kind := fmtest.Param{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}}
	objective := func(trial goptuna.Trial) (float64, error) {
		choice, err := fmtest.Suggest(&trial, kind)
		if err != nil {
			return 0, err
		}
		value, err := trial.SuggestFloat([]string{"x", "y"}[int(choice["kind"])], 0, 1)
		return 5*choice["kind"] + value, err
	}
	log := &fmtest.Recorder{}
	storage := &interposed{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(log))
	fmtest.Optimize(t, study, objective, trials)

	var other map[string]float64
	colleague := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionStorage(storage.Storage), goptuna.StudyOptionLoadIfExists(true))
	first, second := fmtest.RunningTrial(t, study), fmtest.RunningTrial(t, study)
	storage.between = func() {
		var err error
		if other, err = fmtest.Suggest(&goptuna.Trial{Study: colleague, ID: second.ID}, kind); err != nil {
			t.Error(err)
		}
	}
	own, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: first.ID}, kind)
	if err != nil {
		t.Fatal(err)
	}
	if own["kind"] != 0 || other["kind"] != 0 {
		t.Errorf("two workers chose %v and %v, want the better branch both", own, other)
	}
	log.Check(t, 0, "")
}

// On a database, Goptuna itself fails when a name comes a second time: its table
// of parameters has one row per trial and name, and the second insertion breaks
// the unique index. The objective gets that error at that call. With
// StudyOptionIgnoreError the trial fails, and the study goes on.
func TestAskedAgain(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 7, fm.SamplerOptionNumberOfStartupTrials(3)), dbtest.OnSQLite(t), goptuna.StudyOptionIgnoreError(true))
	calls := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		calls++
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			t.Errorf("asked once: %v", err)
		}
		if _, err := trial.SuggestFloat("y", 0, 1); err != nil {
			t.Errorf("asked once: %v", err)
		}
		if calls%4 != 0 {
			return x, nil
		}
		again, err := trial.SuggestFloat("x", 0, 1)
		if err == nil || again != x {
			t.Errorf("asked twice: %v, %v; want the first answer %v and the error of the database", again, err, x)
		}
		return x, err
	}, 12)
	trials := fmtest.TrialsOf(t, study)
	if done, failed := fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Count(trials, goptuna.TrialStateFail); done != 9 || failed != 3 {
		t.Errorf("%d trials are complete and %d failed, want 9 and 3", done, failed)
	}
}
