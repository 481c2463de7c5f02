package sampler_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

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
			log := &recorder{}
			study := newStudy(t, seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(startup)), goptuna.StudyOptionLogger(log))
			optimize(t, study, ask([]param{{"x", goptuna.CategoricalDistribution{Choices: choices}}},
				func(x map[string]float64) float64 { return x["x"] }), len(choices))
			if n := duplicates(trialsOf(t, study)); n > 0 {
				t.Errorf("%d choices, %d start-up trials: %d of %d trials repeat one", len(choices), startup, n, len(choices))
			}
			log.check(t, 0, "")
		}
	}
}

// A grid that Goptuna can hardly check, finer than the floats at its upper end,
// costs no time.
func TestWideGridIsPlannedInTime(t *testing.T) {
	const trials, limit = 30, 5 * time.Second
	study := newStudy(t, seeded(t, 1))
	start := time.Now()
	optimize(t, study, ask([]param{
		{"x", goptuna.DiscreteUniformDistribution{Low: 0, High: 1e300, Q: 1.0 / 3}},
		{"y", goptuna.UniformDistribution{Low: 0, High: 1}},
	}, func(x map[string]float64) float64 { return sq(x["y"] - 0.3) }), trials)
	if took := time.Since(start); took > limit {
		t.Errorf("%d trials take %v, want at most %v", trials, took, limit)
	}
}

// fmError reports whether err is the sampler's own and names the parameter.
func fmError(err error, name string) bool {
	return err != nil && strings.HasPrefix(err.Error(), "fm:") && strings.Contains(err.Error(), fmt.Sprintf("%q", name))
}

// A range of ints that a database would not read back is an error that names the
// parameter, on every storage; one that it does read back is none, and the study
// stays readable.
func TestIntsThatNoDatabaseReadsAreRefused(t *testing.T) {
	for _, test := range []struct {
		low, high int
		refused   bool
	}{
		{0, math.MaxInt64, true},
		{math.MinInt64, math.MaxInt64, true},
		{math.MaxInt64 - 5000, math.MaxInt64, true},
		{0, math.MaxInt64 - 100, true}, // float64 rounds it to 2⁶³
		{0, math.MaxInt64 - 600, false},
		{math.MinInt64, 0, true},
		{math.MinInt64 + 600, 0, false},
		{-1 << 53, 1 << 53, false},
	} {
		for _, step := range []int{0, 3} {
			for _, storage := range []struct {
				name string
				opt  goptuna.StudyOption
			}{{"in memory", goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage())}, {"on SQLite", onSQLite(t)}} {
				name := fmt.Sprintf("%d … %d, step %d, %s", test.low, test.high, step, storage.name)
				study, err := goptuna.CreateStudy(studyName, goptuna.StudyOptionLogger(nil), storage.opt,
					goptuna.StudyOptionSampler(seeded(t, 1)), goptuna.StudyOptionIgnoreError(true))
				if err != nil {
					t.Fatal(err)
				}
				optimize(t, study, func(trial goptuna.Trial) (float64, error) {
					var err error
					if step > 0 {
						_, err = trial.SuggestStepInt("buffer", test.low, test.high, step)
					} else {
						_, err = trial.SuggestInt("buffer", test.low, test.high)
					}
					if test.refused && !fmError(err, "buffer") {
						t.Errorf("%s: got error %v, want one with the prefix fm: that names the parameter", name, err)
					}
					if !test.refused && err != nil {
						t.Errorf("%s: %v", name, err)
					}
					return 0, err
				}, 2)
				if trials, err := study.GetTrials(); err != nil || len(trials) != 2 {
					t.Errorf("%s: %d trials can be read, want 2: %v", name, len(trials), err)
				}
			}
		}
	}
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
		s := seeded(t, 1)
		study := newStudy(t, s)
		trial := runningTrial(t, study)
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
