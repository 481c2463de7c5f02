package sampler_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Where few values of a choice activate a parameter, or two choices do together, the trials
// with a value do not show it for long. Those that fail with it, or are pruned, do, and the
// search leaves them. Without that, these studies had up to 48 trials in a row without a
// value.
func TestFailuresShowParameters(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const trials, maxRun = 60, 8
	choices := func(n int) (choices []string) {
		for i := range n {
			choices = append(choices, "choice "+strconv.Itoa(i)) // of which none resembles another
		}
		return choices
	}
	for _, test := range []struct {
		name    string
		a, b    []string
		extends func(a, b string) bool
	}{
		{"one of ten", choices(10), nil, func(a, _ string) bool { return a == "choice 6" }},
		{"four of ten", choices(10), nil, func(a, _ string) bool {
			return slices.Contains([]string{"choice 0", "choice 2", "choice 4", "choice 6"}, a)
		}},
		{"two choices", choices(3), choices(3), func(a, b string) bool { return a == b }},
	} {
		for _, ended := range []error{fmtest.ErrObjective, goptuna.ErrTrialPruned} {
			for seed := range int64(4) {
				study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
				fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
					a, errA := trial.SuggestCategorical("a", test.a)
					b, errB := "", error(nil)
					if test.b != nil {
						b, errB = trial.SuggestCategorical("b", test.b)
					}
					rate, err := trial.SuggestFloat("rate", 0, 1)
					if err := errors.Join(errA, errB, err); err != nil {
						return 0, err
					}
					if !test.extends(a, b) {
						return rate + 0.8, nil
					}
					m, err := trial.SuggestFloat("m", 0, 1)
					if err == nil && m > 0.5 {
						err = ended
					}
					return rate - m, err
				}, trials)
				run, longest := 0, 0
				for _, trial := range fmtest.TrialsOf(t, study) {
					if run++; trial.State == goptuna.TrialStateComplete {
						run = 0
					}
					longest = max(longest, run)
				}
				if longest > maxRun {
					t.Errorf("%s, %v, seed %d: %d trials in a row have no value, want %d at most", test.name, ended, seed, longest, maxRun)
				}
			}
		}
	}
}

// A configuration that failed where no trial has a value is not repeated either.
func TestFailuresDoNotRepeat(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	var kinds []string
	for i := range 20 {
		kinds = append(kinds, strconv.Itoa(i))
	}
	for _, ended := range []error{fmtest.ErrObjective, goptuna.ErrTrialPruned} {
		for seed := range int64(4) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionIgnoreError(true))
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				kind, errKind := trial.SuggestCategorical("kind", kinds)
				g, errG := trial.SuggestInt("g", 0, 9)
				if err := errors.Join(errKind, errG); err != nil {
					return 0, err
				}
				if last := kind[len(kind)-1]; last%2 == 0 {
					return float64(g), nil
				}
				k, err := trial.SuggestInt("k", 1, 3)
				if err == nil && k == 3 {
					err = ended
				}
				return float64(g + k), err
			}, 60)
			if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n > 0 {
				t.Errorf("%v, seed %d: %d trials repeat another", ended, seed, n)
			}
		}
	}
}
