package searchtest

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A study of 300 trials whose space is edited five times: no trial fails, and
// after each edit the next trials are better than the first ones of a study that
// starts with the new space.
func TestEditedStudy(t *testing.T) {
	t.Parallel()
	const each, next, seeds = 50, 20, 2
	editions := problems.Edited()
	better := make([]float64, len(editions))
	for seed := range int64(seeds) {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionLogger(log))
		for i, edition := range editions {
			fmtest.Optimize(t, study, edition.Objective, each)
			fresh := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
			fmtest.Optimize(t, fresh, edition.Objective, next)
			for j, trial := range fmtest.TrialsOf(t, fresh) {
				better[i] += (trial.Value - fmtest.TrialsOf(t, study)[i*each+j].Value) / float64(next*seeds)
			}
		}
		trials := fmtest.TrialsOf(t, study)
		if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != each*len(editions) {
			t.Errorf("seed %d: %d of %d trials are complete", seed, n, each*len(editions))
		}
		log.Check(t, 0, "")
	}
	for i, edition := range editions[1:] {
		if better[i+1] <= 0 {
			t.Errorf("%s: the next trials are worse by %.3f than the first of a new study", edition.Change, -better[i+1])
		}
		t.Logf("%s: better by %.3f", edition.Change, better[i+1])
	}
}

// After an edit of the space, the history is worth as much as none at least: the
// best of the next trials is no worse than that of as many trials of a new
// study, even where no trial can have the best old values any more.
func TestEditIsNoWorseThanNewStudy(t *testing.T) {
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
