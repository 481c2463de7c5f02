package harness

import "math/rand/v2"

// noiseStream sets the random numbers of noise apart from others of the same seed.
const noiseStream = 2 << 32

// WithNoise returns the run of a method that observed its values with noise of a standard
// deviation: its best values are those of the trials that looked best.
func (r *Run) WithNoise(deviation float64) *Run {
	noisy := *r
	noisy.Observed = make([]float64, len(r.Values))
	for i, y := range r.Values {
		noisy.Observed[i] = y + deviation*Noise(r.Seed, i)
	}
	return &noisy
}

// Noise returns the noise of a trial, of a standard normal distribution. It depends
// on the seed and the trial alone, so that it is the same for each method.
func Noise(seed int64, number int) float64 {
	return rand.New(rand.NewPCG(uint64(seed), noiseStream+uint64(number))).NormFloat64()
}
