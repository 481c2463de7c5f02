package space

import (
	"math"

	"github.com/c-bata/goptuna"
)

// Union returns the distribution with the values of all: of choices, those of the longest
// list first, of ranges what reaches from the lowest to the highest. ok is false where they
// are of different kinds, or of grids that do not match.
func Union(all ...any) (union any, ok bool) {
	union = all[0]
	for _, d := range all[1:] {
		a, aChoice := union.(goptuna.CategoricalDistribution)
		b, bChoice := d.(goptuna.CategoricalDistribution)
		if aChoice && bChoice && len(b.Choices) > len(a.Choices) {
			union = d
		}
	}
	for _, d := range all {
		if union, ok = unionOf(union, d); !ok {
			return nil, false
		}
	}
	return union, true
}

func unionOf(a, b any) (union any, ok bool) {
	switch a := a.(type) {
	case goptuna.UniformDistribution:
		b, ok := b.(goptuna.UniformDistribution)
		return goptuna.UniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High)}, ok
	case goptuna.LogUniformDistribution:
		b, ok := b.(goptuna.LogUniformDistribution)
		return goptuna.LogUniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High)}, ok
	case goptuna.CategoricalDistribution:
		b, ok := b.(goptuna.CategoricalDistribution)
		return goptuna.CategoricalDistribution{Choices: withEarlier(a.Choices, []any{b})}, ok
	case goptuna.IntUniformDistribution:
		b, ok := b.(goptuna.IntUniformDistribution)
		return goptuna.IntUniformDistribution{Low: min(a.Low, b.Low), High: max(a.High, b.High)}, ok
	case goptuna.StepIntUniformDistribution:
		b, ok := b.(goptuna.StepIntUniformDistribution)
		if !ok || a.Step != b.Step || a.Step <= 0 || (a.Low-b.Low)%a.Step != 0 {
			return nil, false
		}
		// High is left out, but for the single value of an empty range.
		return goptuna.StepIntUniformDistribution{Low: min(a.Low, b.Low), High: max(a.High, b.High, a.Low+1, b.Low+1), Step: a.Step}, true
	case goptuna.DiscreteUniformDistribution:
		b, ok := b.(goptuna.DiscreteUniformDistribution)
		g, _ := gridOf(a)
		k := (b.Low - a.Low) / a.Q
		if !ok || a.Q != b.Q || !(math.Abs(k-math.Round(k)) <= g.tolerance()) {
			return nil, false
		}
		return goptuna.DiscreteUniformDistribution{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High), Q: a.Q}, true
	}
	return nil, false
}
