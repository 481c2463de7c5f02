package sampler_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Goroutines share a study.
func TestConcurrentTrials(t *testing.T) {
	trials := 6
	if testing.Short() {
		trials = 3
	}
	fmtest.Together(t, trials, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.NewStudy(t, fmtest.Seeded(t, 1), dbtest.OnSQLite(t)))
}

// One sampler serves a study in memory and one on a database at a time.
func TestConcurrentStudies(t *testing.T) {
	s := fmtest.Seeded(t, 3, fm.SamplerOptionGraph("kind", graphs.Path(3)))
	fmtest.Together(t, 3, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.NewStudy(t, s), fmtest.NewStudy(t, s, dbtest.OnSQLite(t)))
}
