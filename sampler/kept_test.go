package sampler_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// A sampler that many studies use one after another keeps none of them in memory
// but the last: neither what it has warned of nor what it has computed.
func TestSamplerReleasesStudies(t *testing.T) {
	const studies = 8
	s := fmtest.Seeded(t, 1)
	var released atomic.Int32
	run := func() {
		storage := goptuna.NewInMemoryStorage()
		study, err := goptuna.CreateStudy(fmtest.StudyName, goptuna.StudyOptionStorage(storage),
			goptuna.StudyOptionSampler(s), goptuna.StudyOptionLogger(&fmtest.Recorder{}))
		if err != nil {
			t.Fatal(err)
		}
		// More trials than configurations: there is something to warn of.
		fmtest.Optimize(t, study, fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] }), 15)
		runtime.AddCleanup(study, func(int) { released.Add(1) }, 0)
	}
	for range studies {
		run()
	}
	for range 20 { // cleanups run some time after a collection
		runtime.GC()
		if released.Load() >= studies-1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d of %d studies are released, want all but the last", released.Load(), studies)
	runtime.KeepAlive(s)
}

// A warning is logged once in a study, however many studies ask in turn.
func TestWarnsOnceInEachOfManyStudies(t *testing.T) {
	const studies = 12
	s := fmtest.Seeded(t, 1)
	var all []*goptuna.Study
	var logs []*fmtest.Recorder
	for range studies {
		log := &fmtest.Recorder{}
		logs = append(logs, log)
		all = append(all, fmtest.NewStudy(t, s, goptuna.StudyOptionLogger(log)))
	}
	for range 12 { // there are six configurations
		for _, study := range all {
			fmtest.Optimize(t, study, fmtest.Ask(small(), func(x map[string]float64) float64 { return x["b"] }), 1)
		}
	}
	for _, log := range logs {
		log.Check(t, 1, "every configuration")
	}
}

// Storage that gives the ids of trials again, as after a restored backup, has other trials
// by them. In memory the deletion of a study does that.
func TestIDsGivenAgain(t *testing.T) {
	run := func(study *goptuna.Study, sign float64) []goptuna.FrozenTrial {
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 { return sign * fmtest.MixedValue(x) }), 20)
		return fmtest.TrialsOf(t, study)
	}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	run(study, -1)
	if err := study.Storage.DeleteStudy(study.ID); err != nil {
		t.Fatal(err)
	}
	fmtest.SameTrials(t, "after another study with the same ids", run(study, 1), run(fmtest.NewStudy(t, fmtest.Seeded(t, 1)), 1))
}
