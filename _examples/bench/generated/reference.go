package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	randomPoints = 4000
	climbs       = 12 // from the best of these
	climbSteps   = 1200
)

// reference returns the least value that a search with eighteen thousand trials finds, the
// median of random points and the worst of them; points that fail do not count.
func (d drawn) reference(r *rand.Rand) (least, median, worst float64) {
	type point struct {
		shares []float64
		y      float64
	}
	value := func(shares []float64) float64 {
		if y := d.value(at(d.space, shares)); !math.IsNaN(y) {
			return y
		}
		return math.Inf(1)
	}
	points := make([]point, randomPoints)
	for i := range points {
		shares := draws(len(d.space), r.Float64)
		points[i] = point{shares, value(shares)}
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.y, b.y) })
	valid := slices.IndexFunc(points, func(p point) bool { return math.IsInf(p.y, 1) })
	if valid < 0 {
		valid = len(points)
	}
	least, median, worst = points[0].y, points[valid/2].y, points[valid-1].y
	for _, best := range points[:climbs] {
		for step := range climbSteps {
			shares := slices.Clone(best.shares)
			for range 1 + r.IntN(2) {
				i := r.IntN(len(shares))
				if r.Float64() < 0.4 {
					shares[i] = r.Float64()
				} else {
					shares[i] += r.NormFloat64() * math.Pow(10, -1-0.3*float64(step%10))
				}
				shares[i] = min(math.Nextafter(1, 0), max(0, shares[i]))
			}
			if y := value(shares); y <= best.y {
				best = point{shares, y}
			}
		}
		least = min(least, best.y)
	}
	return least, median, worst
}

// quantile returns a quantile of numbers.
func quantile(xs []float64, share float64) float64 {
	return slices.Sorted(slices.Values(xs))[int(share*float64(len(xs)))]
}
