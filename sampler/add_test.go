package sampler_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func TestAddTrial(t *testing.T) {
	fmtest.Sequential(t)
	fmtest.CheckAdded(t, fmtest.InMemory)
}

// Nonsense is an error that names the parameter, and adds nothing.
func TestAddTrialErrors(t *testing.T) {
	kinds := goptuna.CategoricalDistribution{Choices: []string{"a", "b"}}
	for _, test := range []struct {
		name         string
		value        any
		distribution any
		want         string
	}{
		{"no distribution", 1.0, nil, "no distribution"},
		{"no such choice", "c", kinds, "c (string)"},
		{"the index of a choice", 1, kinds, "1 (int)"},
		{"a text for a number", "1", goptuna.UniformDistribution{High: 1}, "1 (string), which is not a number from 0 to 1"},
		{"out of range", 2.0, goptuna.UniformDistribution{High: 1}, "2 (float64)"},
		{"NaN", math.NaN(), goptuna.UniformDistribution{High: 1}, "NaN"},
		{"a range that makes no sense", 1.0, goptuna.LogUniformDistribution{Low: -1, High: 1}, "lower end must be positive"},
		{"between the steps", 0.3, goptuna.DiscreteUniformDistribution{High: 1, Q: 0.25}, "0.3 (float64)"},
		{"between integers", 2.5, goptuna.IntUniformDistribution{High: 3}, "2.5 (float64)"},
		{"between integers with a step", 7, goptuna.StepIntUniformDistribution{High: 10, Step: 5}, "7 (int)"},
		{"between large integers", 2e9 + 0.5, goptuna.IntUniformDistribution{High: 3e9}, "(float64)"},
		{"off a large step", 3_000_000_001, goptuna.StepIntUniformDistribution{High: 4e9, Step: 2}, "3000000001 (int)"},
		{"a pointer", 0.5, &goptuna.UniformDistribution{High: 1}, "unknown distribution"},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		distributions := map[string]any{}
		if test.distribution != nil {
			distributions["x"] = test.distribution
		}
		params := map[string]any{"x": test.value}
		for _, err := range []error{fm.AddTrial(study, 1, params, distributions), fm.EnqueueTrial(study, params, distributions)} {
			if err == nil || !strings.HasPrefix(err.Error(), `fm: parameter "x"`) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.name, err, test.want)
			}
		}
		if n := len(fmtest.TrialsOf(t, study)); n != 0 {
			t.Errorf("%s: %d trials were added", test.name, n)
		}
	}
	if err := fm.AddTrial(fmtest.NewStudy(t, fmtest.Seeded(t, 1)), 1,
		map[string]any{"x": 0.5}, map[string]any{"x": &goptuna.UniformDistribution{High: 1}}); !errors.Is(err, goptuna.ErrUnknownDistribution) {
		t.Error(err)
	}
}

// So is no study, as goptuna.CreateStudy returns with an error.
func TestAddTrialToNoStudy(t *testing.T) {
	for _, err := range []error{fm.AddTrial(nil, 1, nil, nil), fm.EnqueueTrial(nil, nil, nil)} {
		if err == nil || !strings.HasPrefix(err.Error(), "fm: the study is nil") {
			t.Error(err)
		}
	}
}

// The last value of a grid of floats is accepted as the objective gets it, after rounding.
// A value farther beyond the end is refused.
func TestAddTrialUpperEndOfGrid(t *testing.T) {
	for _, d := range []goptuna.DiscreteUniformDistribution{
		{Low: 0, High: 0.7, Q: 0.1}, {Low: 0.1, High: 0.3, Q: 0.1}, {Low: -1, High: 0.3, Q: 0.05}, {Low: 0, High: 1e6, Q: 0.01}, {Low: 0, High: 1, Q: 0.25},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		distributions := map[string]any{"x": d}
		last := d.ToExternalRepr(d.High)
		for _, err := range []error{
			fm.AddTrial(study, 1, map[string]any{"x": last}, distributions), fm.EnqueueTrial(study, map[string]any{"x": last}, distributions),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) { return trial.SuggestDiscreteFloat("x", d.Low, d.High, d.Q) }, 1)
		for _, trial := range fmtest.TrialsOf(t, study) {
			if trial.InternalParams["x"] != d.High || trial.Params["x"] != last {
				t.Errorf("%+v: trial %d has %v and %v, want %v", d, trial.Number, trial.InternalParams, trial.Params, last)
			}
		}
		for _, outside := range []float64{d.High + 1e-3*d.Q, d.High + d.Q, d.Low - 1e-3*d.Q} {
			if err := fm.AddTrial(study, 1, map[string]any{"x": outside}, distributions); err == nil {
				t.Errorf("%+v: %v was added", d, outside)
			}
		}
	}
}

// The next trial has the values that it was enqueued with, by their names.
func TestEnqueueTrial(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	distributions := fmtest.Space(fmtest.Mixed())
	if err := fm.EnqueueTrial(study, map[string]any{"kind": "gelu", "units": 40, "rate": 0.01}, distributions); err != nil {
		t.Fatal(err)
	}
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 1)
	trials := fmtest.TrialsOf(t, study)
	if params := trials[0].Params; len(trials) != 1 || len(params) != len(distributions) ||
		params["kind"] != "gelu" || params["units"] != 40 || params["rate"] != 0.01 {
		t.Errorf("trials %+v", trials)
	}
}

// A choice that is another one in the objective, which has its choices in another order, is a
// warning; Goptuna's own trials have no text to compare with.
func TestEnqueueTrialOfReorderedChoices(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
	distributions := map[string]any{"a": goptuna.CategoricalDistribution{Choices: []string{"x", "y", "z"}}, "b": goptuna.CategoricalDistribution{Choices: []string{"x", "y"}}}
	if err := errors.Join(
		fm.EnqueueTrial(study, map[string]any{"a": "y", "b": "x"}, distributions),
		study.EnqueueTrial(map[string]float64{"a": 1}),
	); err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		_, err := trial.SuggestCategorical("a", []string{"x", "z", "y"})
		if err == nil {
			_, err = trial.SuggestCategorical("b", []string{"x", "y"})
		}
		return 1, err
	}, 2); err != nil {
		t.Fatal(err)
	}
	log.Check(t, 1, `"a" was to be "y" and is z: the objective has its choices in another order`)
}

// A choice that is not UTF-8, which JSON has as another one, is the one that was enqueued.
func TestEnqueueTrialOfChoiceNotInUTF8(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
	choices := []string{"x", "\xff"}
	if err := fm.EnqueueTrial(study, map[string]any{"a": "\xff"}, map[string]any{"a": goptuna.CategoricalDistribution{Choices: choices}}); err != nil {
		t.Fatal(err)
	}
	if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		_, err := trial.SuggestCategorical("a", choices)
		return 1, err
	}, 1); err != nil {
		t.Fatal(err)
	}
	log.Check(t, 0, "")
}

// Goptuna keeps enqueued values as JSON, which has no names that are not UTF-8: such a value
// would be passed over without a word.
func TestEnqueueTrialNameInUTF8(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	name := "caf\xe9"
	params, distributions := map[string]any{name: 0.5}, map[string]any{name: goptuna.UniformDistribution{High: 1}}
	if err := fm.EnqueueTrial(study, params, distributions); err == nil || !strings.HasPrefix(err.Error(), `fm: parameter "caf\xe9"`) {
		t.Errorf("error %v", err)
	}
	if n := len(fmtest.TrialsOf(t, study)); n != 0 {
		t.Errorf("%d trials were enqueued", n)
	}
}

// Trials that were cloned with the values that an objective gets only are as good
// as others; without distributions they are left out.
func TestClonedWithoutInternalParams(t *testing.T) {
	fmtest.Sequential(t)
	finished := fmtest.Finished(t, 20)
	run := func(change func(*goptuna.FrozenTrial)) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()))
		for _, trial := range finished {
			change(&trial)
			if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
				t.Fatal(err)
			}
		}
		fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 14)
		return fmtest.TrialsOf(t, study)[len(finished):]
	}
	want := run(func(*goptuna.FrozenTrial) {})
	fmtest.SameTrials(t, "without internal values", run(func(trial *goptuna.FrozenTrial) { trial.InternalParams = nil }), want)
	run(func(trial *goptuna.FrozenTrial) { trial.InternalParams, trial.Distributions = nil, nil }) // must work
}

// Numbers may have any type: they come from files, databases and other studies.
func TestAddTrialNumbers(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	distributions := map[string]any{"x": goptuna.UniformDistribution{High: 2}, "n": goptuna.IntUniformDistribution{High: 2}}
	for _, one := range []any{1, int8(1), int64(1), uint(1), uint32(1), float32(1), 1.0} {
		if err := fm.AddTrial(study, 1, map[string]any{"x": one, "n": one}, distributions); err != nil {
			t.Errorf("%T: %v", one, err)
		}
	}
	for _, trial := range fmtest.TrialsOf(t, study) {
		if trial.Params["x"] != 1.0 || trial.Params["n"] != 1 {
			t.Errorf("trial %d has %#v", trial.Number, trial.Params)
		}
	}
}
