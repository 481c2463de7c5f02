package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// Seed and study decide about the trials; where they are stored does not.
func TestSameTrialsAsInMemory(t *testing.T) {
	fmtest.Sequential(t)
	for _, seed := range []int64{0, 1, -5} {
		fmtest.SameTrials(t, "on SQLite", fmtest.RunMixed(t, seed, onSQLite(t)), fmtest.RunMixed(t, seed))
	}
}

// Nor do they depend on the storage where the search space is defined.
func TestRelativeSampler(t *testing.T) {
	fmtest.Sequential(t)
	const seed = 5
	s := fmtest.Seeded(t, seed)
	study := fmtest.NewStudy(t, s, onSQLite(t), goptuna.StudyOptionRelativeSampler(s),
		goptuna.StudyOptionDefineSearchSpace(fmtest.Space(fmtest.Mixed())))
	fmtest.Optimize(t, study, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.MixedTrials)
	fmtest.SameTrials(t, "relative, on SQLite", fmtest.TrialsOf(t, study), fmtest.RunMixed(t, seed))
}
