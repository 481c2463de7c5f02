package history_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

func newStudy(t *testing.T, name string, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy(name, append(opts, goptuna.StudyOptionLogger(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// What each outcome of a trial is to the model.
func TestOutcomes(t *testing.T) {
	fmtest.CheckOutcomes(t)
}

// listing is a storage that lists trials as it is told.
type listing struct {
	goptuna.Storage
	trials []goptuna.FrozenTrial
	err    error
	calls  int
}

func (l *listing) GetAllTrials(int) ([]goptuna.FrozenTrial, error) {
	l.calls++
	return l.trials, l.err
}

// Trials come in the order of their numbers, whatever their order in storage,
// which keeps its own.
func TestSortedByNumber(t *testing.T) {
	study := newStudy(t, "")
	for _, state := range []goptuna.TrialState{goptuna.TrialStateComplete, goptuna.TrialStateFail, goptuna.TrialStateRunning} {
		for range 3 {
			fmtest.AddTrial(t, study, state, 1)
		}
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(trials)
	storage := &listing{Storage: study.Storage, trials: trials}
	study.Storage = storage
	h := fmtest.ReadHistory(t, study, -1)
	for i, trial := range h.Finished {
		if trial.Number != i {
			t.Errorf("finished trial %d has number %d", i, trial.Number)
		}
	}
	for i, trial := range h.Running {
		if trial.Number != 6+i {
			t.Errorf("running trial %d has number %d, want %d", i, trial.Number, 6+i)
		}
	}
	if len(h.Finished) != 6 || len(h.Running) != 3 || storage.trials[0].Number != 8 || storage.calls != 1 {
		t.Errorf("%d finished, %d running; storage's first is %d, read %d times", len(h.Finished), len(h.Running), storage.trials[0].Number, storage.calls)
	}
}

func TestStorageErrors(t *testing.T) {
	study := newStudy(t, "")
	fmtest.AddTrial(t, study, goptuna.TrialStateComplete, 1)
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	study.Storage = &listing{Storage: study.Storage, trials: trials, err: goptuna.ErrTrialsPartiallyDeleted}
	if h := fmtest.ReadHistory(t, study, -1); h.Observations != 1 {
		t.Errorf("%d observations of what is left, want 1", h.Observations)
	}
	failure := errors.New("connection lost")
	study.Storage = &listing{Storage: study.Storage, err: failure}
	if _, err := history.Read(study, -1); !errors.Is(err, failure) {
		t.Errorf("got %v, want the storage's error", err)
	}
}

// Before it is full, BlackHoleStorage lists empty places as running trials.
func TestEmptyPlaces(t *testing.T) {
	study := newStudy(t, "", goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(5)))
	for n := range 8 {
		self := fmtest.AddTrial(t, study, goptuna.TrialStateRunning, 0)
		if h := fmtest.ReadHistory(t, study, self); len(h.Running) != 0 || len(h.Finished) != min(n, 4) {
			t.Errorf("trial %d sees %d running and %d finished trials", n, len(h.Running), len(h.Finished))
		}
		if err := study.Storage.SetTrialState(self, goptuna.TrialStateComplete); err != nil {
			t.Fatal(err)
		}
	}
}

// A study without trials has an empty history.
func TestNoTrials(t *testing.T) {
	if h := fmtest.ReadHistory(t, newStudy(t, ""), -1); len(h.Finished)+len(h.Running)+h.Observations != 0 {
		t.Errorf("history %v of an empty study", h)
	}
}

// In memory there is nothing to learn about other processes.
func TestLater(t *testing.T) {
	if later, err := (&history.History{}).Later(newStudy(t, "memory")); err != nil || len(later) > 0 {
		t.Errorf("%v, error %v; want nothing", later, err)
	}
}
