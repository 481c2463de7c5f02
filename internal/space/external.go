package space

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/c-bata/goptuna"
)

// Internal returns the internal representation of a value as an objective gets it:
// a number is its own, a choice has its index. It is NaN where the distribution
// has no such value by its type.
func Internal(distribution, value any) float64 {
	v := reflect.ValueOf(value)
	if d, categorical := distribution.(goptuna.CategoricalDistribution); categorical {
		if i := slices.Index(d.Choices, v.String()); v.Kind() == reflect.String && i >= 0 {
			return float64(i)
		}
		return math.NaN()
	}
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	return math.NaN()
}

// Read returns the internal representation of a value as an objective gets it, which
// must be in the distribution.
func (p *Param) Read(value any) (float64, error) {
	internal := Internal(p.Distribution, value)
	if d, ok := p.Distribution.(goptuna.DiscreteUniformDistribution); ok {
		// Of 0, 0.1, …, 0.7 the objective gets 7·0.1 as the last one, which Goptuna's
		// Contains refuses, so that it would not use an enqueued one.
		if inside := math.Min(math.Max(internal, d.Low), d.High); math.Abs(inside-internal) <= slack(d) {
			internal = inside
		}
	}
	if !p.Contains(internal) || !isExact(p.Distribution, internal) {
		return 0, fmt.Errorf("fm: parameter %q has the value %v (%T), which is none of %#v: give one of its values, of a choice the text", p.Name, value, value, p.Distribution)
	}
	return internal, nil
}

// isExact reports whether an objective would get a value of the internal representation
// as it is: whether it is one of a grid, of floats up to rounding.
func isExact(distribution any, internal float64) bool {
	external, err := goptuna.ToExternalRepresentation(distribution, internal)
	off := math.Abs(Internal(distribution, external) - internal)
	if d, ok := distribution.(goptuna.DiscreteUniformDistribution); ok {
		return err == nil && off <= slack(d)
	}
	return err == nil && off == 0
}

// slack is by how much rounding may take a float off its grid.
func slack(d goptuna.DiscreteUniformDistribution) float64 {
	return onGrid*d.Q + 1e-15*(math.Abs(d.Low)+math.Abs(d.High))
}
