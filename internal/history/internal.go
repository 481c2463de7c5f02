package history

import (
	"maps"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

// Internal returns the internal representation of a value as an objective gets it:
// a number is its own, a choice has its index. It is NaN where the distribution
// has no such value by its type.
func Internal(distribution, value any) float64 {
	d, categorical := distribution.(goptuna.CategoricalDistribution)
	switch v := value.(type) {
	case string:
		if i := slices.Index(d.Choices, v); categorical && i >= 0 {
			return float64(i)
		}
	case int:
		if !categorical {
			return float64(v)
		}
	case float64:
		if !categorical {
			return v
		}
	}
	return math.NaN()
}

// IsExact reports whether an objective would get a value of the internal representation
// as it is: whether it is one of a grid, of floats up to rounding.
func IsExact(distribution any, internal float64) bool {
	external, err := goptuna.ToExternalRepresentation(distribution, internal)
	off := math.Abs(Internal(distribution, external) - internal)
	if d, ok := distribution.(goptuna.DiscreteUniformDistribution); ok {
		return err == nil && off <= 1e-6*d.Q+1e-15*(math.Abs(d.Low)+math.Abs(d.High))
	}
	return err == nil && off == 0
}

// withInternal returns a trial with the internal representation of all of its
// parameters. In memory, one that was copied from elsewhere may have the values
// that an objective gets only, and would count as one without parameters.
func withInternal(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	if len(t.InternalParams) >= len(t.Params) {
		return t
	}
	internal := make(map[string]float64, len(t.Params))
	for name, value := range t.Params {
		internal[name] = Internal(t.Distributions[name], value)
	}
	maps.Copy(internal, t.InternalParams)
	t.InternalParams = internal
	return t
}
