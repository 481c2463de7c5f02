package insight

import (
	"errors"
	"fmt"
	"math"

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

// best returns the number of the value with the best prediction.
func (d *Dependence) best(sign float64) int {
	best := 0
	for i, at := range d.At {
		if sign*at.Value < sign*d.At[best].Value {
			best = i
		}
	}
	return best
}

// Dependence2 is the partial dependence on two parameters.
type Dependence2 struct {
	X, Y Axis
	At   [][]Prediction // [y][x] by values of the axes
}

// errNever is returned for parameters that are never active together.
var errNever = errors.New("never active together")

// PartialDependence returns the partial dependence on a parameter, over the part of
// the space where it is active.
//
// Averages are taken of the transformed values that the model sees, so that they
// have an exact posterior, and are then transformed back, with their intervals:
// under a logarithm the average is geometric. The error names an unknown
// parameter.
func (m *Model) PartialDependence(param string) (*Dependence, error) {
	axis, err := m.axis(param, lineValues)
	if err != nil {
		return nil, err
	}
	d := &Dependence{Axis: axis}
	us, err := m.bases(lineDraws, axis.param)
	if err != nil {
		return nil, err
	}
	for _, value := range axis.internal {
		d.At = append(d.At, m.average(us, map[string]float64{param: value}))
	}
	return d, nil
}

// PartialDependence2 returns the partial dependence on two parameters, over the
// part of the space where both are active. The error names an unknown parameter,
// or two that are never active together.
func (m *Model) PartialDependence2(x, y string) (*Dependence2, error) {
	var d Dependence2
	var err error
	if d.X, err = m.axis(x, mapValues); err != nil {
		return nil, err
	}
	if d.Y, err = m.axis(y, mapValues); err != nil {
		return nil, err
	}
	us, err := m.bases(mapDraws, d.X.param, d.Y.param)
	if err != nil {
		return nil, err
	}
	for _, vy := range d.Y.internal {
		var row []Prediction
		for _, vx := range d.X.internal {
			row = append(row, m.average(us, map[string]float64{y: vy, x: vx}))
		}
		d.At = append(d.At, row)
	}
	return &d, nil
}

// bases returns the configurations that are averaged, as values by name.
func (m *Model) bases(n int, active ...*space.Param) ([]map[string]float64, error) {
	us, _ := m.cube.pairs(n, m.random.Seed, active...)
	if len(us) == 0 {
		var names []string
		for _, p := range active {
			names = append(names, p.Name)
		}
		return nil, fmt.Errorf("fm: parameters %q are %w", names, errNever)
	}
	bases := make([]map[string]float64, len(us))
	for i, u := range us {
		bases[i] = m.cube.decode(u)
	}
	return bases, nil
}

// average returns what is predicted of the average over bases, with some values
// set.
func (m *Model) average(bases []map[string]float64, set map[string]float64) Prediction {
	var xs []fmkernel.Point
	for _, values := range bases {
		for name, value := range set {
			values[name] = value
		}
		if x, ok := m.cube.at(values); ok {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 { // all trials with these values have failed
		return Prediction{math.NaN(), math.NaN(), math.NaN()}
	}
	return m.prediction(m.observed.Predictor().PredictAverage(xs))
}
