package sampler_test

import (
	"path/filepath"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// With the reference fit, with samples of the hyperparameters and with both, a
// study is the same when it is repeated and when it is stopped and continued,
// and different from one without.
func TestHyperparameterOptions(t *testing.T) {
	const trials, stop = 28, 17
	plain := newStudy(t, seeded(t, 5))
	optimize(t, plain, ask(mixed(), mixedValue), trials)
	for name, opts := range map[string][]fm.SamplerOption{
		"reference fit":  {fm.SamplerOptionReferenceFit(true)},
		"slice sampling": {fm.SamplerOptionSliceSampling(4)},
		"both, AddLap":   {fm.SamplerOptionReferenceFit(true), fm.SamplerOptionSliceSampling(3), fm.SamplerOptionKernel(fmkernel.NewAddLap)},
	} {
		t.Run(name, func(t *testing.T) {
			log := &recorder{}
			study := newStudy(t, seeded(t, 5, opts...), goptuna.StudyOptionLogger(log))
			optimize(t, study, ask(mixed(), mixedValue), trials)
			log.check(t, 0, "")
			want := trialsOf(t, study)
			if n := count(want, goptuna.TrialStateComplete); n != trials {
				t.Errorf("%d trials are complete, want %d", n, trials)
			}
			if n := duplicates(want); n > 0 {
				t.Errorf("%d trials repeat an earlier one", n)
			}
			same := 0
			for i, trial := range trialsOf(t, plain) {
				if trial.InternalParams["dropout"] == want[i].InternalParams["dropout"] {
					same++
				}
			}
			if same == trials {
				t.Error("the same trials as with the default")
			}

			file := filepath.Join(t.TempDir(), "study.db")
			first := newStudy(t, seeded(t, 5, opts...), goptuna.StudyOptionStorage(sqliteStorage(t, file)))
			optimize(t, first, ask(mixed(), mixedValue), stop)
			second := newStudy(t, seeded(t, 5, opts...), goptuna.StudyOptionStorage(sqliteStorage(t, file)), goptuna.StudyOptionLoadIfExists(true))
			optimize(t, second, ask(mixed(), mixedValue), trials-stop)
			sameTrials(t, "stopped and continued", trialsOf(t, second), want)
		})
	}
}

// A trial that starts from the fit of another setting would see other priors.
func TestChangeOfPriors(t *testing.T) {
	first := newStudy(t, seeded(t, 2))
	optimize(t, first, ask(mixed(), mixedValue), 20)
	var studies [2]*goptuna.Study
	for i := range studies {
		studies[i] = newStudy(t, seeded(t, 2, fm.SamplerOptionReferenceFit(true)))
		for _, trial := range trialsOf(t, first) {
			if i == 1 {
				trial.SystemAttrs = map[string]string{}
			}
			if _, err := studies[i].Storage.CloneTrial(studies[i].ID, trial); err != nil {
				t.Fatal(err)
			}
		}
		optimize(t, studies[i], ask(mixed(), mixedValue), 3)
	}
	sameTrials(t, "with other priors", trialsOf(t, studies[0]), trialsOf(t, studies[1]))
}

func TestSliceSamplingPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	fm.SamplerOptionSliceSampling(-1)
}
