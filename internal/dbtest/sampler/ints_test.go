package sampler_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// fmError reports whether err is the sampler's own and names the parameter.
func fmError(err error, name string) bool {
	return err != nil && strings.HasPrefix(err.Error(), "fm:") && strings.Contains(err.Error(), fmt.Sprintf("%q", name))
}

// Ints beyond 2⁵³, whose ends a database reads back as other ints, are suggested as in
// memory, inside their range.
func TestSameTrialsOfLargeInts(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct{ low, high, step int }{
		{0, 1 << 60, 0}, {0, 1<<62 - 1, 0}, {-1<<60 - 1, 1<<53 + 1, 0}, {1<<60 + 1, 1<<60 + 5000, 0}, {0, 1<<62 - 1, 1000}, {1<<60 + 1, 1 << 61, 1<<59 + 1},
	} {
		name := fmt.Sprintf("%d … %d, step %d", test.low, test.high, test.step)
		top := 0
		run := func(opts ...goptuna.StudyOption) []goptuna.FrozenTrial {
			opts = append(opts, goptuna.StudyOptionSampler(fmtest.Seeded(t, 1)), goptuna.StudyOptionLogger(nil))
			study, err := goptuna.CreateStudy(fmtest.StudyName, opts...)
			if err != nil {
				t.Fatal(err)
			}
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				if _, err := trial.SuggestInt("seed", 1<<62, 1<<62); err != nil {
					return 0, err
				}
				var n int
				var err error
				if test.step > 0 {
					n, err = trial.SuggestStepInt("n", test.low, test.high, test.step)
				} else {
					n, err = trial.SuggestInt("n", test.low, test.high)
				}
				if err != nil {
					return 0, err
				}
				if n < test.low || n > test.high {
					t.Errorf("%s: %d is outside", name, n)
				}
				top = max(top, n)
				x, err := trial.SuggestFloat("x", 0, 1)
				return x - float64(n)/float64(test.high), err // the largest n is the best
			}, 16)
			return fmtest.TrialsOf(t, study)
		}
		trials := run(dbtest.OnSQLite(t))
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != len(trials) {
			t.Errorf("%s: %d of %d trials are complete", name, n, len(trials))
		}
		if last := math.Nextafter(float64(test.high), 0); test.step == 0 && float64(top) < last {
			t.Errorf("%s: the largest suggestion is %d", name, top)
		}
		fmtest.SameTrials(t, name, trials, run())
	}
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
			for where, storage := range storages {
				name := fmt.Sprintf("%d … %d, step %d, %s", test.low, test.high, step, where)
				study, err := goptuna.CreateStudy(fmtest.StudyName, goptuna.StudyOptionLogger(nil), storage(t),
					goptuna.StudyOptionSampler(fmtest.Seeded(t, 1)), goptuna.StudyOptionIgnoreError(true))
				if err != nil {
					t.Fatal(err)
				}
				fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
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
