package sampler_test

import (
	"fmt"
	"math"
	"slices"
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

// After an edit of the space, the history is worth as much as none at least: the
// best of the next trials is no worse than that of as many trials of a new
// study, even where no trial can have the best old values any more.
func TestEditIsNoWorseThanNewStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("ten seeds of 75 trials for each of three edits")
	}
	t.Parallel()
	const (
		seeds  = 10
		trials = 25
		// exact is what counts as the optimum itself.
		exact = 1e-9
		// decades is how far the geometric means may be apart.
		decades = 0.1
	)
	x, y := fmtest.Param{Name: "x", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}, fmtest.Param{Name: "y", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}}
	for _, test := range []struct {
		name          string
		before, after []fmtest.Param
		value         func(x map[string]float64, edited bool) float64
		optimum       float64 // of the space after the edit
	}{
		{
			"parameter dropped",
			[]fmtest.Param{x, y, {Name: "w", Distribution: x.Distribution}, {Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r"}}}},
			[]fmtest.Param{x, y, {Name: "w", Distribution: x.Distribution}},
			func(x map[string]float64, edited bool) float64 {
				if edited {
					x["kind"] = 3 // a default that was no choice
				}
				return sq(x["x"]-0.3) + sq(x["y"]-0.6) + sq(x["w"]-0.4) + sq(x["kind"]-0.8)
			}, sq(2.2),
		},
		{
			"range narrowed", []fmtest.Param{x, y}, []fmtest.Param{{Name: "x", Distribution: goptuna.UniformDistribution{Low: 0.6, High: 1}}, y},
			func(x map[string]float64, _ bool) float64 { return sq(x["x"]-0.3) + sq(x["y"]-0.6) }, sq(0.3),
		},
		{
			"choice removed",
			[]fmtest.Param{{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"b", "c", "a"}}}, x, y},
			[]fmtest.Param{{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"b", "c"}}}, x, y},
			func(x map[string]float64, _ bool) float64 {
				kind := int(x["kind"])
				return sq(x["x"]-[]float64{0.3, 0.7, 0.4}[kind]) + sq(x["y"]-0.6) + []float64{1, 1.2, 0}[kind]
			}, 1,
		},
	} {
		mean := map[bool]float64{} // of the decimal logarithms of the gaps
		for seed := range int64(seeds) {
			for _, history := range []bool{true, false} {
				study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
				if history {
					fmtest.Optimize(t, study, fmtest.Ask(test.before, func(x map[string]float64) float64 { return test.value(x, false) }), 2*trials)
				}
				fmtest.Optimize(t, study, fmtest.Ask(test.after, func(x map[string]float64) float64 { return test.value(x, true) }), trials)
				all := fmtest.TrialsOf(t, study)
				best := slices.MinFunc(all[len(all)-trials:], func(a, b goptuna.FrozenTrial) int {
					if a.Value < b.Value {
						return -1
					}
					return 1
				}).Value
				mean[history] += math.Log10(max(best-test.optimum, exact)) / seeds
			}
		}
		t.Logf("%s: gap 10^%.2f with the history, 10^%.2f without", test.name, mean[true], mean[false])
		if mean[true] > mean[false]+decades {
			t.Errorf("%s: the gap is 10^%.2f with the history, 10^%.2f without; want at most %v decades more", test.name, mean[true], mean[false], decades)
		}
	}
}
