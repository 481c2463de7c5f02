package surrogate

import (
	"cmp"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// subset returns the indices of at most limit of the values y, ascending: all, or
// the best third of limit, at least one, and others by a hash of their index.
func subset(y []float64, limit int, seed uint64) []int {
	order := Ascending(y)
	if len(order) > limit {
		slices.SortStableFunc(order[max(1, limit/3):], func(i, j int) int {
			return cmp.Compare(qmc.Mix(seed, uint64(i)), qmc.Mix(seed, uint64(j)))
		})
		order = order[:limit]
	}
	slices.Sort(order)
	return order
}

// Ascending returns the indices of values from the least to the largest; of equal ones
// the first comes first.
func Ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	return order
}

// pick returns the elements of s with the given indices, which ascend.
func pick[T any](s []T, indices []int) []T {
	if len(indices) == len(s) {
		return s
	}
	picked := make([]T, len(indices))
	for i, k := range indices {
		picked[i] = s[k]
	}
	return picked
}
