package sampler_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// manyFloats is a flat space of n parameters.
func manyFloats(n int) []fmtest.Param {
	params := make([]fmtest.Param, n)
	for i := range params {
		params[i] = fmtest.Param{Name: string(rune('a' + i)), Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}
	}
	return params
}

func sumOfSquares(x map[string]float64) (sum float64) {
	for _, p := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		sum += sq(x[p] - 0.4)
	}
	return sum
}

// Goptuna reads all trials once per trial, to look for enqueued ones. The
// sampler does so once more, however many parameters there are, and stores one
// plan; the first trial, whose parameters are not known, is planned step by step.
func TestReadsOncePerTrial(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct {
		name     string
		relative bool
	}{{"sampler", false}, {"relative sampler", true}} {
		storage := &fmtest.Counting{Storage: goptuna.NewInMemoryStorage()}
		s := fmtest.Seeded(t, 1)
		opts := []goptuna.StudyOption{goptuna.StudyOptionStorage(storage)}
		if test.relative {
			opts = append(opts, goptuna.StudyOptionRelativeSampler(s), goptuna.StudyOptionDefineSearchSpace(fmtest.Space(manyFloats(10))))
		}
		study := fmtest.NewStudy(t, s, opts...)
		for i := range 25 {
			storage.Reads.Store(0)
			storage.Writes.Store(0)
			if err := study.Optimize(fmtest.Ask(manyFloats(10), sumOfSquares), 1); err != nil {
				t.Fatal(err)
			}
			if n := storage.Reads.Load(); n > 2 {
				t.Errorf("%s, trial %d: all trials were read %d times, want Goptuna's read and one more", test.name, i, n)
			}
			if n := storage.Writes.Load(); i > 0 && n != 1 {
				t.Errorf("%s, trial %d: %d attributes were written, want 1", test.name, i, n)
			}
		}
	}
}

var errStorage = errors.New("the disk is full")

// broken fails in the calls whose names are set.
type broken struct {
	goptuna.Storage
	reads, attrs, writes bool
}

func (b *broken) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	if b.reads {
		return nil, errStorage
	}
	return b.Storage.GetAllTrials(studyID)
}

func (b *broken) GetTrialSystemAttrs(trialID int) (map[string]string, error) {
	if b.attrs {
		return nil, errStorage
	}
	return b.Storage.GetTrialSystemAttrs(trialID)
}

func (b *broken) CloneTrial(studyID int, trial goptuna.FrozenTrial) (int, error) {
	if b.writes {
		return 0, errStorage
	}
	return b.Storage.CloneTrial(studyID, trial)
}

func (b *broken) SetTrialSystemAttr(trialID int, key, value string) error {
	if b.writes {
		return errStorage
	}
	return b.Storage.SetTrialSystemAttr(trialID, key, value)
}

func TestStorageErrorsAreReturned(t *testing.T) {
	for _, test := range []struct {
		name string
		fail func(*broken)
		why  string
	}{
		{"reading trials", func(b *broken) { b.reads = true }, "the history is the first thing needed"},
		{"reading a running trial", func(b *broken) { b.attrs = true }, "its plan is read through the storage"},
		{"storing the plan", func(b *broken) { b.writes = true }, "a plan that is not stored is lost on other workers"},
	} {
		storage := &broken{Storage: goptuna.NewInMemoryStorage()}
		s := fmtest.Seeded(t, 1)
		study := fmtest.NewStudy(t, s, goptuna.StudyOptionStorage(storage))
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 12)
		for range 2 { // the first is another worker's
			if _, err := storage.CreateNewTrial(study.ID); err != nil {
				t.Fatal(err)
			}
		}
		trial, err := storage.GetTrial(13)
		if err != nil {
			t.Fatal(err)
		}
		test.fail(storage)
		_, err = s.Sample(study, trial, "dropout", fmtest.Mixed()[0].Distribution)
		if !errors.Is(err, errStorage) || !strings.HasPrefix(err.Error(), "fm:") {
			t.Errorf("Sample, %s: %v; want the storage's error, prefixed (%s)", test.name, err, test.why)
		}
		_, err = s.SampleRelative(study, trial, fmtest.Space(fmtest.Mixed()))
		if !errors.Is(err, errStorage) || !strings.HasPrefix(err.Error(), "fm:") {
			t.Errorf("SampleRelative, %s: %v; want the storage's error, prefixed (%s)", test.name, err, test.why)
		}
		*storage = broken{Storage: storage.Storage}
		if _, err := s.Sample(study, trial, "dropout", fmtest.Mixed()[0].Distribution); err != nil {
			t.Errorf("after %s failed once: %v", test.name, err)
		}
	}
}

// A parameter that no trial has had becomes part of the plan, also if the database fails
// at that and the objective asks again.
func TestNewParameterIsStoredAfterAnError(t *testing.T) {
	storage := &broken{Storage: goptuna.NewInMemoryStorage()}
	s := fmtest.Seeded(t, 1)
	study := fmtest.NewStudy(t, s, goptuna.StudyOptionStorage(storage))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 15)
	trial := fmtest.RunningTrial(t, study)
	if _, err := s.Sample(study, trial, "dropout", fmtest.Mixed()[0].Distribution); err != nil {
		t.Fatal(err)
	}
	added := goptuna.UniformDistribution{Low: 0, High: 1}
	storage.writes = true
	if _, err := s.Sample(study, trial, "added", added); !errors.Is(err, errStorage) {
		t.Errorf("error %v, want the storage's", err)
	}
	storage.writes = false
	value, err := s.Sample(study, trial, "added", added)
	if err != nil {
		t.Fatal(err)
	}
	attrs, err := storage.GetTrialSystemAttrs(trial.ID)
	if err != nil {
		t.Fatal(err)
	}
	if stored := plan.Decode(attrs).Values["added"]; stored.Value != value {
		t.Errorf("the stored plan has %+v, the trial got %v", stored, value)
	}
}

// A storage that keeps the last trials only gives a sampler that knows these
// only, before and after it starts to forget.
func TestBlackHoleStorage(t *testing.T) {
	const kept = 12
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(kept)))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 40)
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != kept {
		t.Errorf("%d complete trials, want the last %d", n, kept)
	}
	h, err := history.Read(study, -1)
	if err != nil {
		t.Fatal(err)
	}
	if h.Observations != kept {
		t.Errorf("%d observations, want %d", h.Observations, kept)
	}
}

// The oldest trial that the storage lists may run, and be one that it no longer knows.
func TestBlackHoleStorageForgetsARunningTrial(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(8)))
	fmtest.RunningTrial(t, study)
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 12)
}

// While it has room, BlackHoleStorage is as good as any other.
func TestBlackHoleStorageWithRoom(t *testing.T) {
	fmtest.Sequential(t)
	const seed, trials = 2, 25
	objective := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)
	want := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, want, objective, trials)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(100)))
	if err := study.Optimize(objective, trials); err != nil {
		t.Fatal(err)
	}
	fmtest.SameTrials(t, "BlackHoleStorage(100)", complete(fmtest.TrialsOf(t, study)), fmtest.TrialsOf(t, want))
}

// complete returns the complete ones of the trials. Before it is full,
// BlackHoleStorage lists its empty places as running trials.
func complete(trials []goptuna.FrozenTrial) []goptuna.FrozenTrial {
	var done []goptuna.FrozenTrial
	for _, trial := range trials {
		if trial.State == goptuna.TrialStateComplete {
			done = append(done, trial)
		}
	}
	return done
}
