package sampler_test

import (
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/medianstopping"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// curveSteps is how often the objective of these tests reports.
const curveSteps = 5

// curved is an objective that reports values on the way to that of value, at
// most one of which is below it.
func curved(t *testing.T, sign float64, report func(y float64, step int) float64) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
		if err != nil {
			t.Error(err)
		}
		for step := 1; step <= curveSteps; step++ {
			if err := trial.ShouldPrune(step, sign*report(fmtest.MixedValue(x), step)); err != nil {
				return 0, err
			}
		}
		return sign * fmtest.MixedValue(x), nil
	}
}

func runPruned(t *testing.T, direction goptuna.StudyDirection, report func(y float64, step int) float64, n int) []goptuna.FrozenTrial {
	t.Helper()
	sign := 1.0
	if direction == goptuna.StudyDirectionMaximize {
		sign = -1
	}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 5), goptuna.StudyOptionDirection(direction), goptuna.StudyOptionPruner(medianstopping.NewMedianPruner()))
	fmtest.Optimize(t, study, curved(t, sign, report), n)
	trials := fmtest.TrialsOf(t, study)
	if pruned := fmtest.Count(trials, goptuna.TrialStatePruned); pruned < n/5 || pruned > 9*n/10 {
		t.Errorf("%d of %d trials were pruned, want some", pruned, n)
	}
	return trials
}

// falling falls to y from 3 above.
func falling(y float64, step int) float64 { return y + 3 - 3*float64(step)/curveSteps }

// With pruned trials, too, to maximise is to minimise the negative.
func TestPrunedTrialsMaximised(t *testing.T) {
	fmtest.Sequential(t)
	want := runPruned(t, goptuna.StudyDirectionMinimize, falling, 40)
	got := runPruned(t, goptuna.StudyDirectionMaximize, falling, 40)
	for i := range got {
		got[i].Value = -got[i].Value
		got[i].IntermediateValues = want[i].IntermediateValues
	}
	fmtest.SameTrials(t, "maximise -f", got, want)
}

// Pruned trials whose last value is far below every final one draw nobody to
// them: the search ends where complete trials are best.
func TestPrunedTrialsAreNoIncumbents(t *testing.T) {
	fmtest.Sequential(t)
	best := func(report func(y float64, step int) float64) float64 {
		trials := runPruned(t, goptuna.StudyDirectionMinimize, report, 60)
		return fmtest.LowerQuartile(slices.DeleteFunc(trials[30:], func(trial goptuna.FrozenTrial) bool {
			return trial.State != goptuna.TrialStateComplete
		}))
	}
	honest := best(falling)
	// Before the last step, values are far below what they end with.
	low := best(func(y float64, step int) float64 {
		if step < curveSteps {
			return y - 1e6
		}
		return y
	})
	t.Logf("lower quartile of the later half: %.3f, with low reports %.3f", honest, low)
	if low > honest+0.3 {
		t.Errorf("lower quartile of the later half: %.3f, with low reports %.3f", honest, low)
	}
}
