package sampler_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Numeric choices are told apart however near they are on the scale of the
// others: all come up before any is repeated.
func TestNearNumbersAreDifferentChoices(t *testing.T) {
	many := []string{"-1e17", "1e17"}
	for i := range 22 {
		many = append(many, fmt.Sprint(i))
	}
	for _, choices := range [][]string{
		{"0", "1", "1e17", "-1e17"},
		{"1", "2", "3", "1e300"},
		many,
	} {
		for _, startup := range []int{3, 100} {
			log := &fmtest.Recorder{}
			study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(startup)), goptuna.StudyOptionLogger(log))
			fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{{Name: "x", Distribution: goptuna.CategoricalDistribution{Choices: choices}}},
				func(x map[string]float64) float64 { return x["x"] }), len(choices))
			if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
				t.Errorf("%d choices, %d start-up trials: %d of %d trials repeat one", len(choices), startup, n, len(choices))
			}
			log.Check(t, 0, "")
		}
	}
}

// Numbers that are near each other beside the largest one are told apart, also where one
// of them is 0 and has no logarithm.
func TestZeroAmongPowers(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const seeds, trials = 6, 40
	limits := []string{"0", "1", "2", "9999999"}
	costs := map[string]float64{"0": 0.5, "1": 0.3, "2": 0, "9999999": 0.4}
	for seed := range int64(seeds) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			clients, err := trial.SuggestCategorical("clients", limits)
			if err != nil {
				return 0, err
			}
			retries, err := trial.SuggestCategorical("retries", limits)
			if err != nil {
				return 0, err
			}
			x, err := trial.SuggestFloat("x", 0, 1)
			return costs[clients] + costs[retries] + sq(x-0.3), err
		}, trials)
		best := fmtest.Best(t, study)
		t.Logf("seed %d: best value %.2g", seed, best)
		if best > 1e-3 {
			t.Errorf("seed %d: best value %.2g, want at most 0.001", seed, best)
		}
	}
}

// A grid that Goptuna can hardly check, finer than the floats at its upper end,
// does not hold a trial up: it took half a second each.
func TestWideGridIsPlannedInTime(t *testing.T) {
	fmtest.Sequential(t)
	timely(t, "wide grid", fmtest.NewStudy(t, fmtest.Seeded(t, 1)), fmtest.Ask([]fmtest.Param{
		{Name: "x", Distribution: goptuna.DiscreteUniformDistribution{Low: 0, High: 1e300, Q: 1.0 / 3}},
		{Name: "y", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
	}, func(x map[string]float64) float64 { return sq(x["y"] - 0.3) }), 30)
}

// fmError reports whether err is the sampler's own and names the parameter.
func fmError(err error, name string) bool {
	return err != nil && strings.HasPrefix(err.Error(), "fm:") && strings.Contains(err.Error(), fmt.Sprintf("%q", name))
}

// A range that makes no sense is an error that names the parameter wherever the
// sampler is asked, one by one or for a defined space, before anything of the
// trial is stored.
func TestSenselessRangesNameTheParameter(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, distribution := range []any{
		goptuna.UniformDistribution{Low: 2, High: 1},
		goptuna.UniformDistribution{Low: nan, High: 1},
		goptuna.UniformDistribution{Low: 0, High: inf},
		goptuna.UniformDistribution{Low: inf, High: inf},
		goptuna.LogUniformDistribution{Low: 0, High: 1},
		goptuna.LogUniformDistribution{Low: -1, High: 1},
		goptuna.LogUniformDistribution{Low: 2, High: 1},
		goptuna.LogUniformDistribution{Low: 1, High: nan},
		goptuna.IntUniformDistribution{Low: 2, High: 1},
		goptuna.StepIntUniformDistribution{Low: 2, High: 1, Step: 1},
		goptuna.StepIntUniformDistribution{Low: 0, High: 9, Step: 0},
		goptuna.StepIntUniformDistribution{Low: 0, High: 9, Step: -2},
		goptuna.DiscreteUniformDistribution{Low: 1, High: 0, Q: 0.1},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: -0.1},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: nan},
		goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: inf},
		goptuna.DiscreteUniformDistribution{Low: -inf, High: 1, Q: 1},
		goptuna.CategoricalDistribution{},
		"no distribution",
	} {
		s := fmtest.Seeded(t, 1)
		study := fmtest.NewStudy(t, s)
		trial := fmtest.RunningTrial(t, study)
		var one, joint error
		if err := recovered(func() error {
			_, one = s.Sample(study, trial, "width", distribution)
			_, joint = s.SampleRelative(study, trial, map[string]any{"width": distribution})
			return nil
		}); err != nil {
			t.Errorf("%#v: %v", distribution, err)
		}
		for _, err := range []error{one, joint} {
			if !fmError(err, "width") {
				t.Errorf("%#v: got error %v, want one with the prefix fm: that names the parameter", distribution, err)
			}
			if _, text := distribution.(string); text && !errors.Is(err, goptuna.ErrUnknownDistribution) {
				t.Errorf("%#v: %v is not goptuna.ErrUnknownDistribution", distribution, err)
			}
		}
	}
}
