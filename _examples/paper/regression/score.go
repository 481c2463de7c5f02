package regression

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// Score is how well the test part of a split was predicted, in units of the
// standardised target. NLL is the mean negative log density, with the variance
// of the latent function alone, as the authors' script has it, or with that of
// the noise.
type Score struct {
	RMSE         float64
	NLL          float64
	NLLWithNoise float64
}

// Starts is the number of random starts of a fit, as in the paper.
const Starts = 10

// unit is the standard deviation of a uniform number in [0, 1]: standardised
// inputs times unit are on the scale that package gp expects.
var unit = 1 / math.Sqrt(12)

// Evaluate fits a Gaussian process with that kernel to the first part of the
// split and scores its predictions of the second.
func Evaluate(build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error), s *Split, seed int) (Score, error) {
	dims := len(s.TrainX[0].C)
	kernel, err := build(dims, s.Graphs...)
	if err != nil {
		return Score{}, err
	}
	train, test := scaled(s.TrainX), scaled(s.TestX)
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	prior := gp.NewPrior(dims, len(s.Graphs), false)
	hyper, _, err := gp.Fit(kernel, prior, train, s.TrainY, rng, gp.FitSettings{RandomStarts: Starts, MaxIterations: 200})
	if err != nil {
		return Score{}, fmt.Errorf("fit: %w", err)
	}
	model, err := gp.Condition(kernel, hyper, train, s.TrainY)
	if err != nil {
		return Score{}, err
	}
	means, variances := make([]float64, len(test)), make([]float64, len(test))
	model.Predictor().PredictBatch(means, variances, test)
	return score(means, variances, hyper.Noise, s.TestY), nil
}

// score compares predictions with targets.
func score(means, variances []float64, noise float64, y []float64) Score {
	var s Score
	n := float64(len(y))
	for i, yi := range y {
		residual := yi - means[i]
		s.RMSE += residual * residual / n
		s.NLL += negLogDensity(residual, variances[i]) / n
		s.NLLWithNoise += negLogDensity(residual, variances[i]+noise) / n
	}
	s.RMSE = math.Sqrt(s.RMSE)
	return s
}

// negLogDensity returns the negative logarithm of the normal density.
func negLogDensity(residual, variance float64) float64 {
	return 0.5*residual*residual/variance + 0.5*math.Log(2*math.Pi*variance)
}

func scaled(xs []fmkernel.Point) []fmkernel.Point {
	ys := make([]fmkernel.Point, len(xs))
	for i, x := range xs {
		ys[i] = x.Clone()
		for d := range x.C {
			ys[i].C[d] *= unit
		}
	}
	return ys
}
