package insight

import (
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// Scale is how the values of a parameter are to be laid out.
type Scale int

const (
	// Linear values are numbers.
	Linear Scale = iota
	// Log values are positive numbers, of which the logarithms count.
	Log
	// Choices are the strings of a categorical parameter, or what was given a graph.
	Choices
)

// Scale returns how the values of a parameter are to be laid out. The error names an
// unknown parameter.
func (m *Model) Scale(param string) (Scale, error) {
	p, err := m.param(param)
	if err != nil {
		return Linear, err
	}
	return scaleOf(p), nil
}

func scaleOf(p *space.Param) Scale {
	switch p.Distribution.(type) {
	case goptuna.CategoricalDistribution:
		return Choices
	case goptuna.LogUniformDistribution:
		return Log
	}
	return Linear
}

// Axis is a parameter and values of it: all, where they are few, or a grid over
// its range with both ends, equally spaced on its scale.
type Axis struct {
	Param  string
	Scale  Scale
	Values []any // float64, int or string

	param       *space.Param
	coordinates []float64 // by value
}

// maxChoices is the largest number of choices that all have a place on an axis.
const maxChoices = 50

// axis returns the axis of a parameter, with about k values.
func (m *Model) axis(name string, k int) (Axis, error) {
	param, err := m.param(name)
	if err != nil {
		return Axis{}, err
	}
	a := Axis{Param: name, Scale: scaleOf(param), param: param}
	n := param.Count()
	if a.Scale == Choices {
		k = maxChoices
	}
	var internal []float64
	for i := range min(k, int(min(n, 1e9))) {
		switch {
		case n <= float64(k):
			internal = append(internal, param.FromUnit((float64(i)+0.5)/n))
		case math.IsInf(n, 1):
			internal = append(internal, param.Decode(float64(i)/float64(k-1)))
		default: // a grid, with both ends
			internal = append(internal, param.FromUnit(min(float64(i)/float64(k-1), 1-0.5/n)))
		}
	}
	slices.Sort(internal) // choices in the order in which they were given
	for _, value := range slices.Compact(internal) {
		u, _ := param.Encode(value)
		a.Values, a.coordinates = append(a.Values, external(param, value)), append(a.coordinates, u)
	}
	return a, nil
}
