package main

import (
	"cmp"
	"math"
	"slices"
)

// signedRanks returns the z of Wilcoxon's signed-rank test: under the hypothesis
// that differences are symmetric about 0, about standard normal. Differences of 0
// do not count.
func signedRanks(differences []float64) float64 {
	xs := slices.DeleteFunc(slices.Clone(differences), func(x float64) bool { return x == 0 })
	slices.SortFunc(xs, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	sum, squares := 0.0, 0.0
	for i := 0; i < len(xs); {
		j := i
		for j < len(xs) && math.Abs(xs[j]) == math.Abs(xs[i]) {
			j++
		}
		rank := float64(i+j+1) / 2 // the mean of i+1, …, j
		for _, x := range xs[i:j] {
			sum += math.Copysign(rank, x)
			squares += rank * rank
		}
		i = j
	}
	return sum / math.Sqrt(squares)
}
