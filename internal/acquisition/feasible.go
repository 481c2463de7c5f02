package acquisition

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// Feasible returns the logarithm of the probability that a trial has a value, or that
// a constraint holds, where a latent function g, of which post is the posterior, is
// positive: log P(g + ε > 0), ε ~ N(0, noise).
func Feasible(post Posterior, noise float64) Func {
	return &score{posterior: post, of: func(mean, variance float64) (value, dMean, dVariance float64) {
		return LogFeasibleGrad(mean, variance+noise)
	}}
}

// LogFeasible returns log P(g > 0) for g ~ N(mean, variance).
func LogFeasible(mean, variance float64) float64 {
	value, _ := logCDF(mean / math.Sqrt(variance))
	return value
}

// LogFeasibleGrad returns LogFeasible and its derivatives with respect to mean
// and variance.
func LogFeasibleGrad(mean, variance float64) (value, dMean, dVariance float64) {
	sd := math.Sqrt(variance)
	value, ratio := logCDF(mean / sd)
	return value, ratio / sd, -0.5 * ratio * mean / (sd * variance)
}

// Product is the logarithm of the product of the functions whose logarithms it
// holds: of an expected improvement and the probability that a trial is feasible,
// independent of each other (Schonlau, Welch and Jones, Global versus local search in
// constrained optimization of computer models, 1998).
type Product []Func

// ValueGrad implements Func.
func (fs Product) ValueGrad(grad []float64, x fmkernel.Point) float64 {
	sum, part := 0.0, make([]float64, len(grad))
	clear(grad)
	for _, f := range fs {
		sum += f.ValueGrad(part, x)
		for d, g := range part {
			grad[d] += g
		}
	}
	return sum
}

// ValueBatch implements Func.
func (fs Product) ValueBatch(dst []float64, xs []fmkernel.Point) {
	fs.add(dst, func(f Func, part []float64) { f.ValueBatch(part, xs) })
}

// ValueMoves implements Func.
func (fs Product) ValueMoves(dst []float64, x fmkernel.Point, moves []kernel.Move) {
	fs.add(dst, func(f Func, part []float64) { f.ValueMoves(part, x, moves) })
}

// add stores the sums of what evaluate stores for each function.
func (fs Product) add(dst []float64, evaluate func(f Func, part []float64)) {
	part := make([]float64, len(dst))
	clear(dst)
	for _, f := range fs {
		evaluate(f, part)
		for i, v := range part {
			dst[i] += v
		}
	}
}

// logCDF returns log Φ(z) and its derivative φ(z)/Φ(z).
func logCDF(z float64) (value, ratio float64) {
	switch {
	case z > zDirect:
		cdf := 0.5 * math.Erfc(-z/math.Sqrt2)
		return math.Log(cdf), invSqrt2Pi * math.Exp(-0.5*z*z) / cdf
	case z > zSeries:
		mills := math.Sqrt(math.Pi/2) * math.Exp(0.5*z*z) * math.Erfc(-z/math.Sqrt2)
		return -0.5*z*z - logSqrt2Pi + math.Log(mills), 1 / mills
	}
	// |z| M = 1 - z⁻² + 3z⁻⁴ - 3·5z⁻⁶ + …
	w, r := 1/(z*z), 1.0
	for k := seriesTerms; k > 0; k-- {
		r = 1 - float64(2*k-1)*w*r
	}
	return -0.5*z*z - logSqrt2Pi + math.Log(-r/z), -z / r
}
