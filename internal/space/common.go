package space

import (
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

// Common returns the share of the values of two distributions that both have: of choices
// their number, of a range its length, in logarithms on a log scale. Distributions of
// different kinds have none in common.
func Common(a, b any) float64 {
	switch a := a.(type) {
	case goptuna.UniformDistribution:
		if b, ok := b.(goptuna.UniformDistribution); ok {
			return commonRange(a.Low, a.High, b.Low, b.High)
		}
	case goptuna.LogUniformDistribution:
		if b, ok := b.(goptuna.LogUniformDistribution); ok {
			return commonRange(math.Log(a.Low), math.Log(a.High), math.Log(b.Low), math.Log(b.High))
		}
	case goptuna.CategoricalDistribution:
		if b, ok := b.(goptuna.CategoricalDistribution); ok {
			return commonChoices(a.Choices, b.Choices)
		}
	}
	g, ok := gridOf(a)
	h, both := gridOf(b)
	if !ok || !both || g.step != h.step {
		return 0
	}
	// The range of a grid reaches half a step beyond its ends.
	return commonRange(g.low-g.step/2, g.high+g.step/2, h.low-h.step/2, h.high+h.step/2)
}

func commonRange(low, high, otherLow, otherHigh float64) float64 {
	if low == otherLow && high == otherHigh {
		return 1
	}
	common := math.Min(high, otherHigh) - math.Max(low, otherLow)
	return math.Max(0, common/(math.Max(high, otherHigh)-math.Min(low, otherLow)))
}

func commonChoices(a, b []string) float64 {
	common := 0
	for _, text := range a {
		if slices.Contains(b, text) {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
