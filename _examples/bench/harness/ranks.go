package harness

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// MeanRanks returns the mean rank of each method over problems: scores[i][j] is
// that of method j on problem i, and the least one has rank 1. Methods with the
// same score share the mean of their ranks.
func MeanRanks(scores [][]float64) []float64 {
	if len(scores) == 0 {
		return nil
	}
	means := make([]float64, len(scores[0]))
	for _, row := range scores {
		for j, x := range row {
			rank := 0.5 // of the method itself, which is equal to itself
			for _, y := range row {
				switch {
				case y < x:
					rank++
				case y == x:
					rank += 0.5
				}
			}
			means[j] += rank / float64(len(scores))
		}
	}
	return means
}

// Friedman returns the probability of mean ranks over n problems that differ as
// much, or more, if all methods are alike: the χ² approximation with k-1 degrees
// of freedom, without a correction for ties: it is conservative where there are any.
func Friedman(ranks []float64, n int) float64 {
	k := float64(len(ranks))
	if k < 2 {
		return math.NaN()
	}
	sum := 0.0
	for _, r := range ranks {
		sum += (r - (k+1)/2) * (r - (k+1)/2)
	}
	return distuv.ChiSquared{K: k - 1}.Survival(12 * float64(n) / (k * (k + 1)) * sum)
}

// CriticalDifference returns by how much the mean ranks of two of k methods over
// n problems must differ to be told apart at a level of 5 % (Nemenyi's test;
// Demšar, JMLR 2006): q √(k(k+1) / 6n), where √2 q is a quantile of the range of
// k standard normal numbers.
func CriticalDifference(k, n int) float64 {
	const level = 0.05
	low, high := 0.0, 20.0
	for high-low > 1e-9 {
		if middle := (low + high) / 2; rangeCDF(middle, k) < 1-level {
			low = middle
		} else {
			high = middle
		}
	}
	return low / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
}

// rangeCDF returns the probability that the range of k standard normal numbers
// is at most q: k ∫ φ(z) (Φ(z+q) - Φ(z))ᵏ⁻¹ dz, where z is the least of them.
func rangeCDF(q float64, k int) float64 {
	normal := distuv.UnitNormal
	return quad.Fixed(func(z float64) float64 {
		return float64(k) * normal.Prob(z) * math.Pow(normal.CDF(z+q)-normal.CDF(z), float64(k-1))
	}, -8-q, 8, 400, quad.Legendre{}, 0)
}

// Common returns those of the problems on which every method has a run.
func Common(problems []string, methods []string, runs []*Run) []string {
	return slices.DeleteFunc(slices.Clone(problems), func(problem string) bool {
		return slices.ContainsFunc(methods, func(method string) bool {
			return len(RunsOf(runs, problem, method)) == 0
		})
	})
}
