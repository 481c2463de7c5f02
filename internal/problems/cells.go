package problems

import (
	"math"
	"math/rand/v2"
)

// cell is a point of [Cells], and its value.
type cell struct {
	c []float64
	v []int
	y float64
}

// distance2 returns the squared distance of a point from the cell's, each coordinate as a
// share of its range, where different modes are 1 apart.
func (a cell) distance2(c []float64, v []int) float64 {
	d2 := sq(float64(v[1]-a.v[1]) / 5)
	if v[0] != a.v[0] {
		d2++
	}
	for i, x := range c {
		d2 += sq(x - a.c[i])
	}
	return d2
}

// Cells is piecewise constant, as objectives are that depend on thresholds, and samples
// in which the nearest measurement counts: the value at a point is that of the nearest of
// 400 random points, a bowl with noise of its own for each. Trials beside one another
// mostly have the same value.
func Cells() *Problem {
	const count, noise = 400, 0.2
	rng := rand.New(rand.NewPCG(400, 4))
	cells, best := make([]cell, count), 0
	for i := range cells {
		a := cell{c: make([]float64, 4)}
		for d := range a.c {
			a.c[d] = rng.Float64()
			a.y += sq(a.c[d] - 0.2 - 0.15*float64(d))
		}
		a.v = []int{rng.IntN(3), rng.IntN(6)}
		a.y += 0.15*float64(a.v[0]) + 0.6*sq(float64(a.v[1]-4)/5) + noise*rng.NormFloat64()
		cells[i] = a
		if a.y < cells[best].y {
			best = i
		}
	}
	return &Problem{
		Name:    "Cells",
		Optimum: cells[best].y,
		Params:  append(repeat("x", 4, func(name string) Param { return Float(name, 0, 1) }), nominal("mode", 3), Int("size", 1, 6)),
		BestC:   cells[best].c,
		BestV:   cells[best].v,
		eval: func(c []float64, v []int) float64 {
			value, least := 0.0, math.Inf(1)
			for _, a := range cells {
				if d2 := a.distance2(c, v); d2 < least {
					value, least = a.y, d2
				}
			}
			return value
		},
	}
}
