package insight

import (
	"math"
	"slices"
)

// orders is the ratio of the largest to the smallest observed value, all of one
// sign, from which differences are those of logarithms: of values that are
// magnitudes apart, what the worst ones do says nothing about the best.
const orders = 1e4

// graded returns a value of the study on the scale on which differences are
// compared: the value itself, or its logarithm. Smaller is better whatever the
// direction of the study.
func (m *Model) graded(value float64) float64 {
	value *= m.sign
	if !m.magnitudes {
		return value
	}
	lo, hi := slices.Min(m.surrogate.Y), slices.Max(m.surrogate.Y)
	if lo > 0 {
		return math.Log(math.Max(value, lo/orders))
	}
	return -math.Log(math.Max(-value, -hi/orders))
}

// spansMagnitudes reports whether the values are of one sign and magnitudes apart.
func spansMagnitudes(ys []float64) bool {
	lo, hi := slices.Min(ys), slices.Max(ys)
	return lo > 0 && hi/lo > orders || hi < 0 && lo/hi > orders
}
