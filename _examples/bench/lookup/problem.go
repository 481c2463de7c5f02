package lookup

import (
	"errors"
	"fmt"
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Problem returns the table as a problem whose runs have regrets for values.
// Ordinal parameters are integers, or choices that read as numbers.
func (t *Table) Problem(choices bool) (*harness.Problem, error) {
	space, value, err := t.values(choices)
	if err != nil {
		return nil, err
	}
	p := harness.Flat(t.Name, space, func(c []float64, v []int) (float64, error) { return value(space.InOrder(c, v)) })
	p.Optimum, p.Plain = 0, t.Regret
	return p, nil
}

// Truth returns the value of a configuration as the trials of Problem have it; of one
// that fails, that of the worst row.
func (t *Table) Truth(choices bool) (func(params map[string]any) (float64, error), error) {
	space, value, err := t.values(choices)
	if err != nil {
		return nil, err
	}
	return func(params map[string]any) (float64, error) {
		c, v, err := space.Point(params)
		if err != nil {
			return 0, err
		}
		if y, err := value(space.InOrder(c, v)); err == nil {
			return y, nil
		}
		return t.Worst, nil
	}, nil
}

// values returns the parameters as trials are asked for them, and the look-up.
func (t *Table) values(choices bool) (problems.Space, func(at []float64) (float64, error), error) {
	var space problems.Space
	for _, q := range t.Params {
		space = append(space, q.Asked(choices))
	}
	find := t.nearest()
	if t.Grid() {
		var err error
		if find, err = t.exact(space); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return space, func(at []float64) (float64, error) {
		if y := find(at); !math.IsNaN(y) {
			return y, nil
		}
		return 0, errors.New("the table has no value there")
	}, nil
}

// exact returns the look-up in a grid: NaN where there is no row.
func (t *Table) exact(space problems.Space) (func(at []float64) float64, error) {
	cell := func(at []float64) (n int) { // its number: the levels are digits
		for i, q := range space {
			n = n*q.Levels + int(at[i])
		}
		return n
	}
	values := make(map[int]float64, len(t.rows))
	for i, r := range t.rows {
		n := cell(r.at)
		if _, twice := values[n]; twice {
			return nil, fmt.Errorf("line %d of the rows has a configuration again", i+2)
		}
		values[n] = r.value
	}
	return func(at []float64) float64 {
		if y, ok := values[cell(at)]; ok {
			return y
		}
		return math.NaN()
	}, nil
}

// nearest returns the look-up of the nearest row; the first of several. The
// squared distance is a sum over the parameters: of categorical ones 1 if the
// choices differ, of the others the square of the difference as a share of the
// range (of its logarithms on a logarithmic scale; of the levels of an ordinal
// one).
func (t *Table) nearest() func(at []float64) float64 {
	scaled := func(at []float64) []float64 {
		units := make([]float64, len(at))
		for i, q := range t.Params {
			units[i] = q.unit(at[i])
		}
		return units
	}
	points := make([][]float64, len(t.rows))
	for i, r := range t.rows {
		points[i] = scaled(r.at)
	}
	return func(at []float64) float64 {
		units, best, least := scaled(at), 0, math.Inf(1)
		for i, point := range points {
			d2 := 0.0
			for j, x := range point {
				switch {
				case t.Params[j].Type != "categorical":
					d2 += (x - units[j]) * (x - units[j])
				case x != units[j]:
					d2++
				}
			}
			if d2 < least {
				best, least = i, d2
			}
		}
		return t.rows[best].value
	}
}
