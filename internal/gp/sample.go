package gp

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

const (
	// sliceWidth and maxStepsOut are those of the reference implementation: the
	// first width of a slice, in log units, and how often it may be widened.
	sliceWidth  = 1.0
	maxStepsOut = 10
	// warmUp is the number of sweeps before the first sample, as there.
	warmUp = 5
	// maxShrinks ends a slice that rounding has made empty.
	maxShrinks = 60
	// sweepSlices bounds the coordinates of a sweep: of more, each sweep takes some
	// at random, so that samples cost what they are worth.
	sweepSlices = 60
)

// Sample draws n hyperparameters from their posterior given targets y at xs, by
// slice sampling (Neal, Slice sampling, 2003): one coordinate of the logarithms
// after the other, with stepping out and shrinkage, from start, one sample per
// sweep. The mean is integrated out, and then drawn given the others. It panics
// when len(y) != len(xs). The error is ErrNoFit where the density at start is
// not finite.
func Sample(k *fmkernel.Kernel, prior Prior, xs []fmkernel.Point, y []float64, rng *rand.Rand, start Hyper, n int) ([]Hyper, error) {
	if len(y) != len(xs) {
		panic(badTargets)
	}
	f := newPosteriorDensity(k, prior, xs, y)
	lower, upper := f.bounds()
	v := f.fromHyper(start)
	for i := range v {
		v[i] = math.Min(math.Max(v[i], lower[i]), upper[i])
	}
	level := f.energy(v)
	if math.IsInf(level, 1) || math.IsNaN(level) {
		return nil, ErrNoFit
	}
	samples := make([]Hyper, 0, n)
	for sweep := range warmUp + n {
		for _, i := range rng.Perm(len(v))[:min(len(v), sweepSlices)] {
			if lower[i] < upper[i] {
				level = f.slice(v, i, lower[i], upper[i], level, rng)
			}
		}
		if sweep < warmUp {
			continue
		}
		h := f.hyperAt(v)
		h.Mean += rng.NormFloat64() / math.Sqrt(f.meanPrecision())
		samples = append(samples, h)
	}
	return samples, nil
}

// slice moves v[i] to a point of the slice below a random level, and returns
// the energy there, given the energy at v.
func (f *posteriorDensity) slice(v []float64, i int, lower, upper, energy float64, rng *rand.Rand) float64 {
	level := energy + rng.ExpFloat64()
	at := v[i]
	inside := func(x float64) bool {
		if x < lower || x > upper {
			return false
		}
		v[i] = x
		return f.energy(v) <= level
	}
	low := at - sliceWidth*rng.Float64()
	high := low + sliceWidth
	left := rng.IntN(maxStepsOut + 1)
	right := maxStepsOut - left
	for ; left > 0 && inside(low); left-- {
		low -= sliceWidth
	}
	for ; right > 0 && inside(high); right-- {
		high += sliceWidth
	}
	low, high = math.Max(low, lower), math.Min(high, upper)
	for range maxShrinks {
		x := low + (high-low)*rng.Float64()
		v[i] = x
		if e := f.energy(v); e <= level {
			return e
		}
		if x < at {
			low = x
		} else {
			high = x
		}
	}
	v[i] = at
	return energy
}

// energy returns the negative logarithm of the density over the logarithms v,
// with the mean integrated out, up to a constant. It is +Inf where K has no
// Cholesky factor.
func (f *posteriorDensity) energy(v []float64) float64 {
	value, ok := f.negLogLikelihood(v)
	if !ok {
		return math.Inf(1)
	}
	value += 0.5 * math.Log(f.meanPrecision())
	for i, e := range f.entries {
		prior, _ := e.at(v[i])
		value += prior
	}
	if math.IsNaN(value) {
		return math.Inf(1)
	}
	return value
}
