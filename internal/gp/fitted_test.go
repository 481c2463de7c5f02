package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"
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
