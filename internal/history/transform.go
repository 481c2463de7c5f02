package history

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Transform takes objective values that are to be minimised to targets with
// mean 0 and variance 1, monotonically. It is fitted to values, and takes others
// as well.
type Transform struct {
	name     string
	lo, span float64 // values are scaled to u = (y - lo)/(2 span) in [0, 1]
	shape    *shape  // of u, and of the value itself for the logarithm
	mean, sd float64
	// Below the least target, least, values fall by slope per unit.
	least, slope float64
}

// shape is a monotonic function of one variable and its inverse.
type shape struct{ to, from func(float64) float64 }

// TransformNames lists the transforms in the order of their preference. The
// first is the default.
//
//	""      linear up to the median, logarithmic above: med + s·log(1 + (y-med)/s), s = med - min
//	linear  none
//	root    Box and Cox's power ½ of the distance from the minimum
//	log     the default after the logarithm of values of one sign
//	log25   the logarithm of the distance from just below the minimum, log(y - min + δ), with
//	log5    δ the distance of the 25 % or 5 % quantile
//	asinh   linear about the median, logarithmic on both sides of the quartiles
//	rank    normal scores
func TransformNames() []string {
	return []string{"", "linear", "root", "log", "log25", "log5", "asinh", "rank"}
}

// NewTransform fits the transform of that name to at least one value. ok is
// false when it does not apply to them, or the name is none.
func NewTransform(name string, y []float64) (t *Transform, ok bool) {
	t = &Transform{name: name, sd: 1}
	// Into a range in which differences and squares neither overflow nor vanish.
	lo, hi := slices.Min(y), slices.Max(y)
	t.lo, t.span = lo, hi/2-lo/2
	if t.span == 0 {
		zero := func(float64) float64 { return 0 }
		t.shape = &shape{zero, zero}
		return t, name == ""
	}
	u := make([]float64, len(y))
	if name == "log" {
		t.shape = logarithm(lo, hi, y)
	} else {
		for i, v := range y {
			u[i] = t.unit(v)
		}
		t.shape = shapeOf(name, slices.Sorted(slices.Values(u)))
	}
	if t.shape == nil {
		return t, false
	}
	for i, v := range y {
		u[i] = t.shaped(v)
	}
	t.mean, t.sd = stat.PopMeanStdDev(u, nil)
	t.setSlope(y)
	return t, t.sd > 0 && !math.IsInf(t.sd, 1)
}

// slopeQuantile is up to which quantile of the values the slope is taken with which
// values continue below the least one.
const slopeQuantile = 0.1

// setSlope sets what continues the transform below the least value, about which
// the shapes say nothing: some are constant there, others exponential.
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

// Name returns the name of the transform.
func (t *Transform) Name() string { return t.name }

func (t *Transform) unit(y float64) float64 { return (y/2 - t.lo/2) / t.span }

// Target returns the target of a value.
func (t *Transform) Target(y float64) float64 {
	return (t.shaped(y) - t.mean) / t.sd
}

func (t *Transform) shaped(y float64) float64 {
	if t.name == "log" {
		return t.shape.to(y)
	}
	return t.shape.to(t.unit(y))
}

// Value returns the value with a target: the inverse of Target where there are
// values. Below the least of them it is linear, or for logarithms exponential.
func (t *Transform) Value(target float64) float64 {
	var y float64
	switch {
	case t.name == "log":
		y = t.shape.from(target*t.sd + t.mean)
	case target < t.least:
		y = 2 * (t.lo/2 + (target-t.least)*t.slope*t.span)
	default:
		y = 2 * (t.lo/2 + t.shape.from(target*t.sd+t.mean)*t.span)
	}
	return math.Max(-math.MaxFloat64, math.Min(y, math.MaxFloat64))
}

// Targets returns the targets of values.
func (t *Transform) Targets(y []float64) []float64 {
	targets := make([]float64, len(y))
	for i, v := range y {
		targets[i] = t.Target(v)
	}
	return targets
}

// minDelta keeps logarithms of a distance finite.
const minDelta = 1e-300

// logarithm returns the default transform of the logarithms of values of one
// sign, between lo and hi, nil when they have both. It does not go through u,
// which knows nothing of differences among the smallest of many orders of
// magnitude.
func logarithm(lo, hi float64, y []float64) *shape {
	var log, exp func(float64) float64
	switch {
	case lo > 0:
		log = func(y float64) float64 { return math.Log(math.Max(y, minDelta)) }
		exp = math.Exp
	case hi < 0:
		log = func(y float64) float64 { return -math.Log(math.Max(-y, minDelta)) }
		exp = func(v float64) float64 { return -math.Exp(-v) }
	default:
		return nil
	}
	logs := make([]float64, len(y))
	for i, v := range y {
		logs[i] = log(v)
	}
	t, ok := NewTransform("", logs)
	if !ok {
		return nil
	}
	return &shape{
		to:   func(y float64) float64 { return t.Target(log(y)) },
		from: func(v float64) float64 { return exp(t.Value(v)) },
	}
}

// shapeOf returns the transform of u, in [0, 1] where it was fitted, nil when
// it does not apply.
func shapeOf(name string, sorted []float64) *shape {
	quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, sorted, nil) }
	// positive returns the quantile, or the first value that is above 0.
	positive := func(p float64) float64 {
		q := quantile(p)
		for i := 0; q == 0; i++ {
			q = sorted[i]
		}
		return math.Max(q, minDelta)
	}
	logFrom := func(delta float64) *shape {
		return &shape{
			to:   func(u float64) float64 { return math.Log1p(math.Max(u, 0) / delta) },
			from: func(v float64) float64 { return math.Expm1(math.Max(v, 0)) * delta },
		}
	}
	switch name {
	case "":
		median := quantile(0.5)
		s := positive(0.5)
		return &shape{
			to: func(u float64) float64 {
				v := (u - median) / s // in units of s
				if u > median {
					v = math.Log1p(v)
				}
				return v
			},
			from: func(v float64) float64 {
				if v > 0 {
					v = math.Expm1(v)
				}
				return median + s*v
			},
		}
	case "linear":
		identity := func(u float64) float64 { return u }
		return &shape{identity, identity}
	case "root":
		return &shape{
			to:   func(u float64) float64 { return math.Sqrt(math.Max(u, 0)) },
			from: func(v float64) float64 { return math.Max(v, 0) * math.Max(v, 0) },
		}
	case "log25":
		return logFrom(positive(0.25))
	case "log5":
		return logFrom(positive(0.05))
	case "asinh":
		median := quantile(0.5)
		scale := (quantile(0.75) - quantile(0.25)) / 2
		if scale == 0 {
			return nil
		}
		return &shape{
			to:   func(u float64) float64 { return math.Asinh((u - median) / scale) },
			from: func(v float64) float64 { return median + scale*math.Sinh(v) },
		}
	case "rank":
		return normalScores(sorted)
	}
	return nil
}

// normalScores returns the quantile of the standard normal distribution at the
// mean rank of u among the sorted values, linear between and beyond them.
func normalScores(sorted []float64) *shape {
	var at, score []float64
	n := float64(len(sorted))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		at = append(at, sorted[i])
		score = append(score, distuv.UnitNormal.Quantile((float64(i+j)/2)/n))
		i = j
	}
	if len(at) < 2 {
		return nil
	}
	return &shape{to: interpolation(at, score), from: interpolation(score, at)}
}

// interpolation returns the function through ascending points, linear between and
// beyond them.
func interpolation(xs, ys []float64) func(float64) float64 {
	return func(x float64) float64 {
		i := min(max(sort.SearchFloat64s(xs, x), 1), len(xs)-1)
		f := (x - xs[i-1]) / (xs[i] - xs[i-1])
		return ys[i-1] + f*(ys[i]-ys[i-1])
	}
}

// spacingWindow is, as a power of the number of values, over how many of them a
// slope is taken.
const spacingWindow = 0.5

// LogJacobian returns Σ log dt/dy over the values that the transform was fitted
// to, up to a constant that all transforms of the same values share: with it,
// likelihoods of their targets are likelihoods of the values.
//
// Slopes are taken between values, over a window of about √n of them: that of
// the normal scores is an estimate of the density (Vasicek, A test for normality
// based on sample entropy, 1976), and the others are measured by the same rod.
// The normal scores, which fit anything, pay for their parameters, one per value.
func (t *Transform) LogJacobian(y []float64) float64 {
	sorted := slices.Sorted(slices.Values(y))
	n := len(sorted)
	m := max(1, int(math.Round(math.Pow(float64(n), spacingWindow)/2)))
	sum := 0.0
	for i := range sorted {
		lo, hi := max(i-m, 0), min(i+m, n-1)
		for sorted[lo] == sorted[hi] && (lo > 0 || hi < n-1) { // ties: a plateau
			lo, hi = max(lo-1, 0), min(hi+1, n-1)
		}
		dy := t.unit(sorted[hi]) - t.unit(sorted[lo])
		dt := t.Target(sorted[hi]) - t.Target(sorted[lo])
		sum += math.Log(math.Max(dt, minDelta)) - math.Log(math.Max(dy, minDelta))
	}
	if t.name == "rank" {
		sum -= float64(n) // Akaike's penalty: a slope for each value
	}
	return sum
}
