package sampler_test

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// A penalty in place of an error, on nearly half of the space, costs little: what a
// study finds is as good as what it finds without.
func TestPenalty(t *testing.T) {
	if testing.Short() {
		t.Skip("runs nine studies of 60 trials")
	}
	t.Parallel()
	const seeds, trials = 3, 60
	for name, penalty := range map[string]float64{"1e3": 1e3, "1e9": 1e9, "the largest float64": math.MaxFloat64} {
		for seed := range int64(seeds) {
			study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
			fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
				x, err := fmtest.Suggest(&trial, fmtest.Mixed()...)
				if err != nil {
					return 0, err
				}
				y := fmtest.MixedValue(x)
				if y > 1 {
					y = penalty
				}
				return y, nil
			}, trials)
			best := fmtest.Best(t, study)
			t.Logf("penalty of %s, seed %d: best value %.2g", name, seed, best)
			if best > 0.01 {
				t.Errorf("penalty of %s, seed %d: best value %.2g, want at most 0.01", name, seed, best)
			}
		}
	}
}
