package harness

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Of a reference: climbs begin at the best random points, and each has as many steps.
const (
	climbs     = 12
	climbSteps = 1200
)

// Reference returns the least value that random points and climbs from the best of them find,
// the median of the random points and the worst of them. A value is NaN where a point fails,
// which then does not count.
func Reference(r *rand.Rand, space problems.Space, value func(x []float64) float64, randomPoints int) (least, median, worst float64) {
	type point struct {
		shares []float64
		y      float64
	}
	valueAt := func(shares []float64) float64 {
		if y := value(space.At(shares)); !math.IsNaN(y) {
			return y
		}
		return math.Inf(1)
	}
	points := make([]point, randomPoints)
	for i := range points {
		shares := make([]float64, len(space))
		for j := range shares {
			shares[j] = r.Float64()
		}
		points[i] = point{shares, valueAt(shares)}
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
			if y := valueAt(shares); y <= best.y {
				best = point{shares, y}
			}
		}
		least = min(least, best.y)
	}
	return least, median, worst
}
