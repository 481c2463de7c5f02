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

// External returns the value that an objective gets for an internal representation, and
// false where there is none: of an unknown distribution, or a choice that does not exist,
// for which Goptuna panics.
func External(distribution any, internal float64) (value any, ok bool) {
	if d, choice := distribution.(goptuna.CategoricalDistribution); choice {
		if _, ok := choiceAt(internal, len(d.Choices)); !ok {
			return nil, false
		}
	}
	value, err := goptuna.ToExternalRepresentation(distribution, internal)
	return value, err == nil
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
		internal = g.clipRounded(internal, slack)
	}
	if !p.Contains(internal) || !isExact(p.Distribution, internal, slack) {
		return 0, fmt.Errorf("fm: parameter %q has the value %v (%T), which is not %s", p.Name, value, value, allowed(p.Distribution))
	}
	return internal, nil
}

// allowed says which values a distribution has.
func allowed(distribution any) string {
	switch d := distribution.(type) {
	case goptuna.CategoricalDistribution:
		return fmt.Sprintf("one of the choices %q: give the text of one", d.Choices)
	case goptuna.UniformDistribution:
		return fmt.Sprintf("a number from %v to %v: give a value of the range", d.Low, d.High)
	case goptuna.LogUniformDistribution:
		return fmt.Sprintf("a number from %v to %v: give a value of the range", d.Low, d.High)
	case goptuna.DiscreteUniformDistribution:
		return fmt.Sprintf("a number from %v to %v in steps of %v: give a value of the range", d.Low, d.High, d.Q)
	case goptuna.IntUniformDistribution:
		return fmt.Sprintf("an integer from %v to %v: give a value of the range", d.Low, d.High)
	case goptuna.StepIntUniformDistribution:
		return fmt.Sprintf("an integer from %v to %v in steps of %v: give a value of the range", d.Low, d.High, d.Step)
	}
	return fmt.Sprintf("one of %#v: give a value of it", distribution)
}

// isExact reports whether an objective would get a value of the internal representation
// as it is, up to slack: whether it is one of a grid.
func isExact(distribution any, internal, slack float64) bool {
	external, ok := External(distribution, internal)
	return ok && math.Abs(Internal(distribution, external)-internal) <= slack
}
