package harness

import "math/rand/v2"

// noiseStream sets the random numbers of noise apart from others of the same seed.
const noiseStream = 2 << 32

// Noise returns the noise of a trial, of a standard normal distribution. It depends
// on the seed and the trial alone, so that it is the same for each method.
func Noise(seed int64, number int) float64 {
	return rand.New(rand.NewPCG(uint64(seed), noiseStream+uint64(number))).NormFloat64()
}
