package insight

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// farApart is the ratio of the upper to the lower decile of the values over the
// space, all of one sign, from which differences are those of logarithms: of values
// that are magnitudes apart, what the worst ones do says nothing about the best.
const farApart = 1e4

// grading is the scale that differences of values, to be minimised, are compared on: their
// own, or that of their logarithms.
type grading struct {
	sign  float64 // of all values, where logarithms count; otherwise 0
	least float64 // the smallest size that has a logarithm of its own
	unit  float64 // where values count themselves, what divides them: squares of differences stay in range
}

// newGrading returns that for values from all over the space. Those of the
// trials would not do: near an optimum of zero any are magnitudes apart.
func newGrading(ys []float64) grading {
	lo, hi := quantile(0.1, ys), quantile(0.9, ys)
	switch {
	case lo > 0 && hi/lo > farApart:
		return grading{sign: 1, least: lo / (farApart * farApart)}
	case hi < 0 && lo/hi > farApart:
		return grading{sign: -1, least: -hi / (farApart * farApart)}
	}
	largest := 0.0
	for _, y := range ys {
		largest = math.Max(largest, math.Abs(y))
	}
	if largest == 0 || 1e-100 < largest && largest < 1e100 {
		largest = 1
	}
	return grading{unit: largest}
}

// of returns a value on the scale.
func (g grading) of(y float64) float64 {
	if g.sign == 0 {
		return y / g.unit
	}
	return g.sign * math.Log(math.Max(g.sign*y, g.least))
}

// grade returns a target on the scale on which differences are compared.
func (m *Model) grade(target float64) float64 {
	return m.overview().grading.of(m.surrogate.Transform.Value(target))
}

// overview is configurations all over the space, what is predicted there, to be
// minimised, and the scale of that.
type overview struct {
	xs      []fmkernel.Point
	ys      []float64
	grading grading
}

func (m *Model) computeOverview() overview {
	ats, _ := m.cube.pairs(m.effort.fill, m.random.Seed)
	o := overview{xs: m.cube.points(ats)}
	o.ys = make([]float64, len(o.xs))
	m.observed.Predictor().PredictMeans(o.ys, o.xs)
	for i, mean := range o.ys {
		o.ys[i] = m.surrogate.Transform.Value(mean)
	}
	o.grading = newGrading(o.ys)
	return o
}

func quantile(p float64, xs []float64) float64 {
	return stat.Quantile(p, stat.LinInterp, slices.Sorted(slices.Values(xs)), nil)
}
