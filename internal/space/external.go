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
	internal, slack := Internal(p.Distribution, value), 0.0
	if _, floats := p.Distribution.(goptuna.DiscreteUniformDistribution); floats {
		g := p.codec.(grid)
		slack = g.slack()
		// Of 0, 0.1, …, 0.7 the objective gets 7·0.1 as the last one, which Goptuna's
		// Contains refuses, so that it would not use an enqueued one.
		if inside := math.Min(math.Max(internal, g.low), g.high); math.Abs(inside-internal) <= slack {
			internal = inside
		}
	}
	if !p.Contains(internal) || !isExact(p.Distribution, internal, slack) {
		return 0, fmt.Errorf("fm: parameter %q has the value %v (%T), which is none of %#v: give one of its values, of a choice the text", p.Name, value, value, p.Distribution)
	}
	return internal, nil
}

// isExact reports whether an objective would get a value of the internal representation
// as it is, up to slack: whether it is one of a grid.
func isExact(distribution any, internal, slack float64) bool {
	external, err := goptuna.ToExternalRepresentation(distribution, internal)
	return err == nil && math.Abs(Internal(distribution, external)-internal) <= slack
}
