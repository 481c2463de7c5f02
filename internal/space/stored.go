package space

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/c-bata/goptuna"
)

// Stored returns the distributions with numbers that are the same before they are in a
// database and after they were read from it. Goptuna writes ints as float64: ends beyond
// 2⁵³ come back as other ints, which are the same float64. What Goptuna does not know, and
// only storage in memory takes, is nil: it need not be comparable.
func Stored(distributions map[string]any) map[string]any {
	return each(distributions, rounded)
}

// InUTF8 returns the distributions with choices as they are read from a database: a byte
// that is not UTF-8 is U+FFFD in JSON. In memory they stay as the program gave them.
func InUTF8(distributions map[string]any) map[string]any { return each(distributions, inUTF8) }

// each returns the distributions as f changes them, where it does.
func each(distributions map[string]any, f func(any) (stored any, changed bool)) map[string]any {
	var all map[string]any
	for name, d := range distributions {
		if stored, differs := f(d); differs {
			if all == nil {
				all = maps.Clone(distributions)
			}
			all[name] = stored
		}
	}
	if all == nil {
		return distributions
	}
	return all
}

func inUTF8(distribution any) (stored any, changed bool) {
	d, ok := distribution.(goptuna.CategoricalDistribution)
	if !ok || !slices.ContainsFunc(d.Choices, func(text string) bool { return !utf8.ValidString(text) }) {
		return distribution, false
	}
	choices := make([]string, len(d.Choices))
	for i, text := range d.Choices {
		choices[i] = string([]rune(text))
	}
	return goptuna.CategoricalDistribution{Choices: choices}, true
}

func rounded(distribution any) (stored any, changed bool) {
	switch d := distribution.(type) {
	case goptuna.IntUniformDistribution:
		s := goptuna.IntUniformDistribution{Low: floatInt(d.Low), High: floatInt(d.High)}
		if s != d {
			return s, true
		}
	case goptuna.StepIntUniformDistribution:
		s := goptuna.StepIntUniformDistribution{Low: floatInt(d.Low), High: floatInt(d.High), Step: floatInt(d.Step)}
		if s != d {
			return s, true
		}
	case nil, goptuna.UniformDistribution, goptuna.LogUniformDistribution, goptuna.DiscreteUniformDistribution, goptuna.CategoricalDistribution:
	default:
		return nil, true
	}
	return distribution, false
}

// floatInt returns the int that is the float64 next to n, and n where that is no int.
func floatInt(n int) int {
	if x := float64(n); x < maxInt {
		return int(x)
	}
	return n
}
