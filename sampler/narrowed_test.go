package sampler_test

import (
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// recovered runs f and returns its panic as an error: a panic in one case must
// not hide the next ones.
func recovered(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// Every value lies in the distribution of the trial that asks for it, also when
// a range was narrowed or a choice removed and all that remains is used up.
func TestNarrowedRangeNeverLeavesDistribution(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	ints := func(low, high int) any { return goptuna.IntUniformDistribution{Low: low, High: high} }
	choices := func(texts ...string) any { return goptuna.CategoricalDistribution{Choices: texts} }
	for _, test := range []struct {
		name          string
		before, after any
	}{
		{"int from below", ints(0, 5), ints(3, 5)},
		{"int from above", ints(0, 5), ints(0, 2)},
		{"int, nothing in common", ints(0, 2), ints(3, 5)},
		{"wide int", ints(0, 30), ints(10, 15)},
		{"step int", goptuna.StepIntUniformDistribution{Low: 0, High: 50, Step: 10}, goptuna.StepIntUniformDistribution{Low: 20, High: 50, Step: 10}},
		{"discrete float", goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}, goptuna.DiscreteUniformDistribution{Low: 0.5, High: 1, Q: 0.25}},
		{"first choice removed", choices("a", "b", "c", "d"), choices("b", "c", "d")},
		{"last choice removed", choices("d", "a", "b", "c"), choices("d", "a", "b")},
		{"best choice removed", choices("b", "c", "d", "a"), choices("b", "c", "d")},
		{"number removed", choices("1", "2", "4", "8"), choices("2", "4", "8")},
	} {
		for _, startup := range []int{2, 100} {
			for _, beside := range [][]fmtest.Param{nil, {{Name: "beside", Distribution: choices("x", "y")}}} {
				name := fmt.Sprintf("%s, %d start-up trials, %d others", test.name, startup, len(beside))
				study, err := goptuna.CreateStudy(fmtest.StudyName, goptuna.StudyOptionLogger(nil),
					goptuna.StudyOptionSampler(fmtest.Seeded(t, 1, fm.SamplerOptionNumberOfStartupTrials(startup))))
				if err != nil {
					t.Fatal(err)
				}
				calls := 0
				run := func(distribution any, n int) error {
					return recovered(func() error {
						return study.Optimize(func(trial goptuna.Trial) (float64, error) {
							params := append([]fmtest.Param{{Name: "x", Distribution: distribution}}, beside...)
							if _, err := fmtest.Suggest(&trial, params...); err != nil {
								return 0, err
							}
							calls++
							return float64(calls), nil // the first are the best, whatever they are
						}, n)
					})
				}
				err = run(test.before, 35)
				if err == nil {
					err = run(test.after, 12)
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for _, trial := range fmtest.TrialsOf(t, study) {
					if x, ok := trial.InternalParams["x"]; ok && !fmtest.Contains(trial.Distributions["x"], x) {
						t.Errorf("%s: trial %d has %v of %#v", name, trial.Number, x, trial.Distributions["x"])
						break
					}
				}
			}
		}
	}
}
