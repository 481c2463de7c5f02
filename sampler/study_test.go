package sampler_test

import (
	"slices"

	"github.com/c-bata/goptuna"
)

func sq(x float64) float64 { return x * x }

// lowerQuartile returns the value that a quarter of the trials reach. In a study
// that has found the optimum, others go on to explore.
func lowerQuartile(trials []goptuna.FrozenTrial) float64 {
	values := make([]float64, len(trials))
	for i, trial := range trials {
		values[i] = trial.Value
	}
	slices.Sort(values)
	return values[len(values)/4]
}
