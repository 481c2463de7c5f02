package insight

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// orders is the ratio of the upper to the lower decile of the values over the
// space, all of one sign, from which differences are those of logarithms: of values
// that are magnitudes apart, what the worst ones do says nothing about the best.
const orders = 1e4

// scale is what differences of values, to be minimised, are compared on: their own,
// or that of their logarithms.
type scale struct {
	sign  float64 // of all values, where logarithms count; otherwise 0
	least float64 // below which sizes do not count
	unit  float64 // of values that are their own, so that squares of differences stay in range
}

// newScale returns the scale for values from all over the space. Those of the
// trials would not do: near an optimum of zero any are magnitudes apart.
func newScale(ys []float64) scale {
	lo, hi := quantile(0.1, ys), quantile(0.9, ys)
	switch {
	case lo > 0 && hi/lo > orders:
		return scale{sign: 1, least: lo / (orders * orders)}
	case hi < 0 && lo/hi > orders:
		return scale{sign: -1, least: -hi / (orders * orders)}
	}
	largest := 0.0
	for _, y := range ys {
		largest = math.Max(largest, math.Abs(y))
	}
	if largest == 0 || 1e-100 < largest && largest < 1e100 {
		largest = 1
	}
	return scale{unit: largest}
}

// of returns a value on the scale.
func (s scale) of(y float64) float64 {
	if s.sign == 0 {
		return y / s.unit
	}
	return s.sign * math.Log(math.Max(s.sign*y, s.least))
}

// graded returns a value of the study on the scale on which differences are
// compared. Smaller is better whatever the direction of the study.
func (m *Model) graded(value float64) float64 { return m.overview().scale.of(m.problem.Sign * value) }

// overview is configurations all over the space, what is predicted there, to be
// minimised, and the scale of that.
type overview struct {
	xs    []fmkernel.Point
	ys    []float64
	scale scale
}

func (m *Model) computeOverview() overview {
	ats, _ := m.cube.pairs(m.effort.fill, m.random.Seed)
	o := overview{xs: m.cube.points(ats)}
	o.ys = make([]float64, len(o.xs))
	m.observed.Predictor().PredictMeans(o.ys, o.xs)
	for i, mean := range o.ys {
		o.ys[i] = m.surrogate.Transform.Value(mean)
	}
	o.scale = newScale(o.ys)
	return o
}

func quantile(p float64, xs []float64) float64 {
	return stat.Quantile(p, stat.LinInterp, slices.Sorted(slices.Values(xs)), nil)
}
