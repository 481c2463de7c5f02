package searchtest

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// hills has its best values on a narrow hill, and others nearly as good on a wide one,
// in the other half of two of three parameters.
func hills(trial goptuna.Trial) (float64, error) {
	var x [3]float64
	for i, name := range []string{"a", "b", "c"} {
		var err error
		if x[i], err = trial.SuggestFloat(name, 0, 1); err != nil {
			return 0, err
		}
	}
	hill := func(a, b, c, width float64) float64 {
		return math.Exp(-(math.Pow(x[0]-a, 2) + math.Pow(x[1]-b, 2) + math.Pow(x[2]-c, 2)) / (2 * width * width))
	}
	return -hill(0.2, 0.3, 0.4, 0.25) - 1.2*hill(0.8, 0.75, 0.4, 0.1), nil
}

// A search that is settled on the wide hill goes elsewhere, and finds the narrow one.
// Without that 5 of these studies do.
func TestSettledSearchGoesElsewhere(t *testing.T) {
	t.Parallel()
	const seeds, trials, want = 20, 100, 12
	found := fmtest.Below(t, -1.1, fmtest.Seeds(seeds), hills, trials)
	t.Logf("%d of %d studies found the narrow hill", found, seeds)
	if found < want {
		t.Errorf("%d of %d studies found the narrow hill, want %d", found, seeds, want)
	}
}

// A search that polishes one of many optima goes elsewhere while it does, and finds a
// better one. Without this none of these studies did.
func TestStagnantSearchGoesElsewhere(t *testing.T) {
	t.Parallel()
	const trials, want = 150, 4
	found := fmtest.Below(t, 1, []int64{5006, 5010, 5026, 5028, 5030}, problems.Objective(problems.Levy6Mixed()), trials)
	t.Logf("%d studies found the optimum", found)
	if found < want {
		t.Errorf("%d of 5 studies found the optimum, want %d", found, want)
	}
}

// Of a study with little to find, most of the trials go elsewhere, whatever kind of
// parameter it has; a sampler that continues the study chooses the same.
func TestSettledSearchIsContinued(t *testing.T) {
	const seed, before, trials = 4, 40, 70
	params := []fmtest.Param{
		{Name: "x", Distribution: goptuna.UniformDistribution{Low: 0, High: 1}},
		{Name: "steps", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 7}},
		{Name: "kind", Distribution: goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}},
	}
	value := func(x map[string]float64) float64 {
		return math.Pow(x["x"]-0.3, 2) + 0.01*x["steps"] + 0.05*x["kind"]
	}
	run := func(first int) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, fmtest.Ask(params, value), first)
		study.Sampler = fmtest.Seeded(t, seed)
		fmtest.Optimize(t, study, fmtest.Ask(params, value), trials-first)
		return fmtest.TrialsOf(t, study)
	}
	got := run(before)
	fmtest.SameTrials(t, "continued", got, run(trials))
	away := map[string]int{}
	for _, trial := range got[before:] {
		for name, far := range map[string]bool{
			"x": trial.InternalParams["x"] >= 0.5, "steps": trial.InternalParams["steps"] >= 4, "kind": trial.InternalParams["kind"] > 0,
		} {
			if far {
				away[name]++
			}
		}
	}
	t.Log(away)
	for _, p := range params {
		if n := away[p.Name]; n < 5 || n > trials-before-10 {
			t.Errorf("in %d of %d trials %s is far from its best value", n, trials-before, p.Name)
		}
	}
}
