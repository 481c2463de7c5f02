package sampler_test

import (
	"runtime"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The number of cores changes the time a suggestion takes and nothing else. The study begins with
// as many random trials as the search needs to use several goroutines; with -short, as under the
// race detector, a few of the model's do.
func TestCores(t *testing.T) {
	problem := problems.Func3C()
	suggested := 20
	if testing.Short() {
		suggested = 4
	}
	trials := func(cores int) []goptuna.FrozenTrial {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		study := fmtest.NewStudy(t, problems.NewRandomSampler(2))
		fmtest.Optimize(t, study, problems.Objective(problem), 130)
		study.Sampler = fmtest.Seeded(t, 2)
		fmtest.Optimize(t, study, problems.Objective(problem), suggested)
		return fmtest.TrialsOf(t, study)
	}
	fmtest.SameTrials(t, "one core and two", trials(1), trials(2))
}
