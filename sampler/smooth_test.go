package sampler_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// On a quadratic most trials go by linear targets, and by small steps to the optimum.
// With evidence under the last hyperparameters and unbounded margins, a third of such
// studies stayed at another choice.
func TestSmooth(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	const seeds, trials, near, want = 10, 60, 1e-3, 8
	found, linear := 0, 0
	for seed := range int64(seeds) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, problems.Objective(problems.QuadraticMixed()), trials)
		if fmtest.Best(t, study) < near {
			found++
		}
		if transformOf(fmtest.TrialsOf(t, study)[trials-1]) == "linear" {
			linear++
		}
	}
	t.Logf("%d of %d studies came within %v, %d with linear targets", found, seeds, near, linear)
	if found < want || linear < want {
		t.Errorf("%d of %d studies came within %v, %d with linear targets, want %d", found, seeds, near, linear, want)
	}
}
