package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Seed and study decide about the trials; where they are stored does not.
func TestSameTrialsAsInMemory(t *testing.T) {
	fmtest.Sequential(t)
	for _, seed := range []int64{0, 1, -5} {
		fmtest.SameTrials(t, "on SQLite", fmtest.RunMixed(t, seed, dbtest.OnSQLite(t)), fmtest.RunMixed(t, seed))
	}
}

// Nor does it where choices are not UTF-8, which a database reads back as other texts.
func TestSameTrialsOfLatin1(t *testing.T) {
	params := []fmtest.Param{
		{Name: "drink", Distribution: goptuna.CategoricalDistribution{Choices: []string{"caf\xe9", "th\xe9", "lait"}}},
		{Name: "n", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 3}},
	}
	run := func(opts ...goptuna.StudyOption) []goptuna.FrozenTrial {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), opts...)
		fmtest.Optimize(t, study, fmtest.Ask(params, func(x map[string]float64) float64 { return x["drink"] + math.Abs(x["n"]-1) }), 12)
		return fmtest.TrialsOf(t, study)
	}
	trials := run(dbtest.OnSQLite(t))
	if n := fmtest.Duplicates(trials); n > 0 {
		t.Errorf("%d of 12 trials repeat an earlier one", n)
	}
	fmtest.SameTrials(t, "on SQLite", trials, run())
}

// Nor do they depend on the storage where the search space is defined.
func TestRelativeSampler(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 5
	s := fmtest.Seeded(t, seed)
	study := fmtest.NewStudy(t, s, dbtest.OnSQLite(t), goptuna.StudyOptionRelativeSampler(s),
		goptuna.StudyOptionDefineSearchSpace(fmtest.Space(fmtest.Mixed())))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.MixedTrials)
	fmtest.SameTrials(t, "relative, on SQLite", fmtest.TrialsOf(t, study), fmtest.RunMixed(t, seed))
}
