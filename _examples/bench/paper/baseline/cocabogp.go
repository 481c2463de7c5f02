package baseline

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// cocaboHyper holds the hyperparameters of CoCaBO's Gaussian process for
// standardised values,
//
//	k = (1-λ)(k_h + k_x) + λ k_h k_x,
//
// with k_h = CatScale × the share of categories that agree and k_x = Scale ×
// Matérn-5/2 of one lengthscale in the unit box.
type cocaboHyper struct {
	CatScale, Scale, Lengthscale, Noise float64
}

const cocaboHypers = 4 // number of hyperparameters

// cocaboDefault is where fits start; cocaboLower and cocaboUpper bound them.
var (
	cocaboDefault = cocaboHyper{1, 1, 0.2, 1e-3}
	cocaboLower   = cocaboHyper{1e-3, 1e-3, 0.01, 1e-6}
	cocaboUpper   = cocaboHyper{1e3, 1e3, 10, 1}
)

const cocaboRestarts = 5

var errCocabo = errors.New("baseline: the covariance of CoCaBO is not positive definite")

func (h cocaboHyper) logs() []float64 {
	return []float64{math.Log(h.CatScale), math.Log(h.Scale), math.Log(h.Lengthscale), math.Log(h.Noise)}
}

func cocaboFromLogs(x []float64) cocaboHyper {
	return cocaboHyper{math.Exp(x[0]), math.Exp(x[1]), math.Exp(x[2]), math.Exp(x[3])}
}

// cocaboData is n evaluated points, continuous values in the unit box and
// values standardised.
type cocaboData struct {
	mix     float64
	u       [][]float64
	v       [][]int
	y       []float64
	overlap []float64 // n×n, share of categories that agree
	dist    []float64 // n×n, Euclidean distance
}

func newCocaboData(continuous []problems.Param, trials []Trial, mix float64) *cocaboData {
	n := len(trials)
	data := &cocaboData{mix: mix, y: make([]float64, n), overlap: make([]float64, n*n), dist: make([]float64, n*n)}
	for i, t := range trials {
		u := make([]float64, len(continuous))
		for d, q := range continuous {
			u[d] = (t.C[d] - q.Low) / (q.High - q.Low)
		}
		data.u, data.v = append(data.u, u), append(data.v, t.V)
		data.y[i] = t.Value
	}
	mean, sd := stat.PopMeanStdDev(data.y, nil)
	if sd == 0 {
		sd = 1
	}
	for i := range n {
		data.y[i] = (data.y[i] - mean) / sd
		for j := range n {
			data.overlap[i*n+j] = agreement(data.v[i], data.v[j])
			data.dist[i*n+j] = distance(data.u[i], data.u[j])
		}
	}
	return data
}

// agreement returns the share of categories that agree.
func agreement(v, w []int) float64 {
	if len(v) == 0 {
		return 1
	}
	same := 0
	for p := range v {
		if v[p] == w[p] {
			same++
		}
	}
	return float64(same) / float64(len(v))
}

// distance returns the Euclidean distance.
func distance(u, w []float64) float64 {
	var sum float64
	for d := range u {
		sum += (u[d] - w[d]) * (u[d] - w[d])
	}
	return math.Sqrt(sum)
}

// matern returns the Matérn-5/2 function of r/ℓ, and its derivative with respect
// to r/ℓ divided by r/ℓ.
func matern(r float64) (k, slope float64) {
	s := math.Sqrt(5) * r
	e := math.Exp(-s)
	return (1 + s + s*s/3) * e, -5.0 / 3 * (1 + s) * e
}

// split returns a and b of k = a + b·Matérn at overlap s.
func (h cocaboHyper) split(mix, s float64) (a, b float64) {
	kh := h.CatScale * s
	return (1 - mix) * kh, ((1 - mix) + mix*kh) * h.Scale
}

// fit returns the hyperparameters of maximum likelihood, of several starts.
func (data *cocaboData) fit(rng *rand.Rand) cocaboHyper {
	lower, upper, start := cocaboLower.logs(), cocaboUpper.logs(), cocaboDefault.logs()
	best := boxmin.Result{X: start, F: math.Inf(1)}
	for i := range cocaboRestarts {
		x := append([]float64(nil), start...)
		if i > 0 {
			for k := range x {
				x[k] += rng.NormFloat64()
			}
		}
		settings := boxmin.Settings{MaxIterations: 50, GradTol: 1e-2, FuncTol: 1e-5}
		if result := boxmin.Minimize(data.negLogLikelihood, x, lower, upper, settings); result.F < best.F {
			best = result
		}
	}
	return cocaboFromLogs(best.X)
}

// negLogLikelihood returns the negative logarithm of the marginal likelihood up
// to a constant, as a boxmin.Func of the logarithms of the hyperparameters:
// Rasmussen and Williams (2006), Eqs. (2.30) and (5.9).
func (data *cocaboData) negLogLikelihood(grad, x []float64) float64 {
	n := len(data.y)
	h := cocaboFromLogs(x)
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(n, data.covariance(h))) {
		return math.Inf(1)
	}
	var inverse mat.SymDense
	if err := chol.InverseTo(&inverse); err != nil {
		return math.Inf(1) // too badly conditioned to be of use
	}
	var weights mat.VecDense
	weights.MulVec(&inverse, mat.NewVecDense(n, data.y))
	w, inv := weights.RawVector().Data, inverse.RawSymmetric()

	clear(grad)
	for i := range n {
		for j := i; j < n; j++ {
			g := 0.5 * (inv.Data[i*inv.Stride+j] - w[i]*w[j]) // ∂/∂K_ij
			if i != j {
				g *= 2
			} else {
				grad[3] += g * h.Noise
			}
			s := data.overlap[i*n+j]
			r := data.dist[i*n+j] / h.Lengthscale
			k, slope := matern(r)
			a, b := h.split(data.mix, s)
			grad[0] += g * (a + data.mix*h.CatScale*s*h.Scale*k)
			grad[1] += g * b * k
			grad[2] -= g * b * slope * r * r // ∂r/∂log ℓ = -r
		}
	}
	return 0.5*floats.Dot(w, data.y) + 0.5*chol.LogDet()
}

// covariance returns the n×n covariance of the values.
func (data *cocaboData) covariance(h cocaboHyper) []float64 {
	n := len(data.y)
	cov := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			k, _ := matern(data.dist[i*n+j] / h.Lengthscale)
			a, b := h.split(data.mix, data.overlap[i*n+j])
			cov[i*n+j] = a + b*k
			cov[j*n+i] = cov[i*n+j]
		}
		cov[i*n+i] += h.Noise
	}
	return cov
}

// cocaboModel is the process conditioned on data.
type cocaboModel struct {
	*cocaboData
	hyper   cocaboHyper
	chol    linalg.Cholesky
	weights []float64
}

func (data *cocaboData) condition(h cocaboHyper) (*cocaboModel, error) {
	model := &cocaboModel{cocaboData: data, hyper: h, weights: make([]float64, len(data.y))}
	if _, err := model.chol.Factorize(data.covariance(h), len(data.y)); err != nil {
		return nil, errors.Join(errCocabo, err)
	}
	model.chol.SolveVecTo(model.weights, data.y)
	return model, nil
}

// cocaboSlice is the model at fixed categories: k(x, x_j) = a_j + b_j Matérn.
type cocaboSlice struct {
	*cocaboModel
	a, b  []float64
	prior float64 // variance
}

func (m *cocaboModel) given(v []int) *cocaboSlice {
	n := len(m.y)
	s := &cocaboSlice{cocaboModel: m, a: make([]float64, n), b: make([]float64, n)}
	for j := range n {
		s.a[j], s.b[j] = m.hyper.split(m.mix, agreement(v, m.v[j]))
	}
	a, b := m.hyper.split(m.mix, 1)
	s.prior = a + b
	return s
}

// lowerBounds returns mean - κ·standard deviation at each point.
func (s *cocaboSlice) lowerBounds(points [][]float64, kappa float64) []float64 {
	const batch = 64 // columns of a triangular solve that stay in the cache
	n := len(s.y)
	bounds := make([]float64, len(points))
	cross := make([]float64, n*batch)
	for first := 0; first < len(points); first += batch {
		m := min(batch, len(points)-first)
		means, variances := make([]float64, m), make([]float64, m)
		for j := range n {
			row := cross[j*m : (j+1)*m]
			for i, u := range points[first : first+m] {
				k, _ := matern(distance(u, s.u[j]) / s.hyper.Lengthscale)
				row[i] = s.a[j] + s.b[j]*k
			}
			floats.AddScaled(means, s.weights[j], row)
		}
		s.chol.ForwardColumns(cross[:n*m], m)
		for j := range n {
			for i, x := range cross[j*m : (j+1)*m] {
				variances[i] += x * x
			}
		}
		for i := range m {
			bounds[first+i] = means[i] - kappa*math.Sqrt(math.Max(s.prior-variances[i], 0))
		}
	}
	return bounds
}

// lowerBoundGrad returns mean - κ·standard deviation at u, and its gradient.
func (s *cocaboSlice) lowerBoundGrad(grad, u []float64, kappa float64) float64 {
	n := len(s.y)
	cross, slopes, solved := make([]float64, n), make([]float64, n), make([]float64, n)
	for j := range n {
		k, slope := matern(distance(u, s.u[j]) / s.hyper.Lengthscale)
		cross[j] = s.a[j] + s.b[j]*k
		slopes[j] = s.b[j] * slope / (s.hyper.Lengthscale * s.hyper.Lengthscale)
	}
	s.chol.SolveVecTo(solved, cross)
	mean := floats.Dot(cross, s.weights)
	sd := math.Sqrt(math.Max(s.prior-floats.Dot(cross, solved), 1e-12))
	clear(grad)
	for j := range n {
		// ∂mean = weightsᵀ ∂k, ∂sd = -(K⁻¹k)ᵀ ∂k / sd, ∂k_j/∂u = slope_j (u - u_j).
		g := slopes[j] * (s.weights[j] + kappa*solved[j]/sd)
		for d := range grad {
			grad[d] += g * (u[d] - s.u[j][d])
		}
	}
	return mean - kappa*sd
}
