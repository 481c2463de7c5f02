package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// With the reference fit, with samples of the hyperparameters and with both, a
// study is the same when it is repeated and when it is stopped and continued,
// and different from one without.
func TestHyperparameterOptions(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const trials, stop = 28, 17
	plain := fmtest.NewStudy(t, fmtest.Seeded(t, 5))
	fmtest.Optimize(t, plain, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials)
	for name, opts := range map[string][]fm.SamplerOption{
		"reference fit":  {fm.SamplerOptionReferenceFit(true)},
		"slice sampling": {fm.SamplerOptionSliceSampling(4)},
		"both, AddLap":   {fm.SamplerOptionReferenceFit(true), fm.SamplerOptionSliceSampling(3), fm.SamplerOptionKernel(fmkernel.NewAddLap)},
	} {
		t.Run(name, func(t *testing.T) {
			log := &fmtest.Recorder{}
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...), goptuna.StudyOptionLogger(log))
			fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials)
			log.Check(t, 0, "")
			want := fmtest.TrialsOf(t, study)
			if n := fmtest.Count(want, goptuna.TrialStateComplete); n != trials {
				t.Errorf("%d trials are complete, want %d", n, trials)
			}
			if n := fmtest.Duplicates(want); n > 0 {
				t.Errorf("%d trials repeat an earlier one", n)
			}
			same := 0
			for i, trial := range fmtest.TrialsOf(t, plain) {
				if trial.InternalParams["dropout"] == want[i].InternalParams["dropout"] {
					same++
				}
			}
			if same == trials {
				t.Error("the same trials as with the default")
			}

			storage := goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage())
			first := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...), storage)
			fmtest.Optimize(t, first, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), stop)
			second := fmtest.NewStudy(t, fmtest.Seeded(t, 5, opts...), storage, goptuna.StudyOptionLoadIfExists(true))
			fmtest.Optimize(t, second, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials-stop)
			fmtest.SameTrials(t, "stopped and continued", fmtest.TrialsOf(t, second), want)
		})
	}
}

// A trial that starts from the fit of another setting would see other priors.
func TestChangeOfPriors(t *testing.T) {
	fmtest.Sequential(t)
	first := fmtest.NewStudy(t, fmtest.Seeded(t, 2))
	fmtest.Optimize(t, first, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 20)
	var studies [2]*goptuna.Study
	for i := range studies {
		studies[i] = fmtest.NewStudy(t, fmtest.Seeded(t, 2, fm.SamplerOptionReferenceFit(true)))
		for _, trial := range fmtest.TrialsOf(t, first) {
			if i == 1 {
				trial.SystemAttrs = map[string]string{}
			}
			if _, err := studies[i].Storage.CloneTrial(studies[i].ID, trial); err != nil {
				t.Fatal(err)
			}
		}
		fmtest.Optimize(t, studies[i], fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 3)
	}
	fmtest.SameTrials(t, "with other priors", fmtest.TrialsOf(t, studies[0]), fmtest.TrialsOf(t, studies[1]))
}

func TestSliceSamplingPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	fm.SamplerOptionSliceSampling(-1)
}
