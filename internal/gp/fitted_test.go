package gp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// The mean at the data points follows from the targets without a prediction.
func TestFittedTo(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 21))
		pr := draw(t, rng, rng.IntN(3), rng.IntN(3), 12)
		post := pr.condition(t).Predictor()
		got := make([]float64, 12)
		post.FittedTo(got)
		for i, x := range pr.xs {
			if want, _ := post.Predict(x); math.Abs(got[i]-want) > posteriorTol*(1+math.Abs(want)) {
				t.Errorf("seed %d: mean at point %d is %g, Predict gives %g", seed, i, got[i], want)
			}
		}
	}
}

// Leaving one out gives what a model of the others predicts, for the last of the points,
// all or some.
func TestLeaveOneOut(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 22))
		pr := draw(t, rng, rng.IntN(3), rng.IntN(3), 10)
		first := rng.IntN(11)
		means, variances := pr.condition(t).LeaveOneOut(10 - first)
		for i := first; i < 10; i++ {
			others := pr
			others.xs = slices.Delete(slices.Clone(pr.xs), i, i+1)
			others.y = slices.Delete(slices.Clone(pr.y), i, i+1)
			mean, variance := others.condition(t).Predictor().Predict(pr.xs[i])
			variance += pr.hyper.Noise // of the target, not of the latent function
			gotMean, gotVariance := means[i-first], variances[i-first]
			if math.Abs(gotMean-mean) > 1e-7*(1+math.Abs(mean)) || math.Abs(gotVariance-variance) > 1e-7*variance {
				t.Errorf("seed %d: point %d: %g, %g; a model of the others gives %g, %g", seed, i, gotMean, gotVariance, mean, variance)
			}
		}
	}
}

// What the targets say one after the other, each given those before, is the
// density of all, given the first.
func TestLogPredictive(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 23))
		pr := draw(t, rng, rng.IntN(3), rng.IntN(3), 12)
		n := rng.IntN(13)
		var want float64
		for i := n; i < 12; i++ {
			before := pr
			before.xs, before.y = pr.xs[:i], pr.y[:i]
			mean, variance := before.condition(t).Predictor().Predict(pr.xs[i])
			variance += pr.hyper.Noise
			want -= (sq(pr.y[i]-mean)/variance + math.Log(variance)) / 2
		}
		covariance, err := gp.NewCovariance(pr.kernel, pr.hyper, pr.xs)
		if err != nil {
			t.Fatal(err)
		}
		if got := covariance.LogPredictive(pr.y, n); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("seed %d: density %g after %d targets, one by one %g", seed, got, n, want)
		}
	}
}

// Contradicted points are those of leaving one out, again and again.
func TestContradicted(t *testing.T) {
	const deviations, excess, most = 1.5, 0.5, 4
	counts := map[int]int{}
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 60))
		pr := draw(t, rng, 2, 2, 20)
		for range 3 {
			pr.y[rng.IntN(20)] += 4
		}
		var want []int
		rest := pr
		index := make([]int, 20)
		for i := range index {
			index[i] = i
		}
		for len(want) < most {
			means, variances := rest.condition(t).LeaveOneOut(len(rest.y))
			worst, above := -1, deviations
			for i, y := range rest.y {
				residual := y - means[i]
				if z := residual / math.Sqrt(variances[i]); z > above && residual > excess {
					worst, above = i, z
				}
			}
			if worst < 0 {
				break
			}
			want = append(want, index[worst])
			index = slices.Delete(index, worst, worst+1)
			rest.xs, rest.y = slices.Delete(slices.Clone(rest.xs), worst, worst+1), slices.Delete(slices.Clone(rest.y), worst, worst+1)
		}
		counts[len(want)]++
		if got := pr.condition(t).Contradicted(deviations, excess, most); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
	if counts[most] == 0 || counts[0]+counts[1]+counts[2]+counts[3] == 0 {
		t.Errorf("numbers of contradicted points: %v", counts)
	}
}
