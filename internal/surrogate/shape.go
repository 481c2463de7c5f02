package surrogate

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// shape is a monotonic function of one variable and its inverse.
type shape struct{ to, from func(float64) float64 }

// minDelta keeps logarithms of a distance finite.
const minDelta = 1e-300

// logarithm returns the default transform of the logarithms of values of one sign, nil
// when they have both. It is a function of the values themselves, and not of u, which knows
// nothing of differences among the smallest of many orders of magnitude.
func logarithm(y []float64) *shape {
	var log, exp func(float64) float64
	switch {
	case slices.Min(y) > 0:
		log = func(y float64) float64 { return math.Log(math.Max(y, minDelta)) }
		exp = math.Exp
	case slices.Max(y) < 0:
		log = func(y float64) float64 { return -math.Log(math.Max(-y, minDelta)) }
		exp = func(v float64) float64 { return -math.Exp(-v) }
	default:
		return nil
	}
	t, ok := newTransform(defaultTransform, mapped(y, log))
	if !ok {
		return nil
	}
	return &shape{
		to:   func(y float64) float64 { return t.Target(log(y)) },
		from: func(v float64) float64 { return exp(t.Value(v)) },
	}
}

// shapeOf returns the transform of u by its name, for values of which these are the sorted ones
// scaled to [0, 1]; nil when it does not apply.
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
	switch name {
	case defaultTransform:
		return logAbove(quantile(0.5), positive(0.5))
	case linearTransform:
		identity := func(u float64) float64 { return u }
		return &shape{identity, identity}
	case rootTransform:
		return &shape{
			to:   func(u float64) float64 { return math.Sqrt(math.Max(u, 0)) },
			from: func(v float64) float64 { return math.Max(v, 0) * math.Max(v, 0) },
		}
	case log25Transform:
		return logOf(positive(0.25))
	case log5Transform:
		return logOf(positive(0.05))
	case asinhTransform:
		return asinhAbout(quantile(0.5), (quantile(0.75)-quantile(0.25))/2)
	case rankTransform:
		return normalScores(sorted)
	}
	return nil
}

// logAbove returns (u - median)/scale up to the median, and log(1 + (u - median)/scale) above.
func logAbove(median, scale float64) *shape {
	return &shape{
		to: func(u float64) float64 {
			v := (u - median) / scale
			if u > median {
				v = math.Log1p(v)
			}
			return v
		},
		from: func(v float64) float64 {
			if v > 0 {
				v = math.Expm1(v)
			}
			return median + scale*v
		},
	}
}

// logOf returns log(1 + u/delta), of a negative u as of 0.
func logOf(delta float64) *shape {
	return &shape{
		to:   func(u float64) float64 { return math.Log1p(math.Max(u, 0) / delta) },
		from: func(v float64) float64 { return math.Expm1(math.Max(v, 0)) * delta },
	}
}

// asinhAbout returns asinh((u - median)/scale), nil without a scale.
func asinhAbout(median, scale float64) *shape {
	if scale == 0 {
		return nil
	}
	return &shape{
		to:   func(u float64) float64 { return math.Asinh((u - median) / scale) },
		from: func(v float64) float64 { return median + scale*math.Sinh(v) },
	}
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
