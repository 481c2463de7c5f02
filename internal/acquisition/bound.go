package acquisition

import "math"

// Bound returns the negative of a confidence bound, mean + k·sd, so that its
// maximum is where the bound is lowest: the posterior mean for k = 0, the lower
// confidence bound for k < 0. Unlike the other functions it is no logarithm.
func Bound(post Posterior, k float64) Func {
	return &score{posterior: post, of: func(mean, variance float64) (value, dMean, dVariance float64) {
		sd := math.Sqrt(variance)
		return -mean - k*sd, -1, -k / (2 * sd)
	}}
}
