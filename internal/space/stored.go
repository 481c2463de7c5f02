package space

import (
	"maps"

	"github.com/c-bata/goptuna"
)

// Stored returns the distributions in a form that is the same before they are in a
// database and after they were read from it. Goptuna writes ints as float64: ends beyond
// 2⁵³ come back as other ints, which are the same float64.
func Stored(distributions map[string]any) map[string]any {
	var changed map[string]any
	for name, d := range distributions {
		if s, other := stored(d); other {
			if changed == nil {
				changed = maps.Clone(distributions)
			}
			changed[name] = s
		}
	}
	if changed == nil {
		return distributions
	}
	return changed
}

// stored returns a distribution in that form, and whether it is another one.
func stored(distribution any) (form any, other bool) {
	switch d := distribution.(type) {
	case goptuna.IntUniformDistribution:
		s := goptuna.IntUniformDistribution{Low: floatInt(d.Low), High: floatInt(d.High)}
		return s, s != d
	case goptuna.StepIntUniformDistribution:
		s := goptuna.StepIntUniformDistribution{Low: floatInt(d.Low), High: floatInt(d.High), Step: floatInt(d.Step)}
		return s, s != d
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
