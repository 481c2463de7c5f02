package sampler_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// counting counts how often all trials of a study are read, and plans written.
type counting struct {
	goptuna.Storage
	reads, writes atomic.Int64
}

func (c *counting) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	c.reads.Add(1)
	return c.Storage.GetAllTrials(studyID)
}

func (c *counting) SetTrialSystemAttr(trialID int, key, value string) error {
	if strings.HasPrefix(key, "fm:") {
		c.writes.Add(1)
	}
	return c.Storage.SetTrialSystemAttr(trialID, key, value)
}

// manyFloats is a flat space of n parameters.
func manyFloats(n int) []param {
	params := make([]param, n)
	for i := range params {
		params[i] = param{string(rune('a' + i)), goptuna.UniformDistribution{Low: 0, High: 1}}
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
// plan; the first trial, which cannot be foreseen, is planned step by step.
func TestReadsOncePerTrial(t *testing.T) {
	for _, test := range []struct {
		name     string
		relative bool
	}{{"sampler", false}, {"relative sampler", true}} {
		storage := &counting{Storage: goptuna.NewInMemoryStorage()}
		s := seeded(t, 1)
		opts := []goptuna.StudyOption{goptuna.StudyOptionStorage(storage)}
		if test.relative {
			opts = append(opts, goptuna.StudyOptionRelativeSampler(s), goptuna.StudyOptionDefineSearchSpace(space(manyFloats(10))))
		}
		study := newStudy(t, s, opts...)
		for i := range 25 {
			storage.reads.Store(0)
			storage.writes.Store(0)
			if err := study.Optimize(ask(manyFloats(10), sumOfSquares), 1); err != nil {
				t.Fatal(err)
			}
			if n := storage.reads.Load(); n > 2 {
				t.Errorf("%s, trial %d: all trials were read %d times, want Goptuna's read and one more", test.name, i, n)
			}
			if n := storage.writes.Load(); i > 0 && n != 1 {
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
		s := seeded(t, 1)
		study := newStudy(t, s, goptuna.StudyOptionStorage(storage))
		optimize(t, study, ask(mixed(), mixedValue), 12)
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
		_, err = s.Sample(study, trial, "dropout", mixed()[0].distribution)
		if !errors.Is(err, errStorage) || !strings.HasPrefix(err.Error(), "fm:") {
			t.Errorf("Sample, %s: %v; want the storage's error, prefixed (%s)", test.name, err, test.why)
		}
		_, err = s.SampleRelative(study, trial, space(mixed()))
		if !errors.Is(err, errStorage) || !strings.HasPrefix(err.Error(), "fm:") {
			t.Errorf("SampleRelative, %s: %v; want the storage's error, prefixed (%s)", test.name, err, test.why)
		}
		*storage = broken{Storage: storage.Storage}
		if _, err := s.Sample(study, trial, "dropout", mixed()[0].distribution); err != nil {
			t.Errorf("after %s failed once: %v", test.name, err)
		}
	}
}

// A storage that keeps the last trials only gives a sampler that knows these
// only, before and after it starts to forget.
func TestBlackHoleStorage(t *testing.T) {
	const kept = 12
	study := newStudy(t, seeded(t, 1), goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(kept)))
	optimize(t, study, ask(mixed(), mixedValue), 40)
	trials := trialsOf(t, study)
	if n := count(trials, goptuna.TrialStateComplete); n != kept {
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

// While it has room, BlackHoleStorage is as good as any other.
func TestBlackHoleStorageWithRoom(t *testing.T) {
	const seed, trials = 2, 25
	objective := ask(mixed(), mixedValue)
	want := newStudy(t, seeded(t, seed))
	optimize(t, want, objective, trials)
	study := newStudy(t, seeded(t, seed), goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(100)))
	if err := study.Optimize(objective, trials); err != nil {
		t.Fatal(err)
	}
	sameTrials(t, "BlackHoleStorage(100)", complete(trialsOf(t, study)), trialsOf(t, want))
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
