package gp

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

// posteriorDensity evaluates the negative logarithm of the marginal likelihood
// times the priors, and its gradient over the logarithms of the
// hyperparameters. It owns all scratch space of a fit.
type posteriorDensity struct {
	layout
	xs    []fmkernel.Point
	cols  *kernel.Columns
	y     []float64
	hyper Hyper
	eval  *kernel.Evaluator
	chol  linalg.Cholesky

	gram, cov, inverse []float64       // n×n, lower triangles: Scale·k/c̄, K, K⁻¹
	weights, ones, u   []float64       // n: K⁻¹(y - Mean), K⁻¹·1, scratch
	grad, normaliser   fmkernel.Params // ∂/∂log of the kernel's part, and of log c̄
}

func newPosteriorDensity(k *fmkernel.Kernel, prior Prior, xs []fmkernel.Point, y []float64) *posteriorDensity {
	n := len(y)
	f := &posteriorDensity{
		layout: newLayout(k, prior),
		xs:     xs, cols: kernel.NewColumns((*kernel.Kernel)(k), xs), y: y,
		hyper:   Hyper{Params: k.NewParams()},
		gram:    make([]float64, n*n),
		cov:     make([]float64, n*n),
		inverse: make([]float64, n*n),
		weights: make([]float64, n),
		ones:    make([]float64, n),
		u:       make([]float64, n),
		grad:    k.NewParams(), normaliser: k.NewParams(),
	}
	f.eval = kernel.NewEvaluator((*kernel.Kernel)(k), f.hyper.Params)
	return f
}

// at returns the value at the log hyperparameters v and fills grad. It is +Inf
// where K has no Cholesky factor.
func (f *posteriorDensity) at(grad, v []float64) float64 {
	value, ok := f.negLogLikelihood(v)
	if !ok {
		return math.Inf(1)
	}
	n := len(f.y)
	f.grad.Clear()

	// ∂/∂h = Σ_ij W_ij ∂K_ij/∂h with W = (K⁻¹ - weights weightsᵀ)/2.
	f.chol.InverseTo(f.inverse)
	var dScale, dNoise float64
	for i, x := range f.xs {
		row, gram, wi := f.inverse[i*n:i*n+i+1], f.gram[i*n:i*n+i+1], f.weights[i]
		u := f.u[:i+1]
		for j, a := range row {
			u[j] = (a - wi*f.weights[j]) * gram[j] // twice W_ij, for i > j
		}
		u[i] /= 2
		dNoise += 0.5 * (row[i] - wi*wi)
		dScale += floats.Sum(u)
		f.eval.AddParamGrad(f.grad, u, x, f.cols)
	}
	grad[0], grad[1] = dNoise*f.hyper.Noise, dScale
	each(f.grad, f.normaliser, func(g *float64, normaliser float64) { *g -= dScale * normaliser })
	each(f.params(grad), f.grad, func(dst *float64, g float64) { *dst = g })

	for i, e := range f.entries {
		prior, slope := e.at(v[i])
		value += prior
		grad[i] += slope
	}
	return value
}

// hyperAt returns the hyperparameters with the logarithms v and the mean that
// maximises the density there.
func (f *posteriorDensity) hyperAt(v []float64) Hyper {
	f.negLogLikelihood(v)
	return f.hyper.Clone()
}

// negLogLikelihood returns the value without the priors but that of the mean, and
// whether K has a Cholesky factor.
func (f *posteriorDensity) negLogLikelihood(v []float64) (value float64, ok bool) {
	n := len(f.y)
	f.toHyper(&f.hyper, v)
	f.eval.SetParams(f.hyper.Params)
	f.normaliser.Clear()

	factor := f.hyper.Scale / f.eval.MeanDiagGrad(f.normaliser)
	assemble(f.gram, f.eval, factor, f.xs, f.cols)
	copy(f.cov, f.gram)
	for i := range n {
		f.cov[i*n+i] += f.hyper.Noise
	}
	if _, err := f.chol.Factorize(f.cov, n); err != nil {
		return 0, false
	}
	f.setMean()
	value = 0.5 * f.chol.LogDet()
	for i, w := range f.weights {
		value += 0.5 * w * (f.y[i] - f.hyper.Mean)
	}
	value += 0.5 * f.hyper.Mean * f.hyper.Mean / (f.prior.meanSD * f.prior.meanSD)
	return value, true
}

// assemble fills the lower triangle of the n×n matrix gram with factor·k.
func assemble(gram []float64, eval *kernel.Evaluator, factor float64, xs []fmkernel.Point, cols *kernel.Columns) {
	n := len(xs)
	for i, x := range xs {
		row := gram[i*n : i*n+i+1]
		eval.RowTo(row, x, cols)
		floats.Scale(factor, row)
	}
}

// setMean sets the mean that maximises the density given everything else, under its
// prior, and K⁻¹(y - mean).
func (f *posteriorDensity) setMean() {
	for i := range f.ones {
		f.ones[i] = 1
	}
	f.chol.SolveVecTo(f.ones, f.ones)
	f.chol.SolveVecTo(f.weights, f.y)
	f.hyper.Mean = floats.Sum(f.weights) / f.meanPrecision()
	floats.AddScaled(f.weights, -f.hyper.Mean, f.ones)
}

// meanPrecision returns the precision of the mean given the hyperparameters at
// which the density was evaluated last.
func (f *posteriorDensity) meanPrecision() float64 {
	return floats.Sum(f.ones) + 1/(f.prior.meanSD*f.prior.meanSD)
}
