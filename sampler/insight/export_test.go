package insight

// GreedyGain and Worth are tested by closed forms.
var GreedyGain = greedyGain

// Worth returns mean and variance of what n trials with a sum of targets leave, where
// those of the model are given.
func Worth(n, sum, noise, mean, variance float64) (float64, float64) {
	return worthAfter(n, sum, noise, evenly).of(mean, variance)
}
