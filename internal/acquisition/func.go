package acquisition

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// Posterior is what an acquisition function needs from a surrogate.
type Posterior interface {
	// PredictGrad returns mean and variance at x, and stores their derivatives
	// with respect to x.C.
	PredictGrad(dMean, dVariance []float64, x fmkernel.Point) (mean, variance float64)
	// PredictBatch stores mean and variance at each of xs.
	PredictBatch(means, variances []float64, xs []fmkernel.Point)
	// PredictMoves does so at x after each of the moves, ordered by graph.
	PredictMoves(means, variances []float64, x fmkernel.Point, moves []kernel.Move)
}

// Func is the logarithm of an acquisition function, to be maximised. It serves
// one goroutine.
type Func interface {
	// ValueGrad returns the value at x, and stores its derivatives with respect
	// to x.C in grad.
	ValueGrad(grad []float64, x fmkernel.Point) float64
	// ValueBatch stores the value at each of xs.
	ValueBatch(dst []float64, xs []fmkernel.Point)
	// ValueMoves does so at x after each of the moves, ordered by graph.
	ValueMoves(dst []float64, x fmkernel.Point, moves []kernel.Move)
}

// EI returns the logarithm of the expected improvement below best.
func EI(post Posterior, best float64) Func {
	return &score{posterior: post, of: func(mean, variance float64) (value, dMean, dVariance float64) {
		return LogEIGrad(best, mean, variance)
	}}
}

// score is a function of the posterior mean and variance. It owns scratch space:
// one per goroutine.
type score struct {
	posterior Posterior
	of        func(mean, variance float64) (value, dMean, dVariance float64)
	scratch   []float64
}

// ValueGrad implements Func.
func (f *score) ValueGrad(grad []float64, x fmkernel.Point) float64 {
	dVariance := f.two(len(grad))[:len(grad)]
	mean, variance := f.posterior.PredictGrad(grad, dVariance, x)
	value, dm, dv := f.of(mean, variance)
	for d := range grad {
		grad[d] = dm*grad[d] + dv*dVariance[d]
	}
	return value
}

// ValueBatch implements Func.
func (f *score) ValueBatch(dst []float64, xs []fmkernel.Point) {
	n := len(xs)
	both := f.two(n)
	f.posterior.PredictBatch(both[:n], both[n:], xs)
	f.values(dst, both)
}

// ValueMoves implements Func.
func (f *score) ValueMoves(dst []float64, x fmkernel.Point, moves []kernel.Move) {
	n := len(moves)
	both := f.two(n)
	f.posterior.PredictMoves(both[:n], both[n:], x, moves)
	f.values(dst, both)
}

// values stores the values for means and variances, one after the other in both.
func (f *score) values(dst, both []float64) {
	n := len(both) / 2
	for i := range n {
		dst[i], _, _ = f.of(both[i], both[n+i])
	}
}

// two returns scratch for two slices of length n.
func (f *score) two(n int) []float64 {
	if cap(f.scratch) < 2*n {
		f.scratch = make([]float64, 2*n)
	}
	return f.scratch[:2*n]
}

// Average is the logarithm of the mean of the functions whose logarithms it
// holds: of the expected improvement under each of several hyperparameters.
type Average []Func

// ValueGrad implements Func.
func (fs Average) ValueGrad(grad []float64, x fmkernel.Point) float64 {
	values, grads := make([]float64, len(fs)), make([]float64, len(fs)*len(grad))
	for i, f := range fs {
		values[i] = f.ValueGrad(grads[i*len(grad):(i+1)*len(grad)], x)
	}
	value := logMean(values)
	clear(grad)
	for i, v := range values { // each in proportion to its share in the mean
		share := math.Exp(v-value) / float64(len(fs))
		floats.AddScaled(grad, share, grads[i*len(grad):(i+1)*len(grad)])
	}
	return value
}

// ValueBatch implements Func.
func (fs Average) ValueBatch(dst []float64, xs []fmkernel.Point) {
	fs.average(dst, func(f Func, dst []float64) { f.ValueBatch(dst, xs) })
}

// ValueMoves implements Func.
func (fs Average) ValueMoves(dst []float64, x fmkernel.Point, moves []kernel.Move) {
	fs.average(dst, func(f Func, dst []float64) { f.ValueMoves(dst, x, moves) })
}

// average stores the logarithms of the means of what evaluate stores for each
// function.
func (fs Average) average(dst []float64, evaluate func(f Func, dst []float64)) {
	n := len(dst)
	all := make([]float64, len(fs)*n)
	for i, f := range fs {
		evaluate(f, all[i*n:(i+1)*n])
	}
	values := make([]float64, len(fs))
	for j := range dst {
		for i := range fs {
			values[i] = all[i*n+j]
		}
		dst[j] = logMean(values)
	}
}

// logMean returns the logarithm of the mean of the exponentials.
func logMean(values []float64) float64 {
	return floats.LogSumExp(values) - math.Log(float64(len(values)))
}
