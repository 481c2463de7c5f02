package insight

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// lineValues is about the number of values of a partial dependence on one
	// parameter, and lineDraws that of configurations that are averaged; mapValues
	// and mapDraws are those on two.
	lineValues, lineDraws = 25, 64
	mapValues, mapDraws   = 11, 32
)

// Dependence is the partial dependence of the objective on one parameter: what is
// predicted at each value, averaged over all other parameters.
type Dependence struct {
	Axis
	At []Prediction // by value of the axis; NaN where all trials have failed
}

// Dependence2 is the partial dependence on two parameters.
type Dependence2 struct {
	X, Y Axis
	At   [][]Prediction // [y][x] by values of the axes
}

// ErrInactive is returned for parameters that are not active together in any branch
// that is known.
var ErrInactive = errors.New("not active in any branch that is known; give parameters that some trial has together")

// PartialDependence returns the partial dependence on a parameter, over the part of
// the space where it is active.
//
// Averages are taken of the transformed values that the model sees, so that they
// have an exact posterior, and are then transformed back, with their intervals:
// under a logarithm the average is geometric. The error names an unknown
// parameter, or wraps ErrInactive.
func (m *Model) PartialDependence(param string) (*Dependence, error) {
	axis, err := m.axis(param, lineValues)
	if err != nil {
		return nil, err
	}
	d := &Dependence{Axis: axis}
	bases, err := m.bases(lineDraws, axis.param)
	if err != nil {
		return nil, err
	}
	k := m.cube.index(axis.param)
	for _, u := range axis.coordinates {
		d.At = append(d.At, m.average(bases, coordinateOf{k, u}))
	}
	return d, nil
}

// PartialDependence2 returns the partial dependence on two parameters, over the
// part of the space where both are active. The error names an unknown parameter,
// or wraps ErrInactive.
func (m *Model) PartialDependence2(x, y string) (*Dependence2, error) {
	var d Dependence2
	var err error
	if d.X, err = m.axis(x, mapValues); err != nil {
		return nil, err
	}
	if d.Y, err = m.axis(y, mapValues); err != nil {
		return nil, err
	}
	bases, err := m.bases(mapDraws, d.X.param, d.Y.param)
	if err != nil {
		return nil, err
	}
	kx, ky := m.cube.index(d.X.param), m.cube.index(d.Y.param)
	for _, uy := range d.Y.coordinates {
		var row []Prediction
		for _, ux := range d.X.coordinates {
			row = append(row, m.average(bases, coordinateOf{kx, ux}, coordinateOf{ky, uy}))
		}
		d.At = append(d.At, row)
	}
	return &d, nil
}

// bases returns the coordinates of the configurations that are averaged.
func (m *Model) bases(n int, active ...*space.Param) ([][]float64, error) {
	bases, _ := m.cube.pairs(n, m.random.Seed, active...)
	if len(bases) > 0 {
		return bases, nil
	}
	var names []string
	for _, p := range active {
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("fm: the parameters %q are together %w", names, ErrInactive)
}

// coordinateOf is a coordinate of the parameter of an index.
type coordinateOf struct {
	index int
	at    float64
}

// average returns what is predicted of the average over bases, with some coordinates set:
// over those that can have them, as their other values lead to them.
func (m *Model) average(bases [][]float64, set ...coordinateOf) Prediction {
	var xs []fmkernel.Point
	for _, at := range bases {
		at = slices.Clone(at)
		for _, c := range set {
			at[c.index] = c.at
		}
		x, ok := m.cube.point(at)
		if ok && !slices.ContainsFunc(set, func(c coordinateOf) bool { return !m.cube.keeps(x, c) }) {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 { // all trials with these values have failed
		return Prediction{math.NaN(), math.NaN(), math.NaN()}
	}
	return m.prediction(m.observed.Predictor().PredictAverage(xs))
}
