package sampler_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// What a dead worker was to evaluate comes again, as in memory.
func TestLostTrialComesAgain(t *testing.T) {
	level := fmtest.Param{Name: "level", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}}
	run := func(storage goptuna.Storage) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionRunningTimeout(50*time.Millisecond)), goptuna.StudyOptionStorage(storage))
		lost := fmtest.RunningTrial(t, study)
		if _, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: lost.ID}, level); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
		fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{level}, func(x map[string]float64) float64 { return x["level"] }), 4)
		return fmtest.TrialsOf(t, study)
	}
	got := run(dbtest.New(t, dbtest.SQLite).Open(t))
	fmtest.SameTrials(t, "on SQLite", got, run(goptuna.NewInMemoryStorage()))
	if n := fmtest.Duplicates(got[1:]); n != 0 {
		t.Errorf("%d of four trials repeat another one, and there are four values", n)
	}
}

// A trial that waited when a worker read the history may have a plan by now.
func TestWaitingTrialIsSeen(t *testing.T) {
	var params []fmtest.Param
	for _, name := range []string{"x", "y"} {
		params = append(params, fmtest.Param{Name: name, Distribution: goptuna.IntUniformDistribution{Low: 0, High: 5}})
	}
	objective := fmtest.Ask(params, func(x map[string]float64) float64 { return x["x"] * x["y"] })
	storage := &interposed{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
	study, colleague := join(t, storage), join(t, storage.Storage)
	fmtest.Optimize(t, study, objective, 14)
	for range 8 {
		own := fmtest.RunningTrial(t, study)
		fmtest.Enqueue(t, study, nil)
		storage.between = func() { fmtest.Optimize(t, colleague, objective, 1) }
		if _, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: own.ID}, params...); err != nil {
			t.Fatal(err)
		}
		if err := storage.SetTrialState(own.ID, goptuna.TrialStateFail); err != nil {
			t.Fatal(err)
		}
	}
	checkTrials(t, fmtest.TrialsOf(t, study), 14+2*8)
}

// A configuration that is enqueued while a worker plans it is left to that trial, which does
// not look what others plan.
func TestEnqueuedMeanwhile(t *testing.T) {
	level := fmtest.Param{Name: "level", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 9}}
	suggest := func(enqueued map[string]float64) map[string]float64 {
		storage := &interposed{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
		study := join(t, storage)
		fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{level}, func(x map[string]float64) float64 { return x["level"] }), 3)
		own := fmtest.RunningTrial(t, study)
		if enqueued != nil {
			storage.between = func() { fmtest.Enqueue(t, study, enqueued) }
		}
		x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: own.ID}, level)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	alone := suggest(nil)
	if beside := suggest(alone); beside["level"] == alone["level"] {
		t.Errorf("%v is suggested, and enqueued", beside)
	}
}

// Goptuna creates a study, and then sets its direction. A worker that looks in between
// takes it for one that is minimised.
func TestDirectionIsTheStorages(t *testing.T) {
	storage := dbtest.New(t, dbtest.SQLite).Open(t)
	id, err := storage.CreateNewStudy(fmtest.StudyName)
	if err != nil {
		t.Fatal(err)
	}
	study := join(t, storage)
	if err := storage.SetStudyDirection(id, goptuna.StudyDirectionMaximize); err != nil {
		t.Fatal(err)
	}
	x := fmtest.Param{Name: "x", Distribution: goptuna.UniformDistribution{High: 1}}
	fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{x}, func(x map[string]float64) float64 { return x["x"] }), 20)
	if best := fmtest.Best(t, study); best < 0.99 {
		t.Errorf("best value %v, want 1", best)
	}
}

// What two workers plan at the same moment is not nearly the same, unless one of them wants it
// that near to what it knows the other to plan, as at the optimum.
func TestPlansOfOneMomentDiffer(t *testing.T) {
	var params []fmtest.Param
	for _, name := range []string{"x", "y", "z"} {
		params = append(params, fmtest.Param{Name: name, Distribution: goptuna.UniformDistribution{Low: 0, High: 1}})
	}
	value := func(x map[string]float64) float64 {
		return math.Pow(x["x"]-0.3, 2) + math.Pow(x["y"]-0.6, 2) + math.Pow(x["z"]-0.8, 2)
	}
	storage := &interposed{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
	study, colleague := join(t, storage), join(t, storage.Storage)
	fmtest.Optimize(t, study, fmtest.Ask(params, value), 12)
	near := 0
	for range 8 {
		first, second := fmtest.RunningTrial(t, study), fmtest.RunningTrial(t, study)
		suggest := func(study *goptuna.Study, id int) map[string]float64 {
			x, err := fmtest.Suggest(&goptuna.Trial{Study: study, ID: id}, params...)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		var theirs map[string]float64
		storage.between = func() { theirs = suggest(colleague, first.ID) }
		ours := suggest(study, second.ID)
		far := 0.0
		for name, x := range ours {
			far = max(far, math.Abs(x-theirs[name]))
		}
		if far <= 0.02 {
			near++
		}
		for id, x := range map[int]map[string]float64{first.ID: theirs, second.ID: ours} {
			if err := errors.Join(storage.SetTrialValue(id, value(x)), storage.SetTrialState(id, goptuna.TrialStateComplete)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if near > 3 {
		t.Errorf("%d of 8 pairs are nearly the same", near)
	}
}
