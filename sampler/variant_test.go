package sampler_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A name whose choices or range follow from the value of a choice is planned as what the
// objective asks for. In one parameter, 1 of 8 studies finds the optimum, and 242 of 320
// trials are planned again.
func TestVariantsArePlanned(t *testing.T) {
	fmtest.Sequential(t)
	t.Parallel()
	p := problems.Solvers()
	found, again := 0, 0
	for _, seed := range fmtest.Seeds(8) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, p.Objective, 60)
		if fmtest.Best(t, study) < 0.01 {
			found++
		}
		for _, trial := range fmtest.TrialsOf(t, study)[20:] {
			if plan.Decode(trial.SystemAttrs).Revision > 0 {
				again++
			}
		}
	}
	t.Logf("%d of 8 studies have found the optimum; %d of 320 trials were planned again", found, again)
	if found < 6 || again > 32 {
		t.Errorf("%d of 8 studies have found the optimum; %d of 320 trials were planned again", found, again)
	}
}
