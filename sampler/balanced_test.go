package sampler_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// During start-up each of a few values has its turn before one comes again, also
// those of a parameter that only some trials have. Where trials fail, whether a value
// is to blame or not, it may come once less, or more.
func TestStartupIsBalanced(t *testing.T) {
	for _, fails := range []bool{false, true} {
		testBalance(t, fails)
	}
}

func testBalance(t *testing.T, fails bool) {
	tolerance := 0
	if fails {
		tolerance = 1
	}
	failure := errors.New("failed")
	choices := []string{"a", "b", "c", "d", "e", "f"}
	for seed := range int64(5) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed, fm.SamplerOptionNumberOfStartupTrials(100)), goptuna.StudyOptionIgnoreError(true))
		number := 0
		fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
			kind, err := trial.SuggestCategorical("kind", []string{"x", "y"})
			if err != nil {
				return 0, err
			}
			if _, err := trial.SuggestCategorical("choice", choices); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestInt("size", 1, 3); err != nil {
				return 0, err
			}
			if _, err := trial.SuggestFloat("rate", 0, 1); err != nil { // no configuration comes twice
				return 0, err
			}
			if kind == "x" {
				if _, err := trial.SuggestInt("only with x", 0, 2); err != nil {
					return 0, err
				}
			}
			if number++; fails && number%3 == 0 {
				return 0, failure
			}
			return float64(number), nil
		}, 12)
		seen := map[string]map[any]int{}
		for _, trial := range fmtest.TrialsOf(t, study) {
			for name, value := range trial.Params {
				if seen[name] == nil {
					seen[name] = map[any]int{}
				}
				seen[name][value]++
			}
		}
		for name, want := range map[string]int{"kind": 6, "choice": 2, "size": 4, "only with x": 2} {
			for value, n := range seen[name] {
				if n < want-tolerance || n > want+tolerance {
					t.Errorf("seed %d, failures %v: %s is %v %d times in 12 trials, want %d", seed, fails, name, value, n, want)
				}
			}
		}
	}
}

// startupTrials returns the number of trials without a fit.
func startupTrials(t *testing.T, study *goptuna.Study) (n int) {
	t.Helper()
	for _, trial := range fmtest.TrialsOf(t, study) {
		if !strings.Contains(fmtest.PlanOf(t, trial)["fm:plan:0"], `"f":`) {
			n++
		}
	}
	return n
}

// The start-up is longer where many unordered values are to be tried, and shorter in a
// small space.
func TestStartupFollowsTheSpace(t *testing.T) {
	fmtest.Sequential(t)
	letters := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = string(rune('A' + i))
		}
		return all
	}
	for _, test := range []struct {
		name    string
		x       any   // a distribution
		choices []int // numbers of values
		want    int   // trials without a fit
	}{
		{"a float", goptuna.UniformDistribution{Low: 0, High: 1}, nil, 10},
		{"a float, one choice of 20", goptuna.UniformDistribution{Low: 0, High: 1}, []int{20}, 10},
		{"a float, three choices of 17", goptuna.UniformDistribution{Low: 0, High: 1}, []int{17, 17, 17}, 13},
		{"a short int", goptuna.IntUniformDistribution{Low: 0, High: 15}, nil, 8},
		{"a long int", goptuna.IntUniformDistribution{Low: 0, High: 50}, nil, 10},
		{"a short int, one choice of 20", goptuna.IntUniformDistribution{Low: 0, High: 15}, []int{20}, 8},
		{"a short int, eleven choices", goptuna.IntUniformDistribution{Low: 0, High: 15}, slices.Repeat([]int{3}, 11), 8},
		{"a short int, twelve choices", goptuna.IntUniformDistribution{Low: 0, High: 15}, slices.Repeat([]int{3}, 12), 10},
		{"a short int, three choices of 17", goptuna.IntUniformDistribution{Low: 0, High: 15}, []int{17, 17, 17}, 13},
	} {
		params := []fmtest.Param{{Name: "x", Distribution: test.x}}
		for i, n := range test.choices {
			params = append(params, fmtest.Param{Name: letters(i + 1)[i], Distribution: goptuna.CategoricalDistribution{Choices: letters(n)}})
		}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) float64 { return x["x"] }), 20)
		if n := startupTrials(t, study); n != test.want {
			t.Errorf("%s: %d start-up trials, want %d", test.name, n, test.want)
		}
	}
}
