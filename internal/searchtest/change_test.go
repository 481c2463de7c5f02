package searchtest

import (
	"strconv"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// changing asks for x, which is to change in mid-study, and for two parameters
// that stay. The best x is 3, whatever its distribution, and the minimum 0.
func changing(x any) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		params := []fmtest.Param{
			{Name: "x", Distribution: x},
			{Name: "y", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
			{Name: "z", Distribution: goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r"}}},
		}
		at, err := fmtest.Suggest(&trial, params...)
		if err != nil {
			return 0, err
		}
		value := at["x"]
		if d, ok := x.(goptuna.CategoricalDistribution); ok {
			if value, err = strconv.ParseFloat(d.Choices[int(at["x"])][1:], 64); err != nil {
				return 0, err
			}
		}
		return sq(value-3)/9 + 4*sq(at["y"]-0.6) + at["z"]/2, nil
	}
}

// nominal returns choices that do not read as numbers.
func nominal(numbers ...string) goptuna.CategoricalDistribution {
	choices := make([]string, len(numbers))
	for i, n := range numbers {
		choices[i] = "#" + n
	}
	return goptuna.CategoricalDistribution{Choices: choices}
}

// When a distribution changes in mid-study, trials go on in the new one, and
// what the old ones have shown is used: several of the next trials are better
// than all of an even cover of the new space, three times as large.
func TestDistributionChanges(t *testing.T) {
	t.Parallel()
	uniform := func(low, high float64) any { return goptuna.UniformDistribution{Low: low, High: high} }
	logUniform := func(low, high float64) any { return goptuna.LogUniformDistribution{Low: low, High: high} }
	ints := func(low, high int) any { return goptuna.IntUniformDistribution{Low: low, High: high} }
	for _, test := range []struct {
		name          string
		before, after any
		why           string
	}{
		{"widened", uniform(0, 10), uniform(-30, 30), "old values keep their place, closer together"},
		{"narrowed", uniform(-30, 30), uniform(0, 10), "those outside still tell the trend"},
		{"moved", uniform(2, 10), uniform(-10, 4), "values of the overlap count"},
		{"linear to log", uniform(0.5, 10), logUniform(0.01, 100), "the values are matched, not the coordinates"},
		{"linear through zero to log", uniform(-5, 10), logUniform(0.01, 100), "values that have no logarithm drop out"},
		{"log to linear", logUniform(0.01, 100), uniform(0, 50), "as above"},
		{"int to float", ints(0, 10), uniform(0, 10), "as above"},
		{"int to wide int", ints(0, 10), ints(-100, 100), "path to dimension"},
		{"wide int to int", ints(-100, 100), ints(0, 10), "dimension to path: those outside drop out"},
		{"float to int", uniform(0, 10), ints(0, 60), "fractions have a place between the levels"},
		{"int to step int", ints(0, 20), goptuna.StepIntUniformDistribution{Low: 0, High: 40, Step: 3}, "vertices are matched by value"},
		{"coarse to fine", goptuna.DiscreteUniformDistribution{Low: 0, High: 10, Q: 1}, goptuna.DiscreteUniformDistribution{Low: 0, High: 10, Q: 0.25}, "path to dimension"},
		{"choices added", nominal("3", "5", "6", "7"), nominal("4", "3", "5", "6", "7", "8", "9"), "matched by text"},
		{"choices removed", nominal("3", "4", "5", "6", "7", "8", "9"), nominal("3", "7", "9", "8"), "matched by text"},
		{"choices reordered", nominal("3", "4", "5", "6", "7", "8"), nominal("8", "6", "5", "7", "4", "3"), "matched by text, not by index"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const before, after, cover = 15, 20, 64
			const seeds = 5
			better := 0
			for seed := range int64(seeds) {
				reference := fmtest.NewStudy(t, fmtest.Seeded(t, seed, fm.SamplerOptionNumberOfStartupTrials(cover)))
				fmtest.Optimize(t, reference, changing(test.after), cover)
				bar, err := reference.GetBestValue()
				if err != nil {
					t.Fatal(err)
				}
				log := &fmtest.Recorder{}
				study := fmtest.NewStudy(t, fmtest.Seeded(t, seed), goptuna.StudyOptionLogger(log))
				fmtest.Optimize(t, study, changing(test.before), before)
				fmtest.Optimize(t, study, changing(test.after), after)
				trials := fmtest.TrialsOf(t, study)
				if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != before+after {
					t.Errorf("%d of %d trials are complete", n, before+after)
				}
				for _, trial := range trials[before:] {
					if trial.Value <= bar {
						better++
					}
				}
				log.Check(t, 0, "")
			}
			// Of even covers themselves, 20 of 64 points each, it would be 1.6.
			const want = 6
			if better < want {
				t.Errorf("%d of %d trials after the change reach the best of an even cover, want %d (%s)", better, seeds*after, want, test.why)
			}
			t.Logf("%d of %d trials after the change reach the best of an even cover", better, seeds*after)
		})
	}
}

// Changes that leave nothing to compare start over, with an even cover.
func TestDistributionChangesKind(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 6), goptuna.StudyOptionLogger(log))
	for _, x := range []any{
		goptuna.UniformDistribution{Low: 0, High: 10},
		nominal("1", "2", "3", "4"),
		goptuna.IntUniformDistribution{Low: 1, High: 5},
		goptuna.LogUniformDistribution{Low: 1e-6, High: 1e-3},
		nominal("7", "8", "9"),
		goptuna.DiscreteUniformDistribution{Low: -1, High: -0.5, Q: 0.1},
		goptuna.UniformDistribution{Low: 3, High: 3},
		goptuna.UniformDistribution{Low: 0, High: 10},
		goptuna.UniformDistribution{Low: 1e-300, High: 2e-300},
	} {
		fmtest.Optimize(t, study, changing(x), 12)
	}
	if n := fmtest.Count(fmtest.TrialsOf(t, study), goptuna.TrialStateComplete); n != 9*12 {
		t.Errorf("%d of %d trials are complete", n, 9*12)
	}
	log.Check(t, 0, "")
}
