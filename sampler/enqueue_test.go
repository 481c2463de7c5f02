package sampler_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func TestEnqueuedWhole(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	first := map[string]float64{"dropout": 0.25, "rate": 1e-5, "units": 64, "layers": 11, "momentum": 1, "kind": 2}
	fmtest.Enqueue(t, study, first)
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 15)
	later := map[string]float64{"dropout": 2, "rate": 1, "units": 1, "layers": 2, "momentum": 0, "kind": 0}
	fmtest.Enqueue(t, study, later)
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 1)
	trials := fmtest.TrialsOf(t, study)
	if got := trials[0].InternalParams; !maps.Equal(got, first) {
		t.Errorf("trial 0 has %v, enqueued were %v", got, first)
	}
	if got := trials[15].InternalParams; !maps.Equal(got, later) {
		t.Errorf("trial 15 has %v, enqueued were %v", got, later)
	}
}

// A parameter that Goptuna answers by itself may have a range that the sampler refuses.
func TestEnqueuedInARefusedRange(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	for range 3 {
		fmtest.Enqueue(t, study, map[string]float64{"k": 5})
	}
	fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{
		{Name: "k", Distribution: goptuna.IntUniformDistribution{Low: 0, High: math.MaxInt64}},
		{Name: "x", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
	}, func(x map[string]float64) float64 { return x["x"] }), 3)
	if trials := fmtest.TrialsOf(t, study); fmtest.Count(trials, goptuna.TrialStateComplete) != 3 || fmtest.Duplicates(trials) > 0 {
		t.Errorf("trials %+v", trials)
	}
}

// What an enqueued trial leaves open is planned given what it fixes, once, even
// if the objective asks for the fixed parameters last.
func TestEnqueuedInPart(t *testing.T) {
	fmtest.Sequential(t)
	fixed := map[string]float64{"kind": 0, "layers": 11, "rate": 0.5}
	last := fmtest.Mixed()
	slices.Reverse(last) // kind and layers come first
	for _, test := range []struct {
		name     string
		params   []fmtest.Param
		relative bool
	}{
		{"rate asked for second", fmtest.Mixed(), false},
		{"kind asked for first", last, false},
		{"relative", fmtest.Mixed(), true},
	} {
		s := fmtest.Seeded(t, 2)
		storage := &fmtest.Counting{Storage: goptuna.NewInMemoryStorage()}
		opts := []goptuna.StudyOption{goptuna.StudyOptionStorage(storage)}
		if test.relative {
			opts = append(opts, goptuna.StudyOptionRelativeSampler(s), goptuna.StudyOptionDefineSearchSpace(fmtest.Space(fmtest.Mixed())))
		}
		study := fmtest.NewStudy(t, s, opts...)
		objective := fmtest.Ask(test.params, fmtest.MixedValue)
		for i := range 4 {
			fmtest.Enqueue(t, study, fixed)
			storage.Writes.Store(0)
			fmtest.Optimize(t, study, objective, 1)
			if n := storage.Writes.Load(); i > 0 && n != 1 {
				t.Errorf("%s: an enqueued trial was planned %d times, want once", test.name, n)
			}
			fmtest.Optimize(t, study, objective, 5)
		}
		for i, trial := range fmtest.TrialsOf(t, study) {
			for name, want := range fixed {
				if got := trial.InternalParams[name]; i%6 == 0 && got != want {
					t.Errorf("%s, trial %d: %s = %v, enqueued with %v", test.name, i, name, got, want)
				}
			}
		}
	}
}

// With a separable objective the best of the rest is the same whatever is
// fixed. The plan knows it, also where no trial can beat the best one so far.
func TestEnqueuedPlanIsGood(t *testing.T) {
	fmtest.Sequential(t)
	fixed := []map[string]float64{{"kind": 0}, {"kind": 2}, {"dropout": 0.8}, {"kind": 2, "dropout": 1}}
	free := func(trial goptuna.FrozenTrial) float64 {
		x := maps.Clone(trial.InternalParams)
		x["kind"], x["dropout"] = 1, 0.3 // where they add nothing
		return fmtest.MixedValue(x)
	}
	var startup, enqueued []float64
	for seed := range int64(3) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 40)
		for _, values := range fixed {
			fmtest.Enqueue(t, study, values)
		}
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), len(fixed))
		for i, trial := range fmtest.TrialsOf(t, study) {
			switch {
			case i < 10:
				startup = append(startup, free(trial))
			case i >= 40:
				enqueued = append(enqueued, free(trial))
			}
		}
	}
	slices.Sort(startup)
	slices.Sort(enqueued)
	if got, bar := enqueued[len(enqueued)/2], 0.2*startup[len(startup)/2]; got > bar {
		t.Errorf("what was left open adds %.3g to the objective, %.3g during start-up; want a median of at most a fifth", enqueued, startup)
	}
}

// Goptuna ignores a fixed value outside the distribution, and takes whatever
// Contains lets through, rounded for the objective.
func TestEnqueuedOddValues(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct {
		name  string
		fixed map[string]float64
		kept  bool
		why   string
	}{
		{"above the range", map[string]float64{"units": 1000}, false, "not contained"},
		{"below a log range", map[string]float64{"rate": -1}, false, "not contained"},
		{"choice that does not exist", map[string]float64{"kind": 3}, false, "not contained"},
		{"off the grid", map[string]float64{"momentum": 0.3}, false, "not contained"},
		{"unknown parameter", map[string]float64{"colour": 1}, false, "never asked for"},
		{"fractional int on a dimension", map[string]float64{"units": 2.3}, true, "Contains rounds to 2"},
		{"fractional int on a path", map[string]float64{"layers": 5.9}, true, "Contains cuts off to 5"},
		{"fraction of a choice", map[string]float64{"kind": 1.9}, true, "Contains cuts off to 1"},
		{"negative fraction of a choice", map[string]float64{"kind": -0.5}, true, "Contains cuts off to 0"},
		{"nearly on the grid", map[string]float64{"momentum": 0.2500004}, true, "Contains allows 1e-6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 4))
			objective := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)
			for range 2 { // during start-up and after it
				fmtest.Enqueue(t, study, test.fixed)
				fmtest.Optimize(t, study, objective, 12)
			}
			trials := fmtest.TrialsOf(t, study)
			if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != 24 {
				t.Errorf("%d trials are complete, want 24", n)
			}
			for _, i := range []int{0, 12} {
				for name, value := range test.fixed {
					if got, ok := trials[i].InternalParams[name]; ok && (got == value) != test.kept {
						t.Errorf("trial %d: %s = %v, enqueued with %v (%s)", i, name, got, value, test.why)
					}
				}
			}
		})
	}
}

// A fixed value out of range does not take the others with it.
func TestEnqueuedPartlyOutside(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5))
	objective := fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)
	fmtest.Optimize(t, study, objective, 12)
	fmtest.Enqueue(t, study, map[string]float64{"units": -5, "kind": 2, "dropout": 1.75})
	fmtest.Optimize(t, study, objective, 3)
	got := fmtest.TrialsOf(t, study)[12].InternalParams
	if got["kind"] != 2 || got["dropout"] != 1.75 {
		t.Errorf("got %v, enqueued were kind 2 and dropout 1.75", got)
	}
}

// An enqueued value of a parameter that only some branches have leads there.
func TestEnqueuedInBranch(t *testing.T) {
	fmtest.Sequential(t)
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
	fmtest.Optimize(t, study, tree, 25)
	fmtest.Enqueue(t, study, map[string]float64{"depth": 9})
	fmtest.Enqueue(t, study, map[string]float64{"decay": 0.25})
	fmtest.Enqueue(t, study, map[string]float64{"kind": 0, "decay": 0.25})
	fmtest.Optimize(t, study, tree, 3)
	trials := fmtest.TrialsOf(t, study)[25:]
	for i, want := range []map[string]any{
		{"kind": "forest", "depth": 9},
		{"kind": "network", "decay": 0.25},
		{"kind": "linear"},
	} {
		for name, value := range want {
			if trials[i].Params[name] != value {
				t.Errorf("trial %d: %s is %v, want %v of all %v", i, name, trials[i].Params[name], value, trials[i].Params)
			}
		}
	}
	if len(trials[2].Params) != 1 {
		t.Errorf("trial 2 has %v, want the one parameter that its branch has", trials[2].Params)
	}
}

// Who asks while trials run that were enqueued with all their values gets others.
func TestEnqueuedAreNotRepeated(t *testing.T) {
	choices := []string{"a", "b", "c", "d"}
	params := []fmtest.Param{
		{Name: "x", Distribution: goptuna.CategoricalDistribution{Choices: choices}},
		{Name: "y", Distribution: goptuna.CategoricalDistribution{Choices: choices}},
	}
	for seed := range int64(10) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		objective := fmtest.Ask(params, func(x map[string]float64) float64 { return x["x"] + x["y"] })
		run := func(trials, workers int) {
			t.Helper()
			err := fm.Optimize(context.Background(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
				defer time.Sleep(time.Millisecond)
				return objective(trial)
			}, trials, fm.OptimizeOptionWorkers(workers))
			if err != nil {
				t.Fatal(err)
			}
		}
		run(6, 1)
		tried := map[[2]float64]bool{}
		for _, trial := range fmtest.TrialsOf(t, study) {
			tried[[2]float64{trial.InternalParams["x"], trial.InternalParams["y"]}] = true
		}
		for i, enqueued := 0, 0; enqueued < 3; i++ {
			if at := [2]float64{float64(i % 4), float64(i / 4)}; !tried[at] {
				fmtest.Enqueue(t, study, map[string]float64{"x": at[0], "y": at[1]})
				enqueued++
			}
		}
		run(10, 4)
		if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
			t.Errorf("seed %d: %d of 16 configurations were repeated in as many trials", seed, n)
		}
	}
}
