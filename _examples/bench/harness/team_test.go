package harness

import (
	"math"
	"testing"
)

func TestDuration(t *testing.T) {
	const seeds, trials = 20, 200
	var mean float64
	for seed := range int64(seeds) {
		for number := range trials {
			d := Duration(seed, number)
			if d < 0.5 || d >= 1.5 {
				t.Errorf("seed %d, trial %d: %v", seed, number, d)
			}
			mean += d / (seeds * trials)
		}
	}
	// The standard error of the mean is √(1/12)/√4000 = 0.0046.
	if math.Abs(mean-1) > 0.02 {
		t.Errorf("the mean of the durations is %v, want 1", mean)
	}
}
