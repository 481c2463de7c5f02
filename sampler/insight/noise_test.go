package insight_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// Few trials, none of which repeats another, look as if there were no noise to the most
// probable hyperparameters. Still most studies are told how much there is, and most intervals
// of what is recommended hold the truth.
func TestNoiseOfFewTrials(t *testing.T) {
	fmtest.Sequential(t)
	const studies, trials, sd = 20, 25, 0.05
	truth := func(x, y, z float64) float64 {
		return math.Pow(x-0.3, 2) + math.Pow(y-0.7, 2) + math.Pow(z-0.5, 2)/2
	}
	var ratios []float64
	inside, noiseInside := 0, 0
	for seed := range int64(studies) {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		m := fit(t, optimized(t, fm.NewSampler(fm.SamplerOptionSeed(seed)), func(trial goptuna.Trial) (float64, error) {
			xs, err := floats(trial, 3)
			return truth(xs[0], xs[1], xs[2]) + sd*rng.NormFloat64(), err
		}, trials), insight.OptionSeed(seed))
		noise, r := m.Noise(), m.Recommend()
		ratios = append(ratios, noise.Value/sd)
		if noise.Low <= sd && sd <= noise.High {
			noiseInside++
		}
		x := func(name string) float64 { return r.Params[name].(float64) }
		if y := truth(x("x1"), x("x2"), x("x3")); r.Objective.Low <= y && y <= r.Objective.High {
			inside++
		}
		if advice := m.Advice(); advice.Noise != noise.Value {
			t.Errorf("seed %d: the advice has a noise of %v, the model one of %v", seed, advice.Noise, noise)
		}
	}
	slices.Sort(ratios)
	t.Logf("noise %.2f times the true one, in its interval in %d studies; %d intervals hold the truth", ratios, noiseInside, inside)
	if median := ratios[studies/2]; median < 0.5 || median > 1.5 || ratios[2] < 0.2 || noiseInside < 14 {
		t.Errorf("noise %.2f times the true one, in its interval in %d studies", ratios, noiseInside)
	}
	if inside < 13 {
		t.Errorf("%d of %d intervals hold the truth", inside, studies)
	}
}
