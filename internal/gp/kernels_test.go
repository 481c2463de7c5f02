package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// builds are kernels beside ModLap that differ in their hyperparameters or in
// how they depend on the inputs.
var builds = []func(int, ...*graphs.Graph) (*fmkernel.Kernel, error){
	fmkernel.NewModDif, fmkernel.NewProdLap, fmkernel.NewProdDif, fmkernel.NewAddLap, fmkernel.NewAddDif,
	func(d int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
		return fmkernel.New(fmkernel.PowerSum(1, 2), d, gs...)
	},
	func(d int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
		return fmkernel.New(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 0.5}}, d, gs...)
	},
}

// Predictions are those of the textbook, in all the ways to ask for them, and
// gradients those of finite differences, with any kernel.
func TestPredictWithAnyKernel(t *testing.T) {
	for _, build := range builds {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 20))
			pr := draw(t, rng, 2, 2, 20)
			k, err := build(pr.dims, pr.graphs...)
			if err != nil {
				t.Fatal(err)
			}
			pr.kernel, pr.hyper.Params = k, k.NewParams()
			if seed == 0 {
				pr.xs, pr.y = nil, nil // the prior
			}
			post := pr.condition(t).Predictor()
			ref := newReferenceAt(pr, kernel.NewEvaluator((*kernel.Kernel)(k), pr.hyper.Params).MeanDiag())
			moves := []kernel.Move{{Graph: 0, Vertex: 1}, {Graph: 1, Vertex: 0}}
			means, variances := make([]float64, 2), make([]float64, 2)
			for _, x := range pr.points(rng, 5) {
				agree := func(what string, mean, variance float64, x fmkernel.Point) {
					t.Helper()
					wantMean, wantVariance := ref.predict(x)
					if math.Abs(mean-wantMean) > posteriorTol*(1+math.Abs(wantMean)) || math.Abs(variance-wantVariance) > posteriorTol*pr.hyper.Scale {
						t.Errorf("%v, seed %d: %s gives %g, %g; want %g, %g", k, seed, what, mean, variance, wantMean, wantVariance)
					}
				}
				dMean, dVariance := make([]float64, 2), make([]float64, 2)
				mean, variance := post.PredictGrad(dMean, dVariance, x)
				agree("PredictGrad", mean, variance, x)
				post.PredictBatch(means[:1], variances[:1], []fmkernel.Point{x})
				agree("PredictBatch", means[0], variances[0], x)
				post.PredictMoves(means, variances, x, moves)
				for i, move := range moves {
					y := x.Clone()
					y.V[move.Graph] = move.Vertex
					agree("PredictMoves", means[i], variances[i], y)
				}
				for i, got := range [][]float64{dMean, dVariance} {
					want := fd.Gradient(nil, func(c []float64) float64 {
						mean, variance := post.Predict(fmkernel.Point{C: c, V: x.V})
						return []float64{mean, variance}[i]
					}, x.C, &fd.Settings{Formula: fivePoint, Step: 1e-3})
					if !floats.EqualApprox(got, want, 1e-6*math.Max(1, floats.Norm(want, math.Inf(1)))) {
						t.Errorf("%v, seed %d: gradient %d is %v, finite differences %v", k, seed, i, got, want)
					}
				}
			}
		}
	}
}

// A fit improves on typical hyperparameters, whatever the kernel.
func TestFitWithAnyKernel(t *testing.T) {
	for _, build := range builds {
		pr := sample(t, rand.New(rand.NewPCG(1, 21)), known, 30)
		k, err := build(pr.dims, pr.graphs...)
		if err != nil {
			t.Fatal(err)
		}
		prior := gp.NewPrior(pr.dims, len(pr.graphs), false)
		rng := rand.New(rand.NewPCG(1, 22))
		_, start, err := gp.Fit(k, prior, pr.xs, pr.y, rng, gp.FitSettings{MaxIterations: 1})
		if err != nil {
			t.Fatal(err)
		}
		h, value, err := gp.Fit(k, prior, pr.xs, pr.y, rng, gp.FitSettings{RandomStarts: 2})
		if err != nil {
			t.Fatal(err)
		}
		if value > start-1 {
			t.Errorf("%v: the fit ends at %g, after its first step %g: %+v", k, value, start, h)
		}
	}
}
