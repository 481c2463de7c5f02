package sampler_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A study of 300 trials whose space is edited five times: no trial fails, and
// after each edit the next trials are better than the first ones of a study that
// starts with the new space.
func TestEditedStudy(t *testing.T) {
	const each, next = 50, 20
	seeds := int64(2)
	if testing.Short() {
		seeds = 1
	}
	editions := problems.Edited()
	better := make([]float64, len(editions))
	for seed := range seeds {
		log := &recorder{}
		study := newStudy(t, seeded(t, seed), goptuna.StudyOptionLogger(log))
		for i, edition := range editions {
			optimize(t, study, edition.Objective, each)
			fresh := newStudy(t, seeded(t, seed))
			optimize(t, fresh, edition.Objective, next)
			for j, trial := range trialsOf(t, fresh) {
				better[i] += (trial.Value - trialsOf(t, study)[i*each+j].Value) / float64(next*seeds)
			}
		}
		trials := trialsOf(t, study)
		if n := count(trials, goptuna.TrialStateComplete); n != each*len(editions) {
			t.Errorf("seed %d: %d of %d trials are complete", seed, n, each*len(editions))
		}
		log.check(t, 0, "")
	}
	for i, edition := range editions[1:] {
		if better[i+1] <= 0 {
			t.Errorf("%s: the next trials are worse by %.3f than the first of a new study", edition.Change, -better[i+1])
		}
		t.Logf("%s: better by %.3f", edition.Change, better[i+1])
	}
}
