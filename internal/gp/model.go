package gp

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const (
	badTargets = "gp: number of targets differs from number of points"

	// varianceFloor, relative to Scale, keeps the variance at a data point from
	// rounding below zero.
	varianceFloor = 1e-14
)

// Model is a Gaussian process conditioned on data. It is immutable; a Predictor
// of it serves one goroutine.
type Model struct {
	*Covariance
	y       []float64 // len n
	weights []float64 // K⁻¹(y - Mean), len n
}

// Condition returns the posterior given targets y at xs, with the mean of h as
// it is. The error wraps linalg.ErrNotPositiveDefinite when no jitter helps. It
// panics when len(y) != len(xs).
func Condition(k *fmkernel.Kernel, h Hyper, xs []fmkernel.Point, y []float64) (*Model, error) {
	if len(y) != len(xs) {
		panic(badTargets)
	}
	c, err := NewCovariance(k, h, xs)
	if err != nil {
		return nil, err
	}
	return c.Condition(y)
}

// Condition returns the posterior given targets y at the points of c. It keeps y,
// and panics when their numbers differ.
func (c *Covariance) Condition(y []float64) (*Model, error) {
	if len(y) != len(c.xs) {
		panic(badTargets)
	}
	m := &Model{Covariance: c, y: y, weights: make([]float64, len(y))}
	for i, yi := range y {
		m.weights[i] = yi - c.hyper.Mean
	}
	c.chol.SolveVecTo(m.weights, m.weights)
	if sum := floats.Sum(m.weights); math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("gp: conditioning on %d points: weights are not finite", len(y))
	}
	return m, nil
}

// FittedTo stores the mean of the latent function at the first len(dst) data
// points: y - Noise·weights, since K - Noise·I is the covariance of the two.
func (m *Model) FittedTo(dst []float64) {
	for i := range dst {
		dst[i] = m.y[i] - m.hyper.Noise*m.weights[i]
	}
}

// LeaveOneOut returns, for each of the last n data points, the mean and variance of its
// target predicted from all others (Rasmussen and Williams, Eqs. 5.12). It panics when
// there are fewer.
func (m *Model) LeaveOneOut(n int) (means, variances []float64) {
	first := len(m.y) - n
	means, variances = make([]float64, n), make([]float64, n)
	m.chol.InverseDiagonalTo(variances)
	for i, precision := range variances {
		means[i] = m.y[first+i] - m.weights[first+i]/precision
		variances[i] = 1 / precision
	}
	return means, variances
}

// Contradicted returns the indices of data points whose targets are larger than all others
// predict (Rasmussen and Williams, Eqs. 5.12), by more than so many standard deviations of
// the prediction and by more than excess, in units of the targets. The one that is larger by
// the most standard deviations comes first. The next ones are found among the rest in the
// same way, until there are so many at most. It costs O(n³), and O(n²) for each.
func (m *Model) Contradicted(deviations, excess float64, most int) (indices []int) {
	n := len(m.y)
	precision := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: make([]float64, n*n)}
	m.chol.InverseTo(precision.Data)
	weights, column := slices.Clone(m.weights), make([]float64, n)
	for len(indices) < most {
		worst, above := -1, deviations
		for i, weight := range weights {
			sd := 1 / math.Sqrt(precision.Data[i*n+i])
			if z := weight * sd; z > above && z*sd > excess && !slices.Contains(indices, i) {
				worst, above = i, z
			}
		}
		if worst < 0 {
			break
		}
		indices = append(indices, worst)
		// Without it, the inverse of the covariance is a Schur complement.
		for i := range column {
			column[i] = precision.Data[max(i, worst)*n+min(i, worst)]
		}
		pivot := column[worst]
		floats.AddScaled(weights, -weights[worst]/pivot, column)
		blas64.Syr(-1/pivot, blas64.Vector{N: n, Inc: 1, Data: column}, precision)
	}
	return indices
}

// Predictor evaluates a Model. It owns scratch space: one per goroutine.
type Predictor struct {
	*Model
	eval               *kernel.Evaluator
	row, slope, v, w   []float64 // n
	rows, columns, sum []float64 // batch scratch
}

// Predictor returns a new Predictor of the model.
func (m *Model) Predictor() *Predictor {
	n := len(m.weights)
	return &Predictor{
		Model: m, eval: kernel.NewEvaluator(m.kernel, m.hyper.Params),
		row: make([]float64, n), slope: make([]float64, n), v: make([]float64, n), w: make([]float64, n),
	}
}

// Predict returns mean and variance of the latent function at x.
func (p *Predictor) Predict(x fmkernel.Point) (mean, variance float64) {
	p.eval.RowTo(p.row, x, p.cols)
	floats.Scale(p.factor, p.row)
	p.chol.ForwardVecTo(p.v, p.row)
	return p.hyper.Mean + floats.Dot(p.row, p.weights), p.clamp(p.prior(x) - floats.Dot(p.v, p.v))
}

// PredictGrad is Predict with the derivatives with respect to x.C in dMean and
// dVariance, both len D.
func (p *Predictor) PredictGrad(dMean, dVariance []float64, x fmkernel.Point) (mean, variance float64) {
	mean, variance = p.Predict(x)
	// With v = L⁻¹k: ∂mean = weightsᵀ ∂k and ∂variance = -2 (L⁻ᵀv)ᵀ ∂k, where
	// ∂k_j = k_j · ∂log k_j/∂d2 · ∂d2_j.
	p.chol.BackwardVecTo(p.w, p.v)
	p.eval.SlopeTo(p.slope, x, p.cols)
	for j, k := range p.row {
		s := k * p.slope[j]
		p.v[j] = s * p.weights[j]
		p.w[j] *= -2 * s
	}
	p.eval.InputGradTo(dMean, dVariance, p.v, p.w, x, p.cols)
	p.eval.AddDiagGrad(dVariance, p.factor, x)
	return mean, variance
}

// batchSize is the number of points whose covariances with the data are solved
// for together: enough columns for level-3 BLAS, few enough to stay in cache.
const batchSize = 64

// PredictBatch stores mean and variance at each of xs.
func (p *Predictor) PredictBatch(means, variances []float64, xs []fmkernel.Point) {
	for len(xs) > 0 {
		m := min(batchSize, len(xs))
		rows := p.batchRows(m)
		for i, x := range xs[:m] {
			p.eval.RowTo(rows[i*len(p.weights):(i+1)*len(p.weights)], x, p.cols)
			variances[i] = p.prior(x)
		}
		p.finishBatch(means[:m], variances[:m], rows)
		means, variances, xs = means[m:], variances[m:], xs[m:]
	}
}

// PredictMeans stores the mean at each of xs, at a fraction of the cost of
// PredictBatch.
func (p *Predictor) PredictMeans(means []float64, xs []fmkernel.Point) {
	for i, x := range xs {
		p.eval.RowTo(p.row, x, p.cols)
		means[i] = p.hyper.Mean + p.factor*floats.Dot(p.row, p.weights)
	}
}

// PredictMoves stores mean and variance at x after each of the moves, ordered by
// graph: the neighbours of x, evaluated together.
func (p *Predictor) PredictMoves(means, variances []float64, x fmkernel.Point, moves []kernel.Move) {
	y := x.Clone()
	for len(moves) > 0 {
		m := min(batchSize, len(moves))
		rows := p.batchRows(m)
		p.eval.MoveRowsTo(rows, len(p.weights), x, moves[:m], p.cols)
		for i, move := range moves[:m] {
			y.V[move.Graph] = move.Vertex
			variances[i] = p.prior(y)
			y.V[move.Graph] = x.V[move.Graph]
		}
		p.finishBatch(means[:m], variances[:m], rows)
		means, variances, moves = means[m:], variances[m:], moves[m:]
	}
}

// batchRows returns scratch for m rows of length n.
func (p *Predictor) batchRows(m int) []float64 {
	n := len(p.weights)
	if p.sum == nil {
		p.rows, p.columns = make([]float64, batchSize*n), make([]float64, batchSize*n)
		p.sum = make([]float64, batchSize)
	}
	return p.rows[:m*n]
}

// finishBatch turns m rows of k(x_i, cols) and prior variances into posterior
// means and variances.
func (p *Predictor) finishBatch(means, variances, rows []float64) {
	n, m := len(p.weights), len(means)
	columns := p.columns[:n*m]
	for i := range m {
		row := rows[i*n : (i+1)*n]
		floats.Scale(p.factor, row)
		means[i] = p.hyper.Mean + floats.Dot(row, p.weights)
		for j, k := range row {
			columns[j*m+i] = k
		}
	}
	p.chol.ForwardColumns(columns, m)
	sum := p.sum[:m]
	clear(sum)
	for j := range n {
		for i, v := range columns[j*m : (j+1)*m] {
			sum[i] += v * v
		}
	}
	for i := range variances {
		variances[i] = p.clamp(variances[i] - sum[i])
	}
}

// prior returns the prior variance of the latent function at x.
func (p *Predictor) prior(x fmkernel.Point) float64 { return p.factor * p.eval.Diag(x) }

func (p *Predictor) clamp(variance float64) float64 {
	return math.Max(variance, varianceFloor*p.hyper.Scale)
}
