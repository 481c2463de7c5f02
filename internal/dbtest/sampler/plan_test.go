package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A plan of any length is stored in pieces, and whoever asks next, on any
// worker, is answered from it: reading it back costs no history and no model.
func TestWidePlanIsStoredAndRead(t *testing.T) {
	fmtest.Sequential(t)
	storage := &fmtest.Counting{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(2)), goptuna.StudyOptionStorage(storage))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Wide(), fmtest.WideValue), 3)
	trial := fmtest.TrialsOf(t, study)[2]
	if n := len(fmtest.PlanOf(t, trial)); n < 5 {
		t.Errorf("the plan has %d pieces; this test wants several", n)
	}
	// A new sampler for each question stands for another worker, or for the same
	// after a restart.
	other := fmtest.RunningTrial(t, study)
	storage.Reads.Store(0)
	storage.Writes.Store(0)
	first := map[string]float64{}
	for pass := range 2 {
		for i, p := range fmtest.Wide() {
			if pass > 0 && i%10 > 0 {
				continue
			}
			frozen, err := storage.GetTrial(other.ID)
			if err != nil {
				t.Fatal(err)
			}
			value, err := fm.NewSampler(fm.SamplerOptionNumberOfStartupTrials(2), fm.SamplerOptionSeed(1)).Sample(study, frozen, p.Name, p.Distribution)
			if err != nil {
				t.Fatal(err)
			}
			if was, ok := first[p.Name]; ok && was != value {
				t.Errorf("%s was %v, and is %v", p.Name, was, value)
			}
			first[p.Name] = value
		}
	}
	if n := storage.Reads.Load(); n != 1 {
		t.Errorf("110 samplers read all trials %d times, want once", n)
	}
	frozen, err := storage.GetTrial(other.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n, pieces := storage.Writes.Load(), len(fmtest.PlanOf(t, frozen)); n != int64(pieces) {
		t.Errorf("%d attributes were written for a plan of %d pieces", n, pieces)
	}
}
