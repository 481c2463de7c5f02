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

// Fit says how the hyperparameters are found.
type Fit string

const (
	// ReferenceFit has the priors and the ten starts of the authors' program.
	ReferenceFit Fit = "reference"
	// DefaultFit has the priors of this module's sampler, and as many starts.
	DefaultFit Fit = "default"
)

// maxIterations bounds a search for hyperparameters. There is no next trial that
// would continue it, as there is in optimisation.
const maxIterations = 200

// Evaluate fits a Gaussian process with that kernel to the first part of the
// split and scores its predictions of the second.
func Evaluate(build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error), fit Fit, s *Split, seed int) (Score, error) {
	dims := len(s.TrainX[0].C)
	kernel, err := build(dims, s.Graphs...)
	if err != nil {
		return Score{}, err
	}
	// The default priors are for inputs that fill [0, 1], whose standard deviation
	// is that of a uniform number.
	inputSD, prior := 1.0, gp.NewReferencePrior(kernel, 1, false)
	if fit == DefaultFit {
		inputSD, prior = 1/math.Sqrt(12), gp.NewPrior(dims, len(s.Graphs), false)
	}
	train, test := scaled(s.TrainX, inputSD), scaled(s.TestX, inputSD)
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	settings := gp.FitSettings{RandomStarts: gp.ReferenceStarts - 1, MaxIterations: maxIterations}
	hyper, _, err := gp.Fit(kernel, prior, train, s.TrainY, rng, settings)
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

// scaled returns the points with their continuous coordinates times factor.
func scaled(xs []fmkernel.Point, factor float64) []fmkernel.Point {
	ys := make([]fmkernel.Point, len(xs))
	for i, x := range xs {
		ys[i] = x.Clone()
		for d := range x.C {
			ys[i].C[d] *= factor
		}
	}
	return ys
}
