package main

import (
	"fmt"
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// space is a search space with an objective to be minimised. A point is a list of
// values in the order of the parameters: of a discrete one, its level.
type space struct {
	*harness.Problem
	objective func(x []float64) float64
}

// newSpace returns a space whose every point has a value.
func newSpace(name string, params problems.Space, objective func(x []float64) float64) *space {
	return &space{objective: objective, Problem: harness.Flat(name, params, func(c []float64, v []int) (float64, error) {
		return objective(params.InOrder(c, v)), nil
	})}
}

// spaces are those of the flag.
var spaces = []*space{func3C(), service(), nas()}

func (s *space) name() string { return s.Name }

// func3C is the problem of that name: 2 continuous parameters, and choices out
// of 3, 5 and 4.
func func3C() *space {
	f := problems.Func3C()
	return newSpace("func3c", f.Params, func(x []float64) float64 {
		y, err := f.Eval(split(f.Params, x))
		if err != nil {
			panic(err) // every point of Func3C is feasible
		}
		return y
	})
}

// title describes the space in a few words.
func (s *space) title() string {
	continuous, discrete := s.Space.Dims()
	return fmt.Sprintf("%s: %d continuous, %d discrete", s.Name, continuous, discrete)
}

// split is the inverse of InOrder: it returns the continuous values and the levels.
func split(params problems.Space, x []float64) (c []float64, v []int) {
	for i, q := range params {
		if q.Kind == problems.Continuous {
			c = append(c, x[i])
		} else {
			v = append(v, int(x[i]))
		}
	}
	return c, v
}

// fromUnit returns the value at quantile u in [0, 1): each level has the same
// share.
func fromUnit(q problems.Param, u float64) float64 {
	switch {
	case q.Kind != problems.Continuous:
		return math.Floor(u * float64(q.Levels))
	case q.Log:
		return math.Max(q.Low, math.Min(q.Low*math.Pow(q.High/q.Low, u), q.High)) // rounding
	}
	return q.Low + u*(q.High-q.Low)
}

// toUnit is the inverse of fromUnit: of a level, the middle of its share.
func toUnit(q problems.Param, x float64) float64 {
	switch {
	case q.Kind != problems.Continuous:
		return (x + 0.5) / float64(q.Levels)
	case q.Log:
		return math.Log(x/q.Low) / math.Log(q.High/q.Low)
	}
	return (x - q.Low) / (q.High - q.Low)
}
