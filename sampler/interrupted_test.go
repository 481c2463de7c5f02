package sampler_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// A trial that failed before it asked for all its parameters, as one does whose
// connection is lost, does not make later ones forget those.
func TestInterruptedTrial(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
	number := 0
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		number++
		a, err := trial.SuggestFloat("a", 0, 1)
		if err != nil {
			return 0, err
		}
		if number == 3 || number == 14 {
			return 0, errors.New("interrupted")
		}
		if number > 1 {
			attrs, err := trial.GetSystemAttrs()
			if err != nil {
				return 0, err
			}
			if !strings.Contains(attrs["fm:plan:0"], `"b":`) {
				t.Errorf("trial %d: the plan made for a does not cover b: %q", number, attrs["fm:plan:0"])
			}
		}
		b, err := trial.SuggestFloat("b", 0, 1)
		return sq(a-0.2) + sq(b-0.6), err
	}, 25)
}

// What a trial was to evaluate and did not, since it could not ask for all its
// parameters, is no failure of the configuration: it comes again.
func TestInterruptedConfiguration(t *testing.T) {
	const complete = 12 // all there are
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(3)), goptuna.StudyOptionIgnoreError(true))
	objective := func(trial goptuna.Trial) (float64, error) {
		a, err := trial.SuggestCategorical("a", []string{"p", "q", "r", "s"})
		if err != nil {
			return 0, err
		}
		trials, err := trial.Study.GetTrials()
		if err != nil {
			return 0, err
		}
		if len(trials)%2 == 0 {
			return 0, errors.New("interrupted")
		}
		b, err := trial.SuggestInt("b", 1, 3)
		return float64(len(a) + b), err
	}
	fmtest.Optimize(t, study, objective, 2*complete)
	var finished []goptuna.FrozenTrial
	for _, trial := range fmtest.TrialsOf(t, study) {
		if trial.State == goptuna.TrialStateComplete {
			finished = append(finished, trial)
		}
	}
	if n := fmtest.Duplicates(finished); n > 0 || len(finished) != complete {
		t.Errorf("%d complete trials, %d of them repeat an earlier one; want %d and none", len(finished), n, complete)
	}
}
