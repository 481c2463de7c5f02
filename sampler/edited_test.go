package sampler_test

import (
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
	const each, next = 50, 20
	seeds := int64(2)
	if testing.Short() {
		seeds = 1
	}
	editions := problems.Edited()
	better := make([]float64, len(editions))
	for seed := range seeds {
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
