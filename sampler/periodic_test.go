package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// On a cycle the last hour of the day is a neighbour of the first: a study that
// never saw hour 0 goes there from hour 23.
func TestPeriodicInt(t *testing.T) {
	for _, p := range []fmtest.Param{
		{Name: "hour", Distribution: goptuna.IntUniformDistribution{Low: 0, High: 23}},
		{Name: "hour", Distribution: goptuna.StepIntUniformDistribution{Low: 0, High: 24, Step: 1}},
		{Name: "hour", Distribution: goptuna.DiscreteUniformDistribution{Low: 0, High: 23, Q: 1}},
	} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1, fm.SamplerOptionGraph("hour", graphs.Cycle(24)), fm.SamplerOptionNumberOfStartupTrials(8)))
		for _, hour := range []float64{23, 22, 20, 18, 15, 12, 9, 6} {
			fmtest.Enqueue(t, study, map[string]float64{"hour": hour})
		}
		// Best at half past 0, worst in the middle of the day.
		fmtest.Optimize(t, study, fmtest.Ask([]fmtest.Param{p}, func(x map[string]float64) float64 {
			return -math.Cos(2 * math.Pi * (x["hour"] - 0.5) / 24)
		}), 12)
		near := 0
		for _, trial := range fmtest.TrialsOf(t, study)[8:] {
			if h := trial.InternalParams["hour"]; h <= 2 {
				near++
			}
		}
		if near < 3 {
			t.Errorf("%T: %d of the 4 trials with a model lie just after midnight, want 3", p.Distribution, near)
		}
	}
}
