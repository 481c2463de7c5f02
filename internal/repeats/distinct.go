package repeats

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// Distinct is the logarithm of the probability that the value at a point is not that of
// the one among Points which is the most likely to share it. It is an acquisition
// function, to be multiplied by one that looks for an improvement: what repeats improves on
// nothing. It does not change, and is safe for concurrent use.
type Distinct struct {
	*Model
	Points []fmkernel.Point
}

// ValueGrad returns the value at x, and stores its derivatives with respect to x.C in
// grad: those towards the nearest point.
func (f Distinct) ValueGrad(grad []float64, x fmkernel.Point) float64 {
	clear(grad)
	s, nearest := f.nearest(x)
	if math.IsInf(s, 1) {
		return 0
	}
	slope := 1 / math.Max(math.Expm1(s), minDistinct)
	for d, c := range x.C {
		switch y := nearest.C[d]; {
		case c > y:
			grad[d] = slope * f.rates[d]
		case c < y:
			grad[d] = -slope * f.rates[d]
		}
	}
	return logDistinct(s)
}

// ValueBatch stores the value at each of xs.
func (f Distinct) ValueBatch(dst []float64, xs []fmkernel.Point) {
	for i, x := range xs {
		s, _ := f.nearest(x)
		dst[i] = logDistinct(s)
	}
}

// ValueMoves does so at x after each of the moves.
func (f Distinct) ValueMoves(dst []float64, x fmkernel.Point, moves []kernel.Move) {
	// Points that differ in one vertex share all other terms.
	stay := make([]float64, len(f.Points))
	for i, y := range f.Points {
		stay[i] = f.distance(x, y, math.Inf(1))
	}
	for i, move := range moves {
		least := math.Inf(1)
		for j, y := range f.Points {
			at := y.V[move.Graph]
			s := stay[j] + f.hopRate(move.Graph)*(f.hops(move.Graph, move.Vertex, at)-f.hops(move.Graph, x.V[move.Graph], at))
			least = math.Min(least, s)
		}
		dst[i] = logDistinct(least)
	}
}

// nearest returns the point with the least distance, and that; +Inf where there is none.
func (f Distinct) nearest(x fmkernel.Point) (least float64, nearest fmkernel.Point) {
	least = math.Inf(1)
	for _, y := range f.Points {
		if s := f.distance(x, y, least); s < least {
			least, nearest = s, y
		}
	}
	return least, nearest
}

// logDistinct returns log(1 - exp(-s)).
func logDistinct(s float64) float64 { return math.Log(math.Max(-math.Expm1(-s), minDistinct)) }
