package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// On a cycle the last hour of the day is a neighbour of the first: a study that
// never saw hour 0 goes there from hour 23.
func TestPeriodicInt(t *testing.T) {
	for _, p := range []param{
		{"hour", goptuna.IntUniformDistribution{Low: 0, High: 23}},
		{"hour", goptuna.StepIntUniformDistribution{Low: 0, High: 24, Step: 1}},
		{"hour", goptuna.DiscreteUniformDistribution{Low: 0, High: 23, Q: 1}},
	} {
		study := newStudy(t, seeded(t, 1, fm.SamplerOptionGraph("hour", graphs.Cycle(24)), fm.SamplerOptionNumberOfStartupTrials(8)))
		for _, hour := range []float64{23, 22, 20, 18, 15, 12, 9, 6} {
			enqueue(t, study, map[string]float64{"hour": hour})
		}
		// Best at half past 0, worst in the middle of the day.
		optimize(t, study, ask([]param{p}, func(x map[string]float64) float64 {
			return -math.Cos(2 * math.Pi * (x["hour"] - 0.5) / 24)
		}), 12)
		near := 0
		for _, trial := range trialsOf(t, study)[8:] {
			if h := trial.InternalParams["hour"]; h <= 2 {
				near++
			}
		}
		if near < 3 {
			t.Errorf("%T: %d of the 4 trials with a model lie just after midnight, want 3", p.distribution, near)
		}
	}
}
