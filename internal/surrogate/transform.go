package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Transform takes objective values that are to be minimised to targets with
// mean 0 and variance 1, monotonically. It is fitted to values, and takes others
// as well.
type Transform struct {
	name     string
	lo, span float64 // u = (y - lo)/(2 span) is a value scaled to [0, 1]
	shape    *shape  // of values
	mean, sd float64
	// Below the least target, least, u falls by slope per unit; -Inf where the shape knows
	// what is below.
	least, slope float64
}

// The names of the transforms.
const (
	// linear up to the median, logarithmic above: med + s·log(1 + (y-med)/s), s = med - min.
	// How bad a bad trial was says little about where the optimum is, and heavy upper tails
	// would dictate the hyperparameters.
	defaultTransform = ""
	linearTransform  = "linear"
	// Box and Cox's power ½ of the distance from the minimum
	rootTransform = "root"
	// the default after the logarithm of values of one sign
	logTransform = "log"
	// the logarithm of the distance from just below the minimum, log(y - min + δ), with δ
	// the distance of the 25 % or 5 % quantile
	log25Transform, log5Transform = "log25", "log5"
	// linear about the median, logarithmic on both sides of the quartiles
	asinhTransform = "asinh"
	// normal scores
	rankTransform = "rank"
)

// transformNames lists the transforms in the order of their preference.
func transformNames() []string {
	return []string{
		defaultTransform, linearTransform, rootTransform, logTransform, log25Transform, log5Transform, asinhTransform, rankTransform,
	}
}

// fromMinimum reports whether a transform is a logarithm of the distance from the minimum.
func fromMinimum(name string) bool { return name == log25Transform || name == log5Transform }

// newTransform fits the transform of that name to at least one value. ok is
// false when it does not apply to them, or the name is none.
func newTransform(name string, y []float64) (t *Transform, ok bool) {
	t = &Transform{name: name, sd: 1, least: math.Inf(-1)}
	// Into a range in which differences and squares neither overflow nor vanish.
	lo, hi := slices.Min(y), slices.Max(y)
	t.lo, t.span = lo, hi/2-lo/2
	if t.span == 0 {
		t.shape = &shape{func(float64) float64 { return 0 }, func(float64) float64 { return lo }}
		return t, name == defaultTransform
	}
	if name == logTransform {
		t.shape = logarithm(y)
	} else if of := shapeOf(name, mapped(slices.Sorted(slices.Values(y)), t.unit)); of != nil {
		t.shape = &shape{
			to:   func(y float64) float64 { return of.to(t.unit(y)) },
			from: func(v float64) float64 { return 2 * (lo/2 + of.from(v)*t.span) },
		}
	}
	if t.shape == nil {
		return t, false
	}
	t.mean, t.sd = stat.PopMeanStdDev(mapped(y, t.shape.to), nil)
	if name != logTransform {
		t.setSlope(y)
	}
	return t, t.sd > 0 && !math.IsInf(t.sd, 1)
}

func mapped(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// fitTransform is newTransform, with the default transform where that of the name does
// not apply.
func fitTransform(name string, y []float64) *Transform {
	t, ok := newTransform(name, y)
	if !ok {
		t, _ = newTransform(defaultTransform, y)
	}
	return t
}

// slopeQuantile is up to which quantile of the values the slope is taken with which
// values continue below the least one.
const slopeQuantile = 0.1

// setSlope sets what continues the transform below the least value, about which
// the shapes of u say nothing: some are constant there, others exponential.
func (t *Transform) setSlope(y []float64) {
	sorted := slices.Sorted(slices.Values(y))
	i := int(slopeQuantile * float64(len(sorted)))
	for i < len(sorted)-1 && t.Target(sorted[i]) == t.Target(sorted[0]) {
		i++
	}
	t.least = t.Target(sorted[0])
	if rise := t.Target(sorted[i]) - t.least; rise > 0 {
		t.slope = t.unit(sorted[i]) / rise
	}
}

// Magnifies reports whether the transform magnifies the differences of values where most of
// them are: those on a plateau, however small.
func (t *Transform) Magnifies() bool {
	return t.name == defaultTransform || t.name == asinhTransform || t.name == rankTransform
}

func (t *Transform) unit(y float64) float64 { return (y/2 - t.lo/2) / t.span }

// Target returns the target of a value.
func (t *Transform) Target(y float64) float64 {
	return (t.shape.to(y) - t.mean) / t.sd
}

// Value returns the value with a target: the inverse of Target where there are
// values. Below the least of them it is linear, or for logarithms exponential.
func (t *Transform) Value(target float64) float64 {
	y := t.shape.from(target*t.sd + t.mean)
	if target < t.least {
		y = 2 * (t.lo/2 + (target-t.least)*t.slope*t.span)
	}
	return math.Max(-math.MaxFloat64, math.Min(y, math.MaxFloat64))
}

// Targets returns the targets of values.
func (t *Transform) Targets(y []float64) []float64 {
	return mapped(y, t.Target)
}

// spacingWindow is, as a power of the number of values, over how many of them a
// slope is taken.
const spacingWindow = 0.5

// logJacobian returns Σ log dt/dy over the values that the transform was fitted
// to, up to a constant that all transforms of the same values share: with it,
// likelihoods of their targets are likelihoods of the values.
//
// Slopes are taken between values, over a window of about √n of them: that of
// the normal scores is an estimate of the density (Vasicek, A test for normality
// based on sample entropy, 1976), and the others are measured by the same rod.
// The normal scores, which fit anything, pay for their parameters, one per value.
func (t *Transform) logJacobian(y []float64) float64 {
	sorted := slices.Sorted(slices.Values(y))
	n := len(sorted)
	m := max(1, int(math.Round(math.Pow(float64(n), spacingWindow)/2)))
	sum := 0.0
	for i := range sorted {
		lo, hi := around(sorted, i, m)
		dy := t.unit(sorted[hi]) - t.unit(sorted[lo])
		dt := t.Target(sorted[hi]) - t.Target(sorted[lo])
		sum += math.Log(math.Max(dt, minDelta)) - math.Log(math.Max(dy, minDelta))
	}
	if t.name == rankTransform {
		sum -= float64(n) // Akaike's penalty: a slope for each value
	}
	return sum
}

// around returns the indices of two values, m before and after value i, or further where
// these are equal.
func around(sorted []float64, i, m int) (lo, hi int) {
	lo, hi = max(i-m, 0), min(i+m, len(sorted)-1)
	for sorted[lo] == sorted[hi] && (lo > 0 || hi < len(sorted)-1) { // ties: a plateau
		lo, hi = max(lo-1, 0), min(hi+1, len(sorted)-1)
	}
	return lo, hi
}
