package gp

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// PredictAverage returns mean and variance of the average of the latent function
// over xs, at least one point. Averaging is linear, so this is the posterior of a
// Gaussian process at a single point, whose covariances are averages.
func (p *Predictor) PredictAverage(xs []fmkernel.Point) (mean, variance float64) {
	share := 1 / float64(len(xs))
	cross := make([]float64, len(p.weights))
	cols, among := kernel.NewColumns(p.kernel, xs), make([]float64, len(xs))
	for i, x := range xs {
		p.eval.RowTo(p.row, x, p.cols)
		floats.AddScaled(cross, p.factor*share, p.row)
		p.eval.RowTo(among[:i+1], x, cols)
		variance += p.factor * share * share * (2*floats.Sum(among[:i]) + among[i])
	}
	p.chol.ForwardVecTo(p.v, cross)
	return p.hyper.Mean + floats.Dot(cross, p.weights), p.clamp(variance - floats.Dot(p.v, p.v))
}

// Joint returns means and covariances of the latent function at all of xs together;
// of the m×m matrix the lower triangle.
func (p *Predictor) Joint(xs []fmkernel.Point) (means, cov []float64) {
	n, m := len(p.weights), len(xs)
	means, cov = make([]float64, m), make([]float64, m*m)
	columns := make([]float64, n*m)
	cols := kernel.NewColumns(p.kernel, xs)
	for i, x := range xs {
		p.eval.RowTo(p.row, x, p.cols)
		floats.Scale(p.factor, p.row)
		means[i] = p.hyper.Mean + floats.Dot(p.row, p.weights)
		for j, k := range p.row {
			columns[j*m+i] = k
		}
		among := cov[i*m : i*m+i+1]
		p.eval.RowTo(among, x, cols)
		floats.Scale(p.factor, among)
	}
	// K(xs, xs) - VᵀV with V = L⁻¹ K(X, xs).
	p.chol.ForwardColumns(columns, m)
	blas64.Syrk(blas.Trans, -1, blas64.General{Rows: n, Cols: m, Data: columns, Stride: m},
		1, blas64.Symmetric{Uplo: blas.Lower, N: m, Data: cov, Stride: m})
	for i := range m {
		cov[i*m+i] = p.clamp(cov[i*m+i])
	}
	return means, cov
}

// Draw returns draws of the latent function at all of xs together: count rows of
// length len(xs); false where their covariance is not finite.
//
// Next to observations it is smaller than the rounding errors of the prior that it
// comes from, and then not positive definite by far: its root is taken by its
// eigenvalues, of which those below zero count as zero.
func (p *Predictor) Draw(xs []fmkernel.Point, count int, rng *rand.Rand) (draws [][]float64, ok bool) {
	m := len(xs)
	means, cov := p.Joint(xs)
	symmetric := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			symmetric.SetSym(i, j, cov[i*m+j])
		}
	}
	var eigen mat.EigenSym
	if math.IsNaN(floats.Sum(cov)) || math.IsInf(floats.Sum(cov), 0) || !eigen.Factorize(symmetric, true) {
		return nil, false
	}
	var root mat.Dense
	eigen.VectorsTo(&root)
	for j, lambda := range eigen.Values(nil) {
		sd := math.Sqrt(math.Max(lambda, 0))
		for i := range m {
			root.Set(i, j, sd*root.At(i, j))
		}
	}
	z := mat.NewVecDense(m, nil)
	for range count {
		for i := range m {
			z.SetVec(i, rng.NormFloat64())
		}
		draw := mat.NewVecDense(m, make([]float64, m))
		draw.MulVec(&root, z)
		floats.Add(draw.RawVector().Data, means)
		draws = append(draws, draw.RawVector().Data)
	}
	return draws, true
}
