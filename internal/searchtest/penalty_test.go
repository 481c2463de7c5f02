package searchtest

import (
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
)

// A penalty in place of an error, on most of the space, costs little: before penalties were
// told, seven of these nine studies ended above 0.01.
func TestPenalty(t *testing.T) {
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

// A configuration with a penalty is as tried as any other, also where nothing else is
// known of its branch.
func TestPenaltiesDoNotRepeat(t *testing.T) {
	t.Parallel()
	const configurations = 6 + 6 + 12
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 3))
	fmtest.Optimize(t, study, func(trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		if err != nil {
			return 0, err
		}
		x, err := trial.SuggestInt("x", 0, 5)
		if err != nil || kind != "c" {
			return float64(x), err
		}
		_, err = trial.SuggestCategorical("mode", []string{"slow", "fast"})
		return 1e9, err
	}, configurations)
	if n := fmtest.Duplicates(fmtest.TrialsOf(t, study)); n != 0 {
		t.Errorf("%d trials repeat a configuration", n)
	}
}
