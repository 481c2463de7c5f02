package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// randomPoints is the number of random points whose median regrets are divided by.
const randomPoints = 1000

// suite evaluates functions of COCO in other processes.
type suite struct {
	name    string
	workers *bridge.Pool
}

// instance is one of a suite's problems.
type instance struct {
	Function  int `json:"function"`
	Dimension int `json:"dimension"`
	Instance  int `json:"instance"`
}

// about is what COCO says of an instance. Its integers come first, and count from 0.
type about struct {
	Lower, Upper []float64
	Integers     int
	Best         float64
}

// name returns the name of a function, as COCO has it.
func name(function int) string { return fmt.Sprintf("f%02d", function) }

// open starts the processes of a suite.
func open(ctx context.Context, name, python string, workers int) (*suite, error) {
	config := bridge.Python(python, "objective.py", 1, files)
	config.Setup = map[string]string{"suite": name}
	s := &suite{name, bridge.NewPool(workers, config)}
	if err := s.workers.Start(ctx, nil); err != nil {
		return nil, errors.Join(err, s.workers.Close())
	}
	return s, nil
}

// problem returns an instance as a problem whose values are regrets: the distance from the
// optimum, as a share of that of the median of random points.
func (s *suite) problem(ctx context.Context, i instance) (*harness.Problem, error) {
	var a about
	if err := s.workers.Call(ctx, map[string]any{"problem": i}, &a); err != nil {
		return nil, err
	}
	values := func(points ...[]float64) (ys []float64, err error) {
		err = s.workers.Call(ctx, map[string]any{"problem": i, "points": points}, &ys)
		return ys, err
	}
	ys, err := values(a.random(rand.New(rand.NewPCG(uint64(i.Instance), uint64(i.Function))))...)
	if err != nil {
		return nil, err
	}
	slices.Sort(ys)
	median := stat.Quantile(0.5, stat.Empirical, ys, nil)
	return harness.Flat(
		fmt.Sprintf("%s-%s-%dd-%d", name(i.Function), s.name, i.Dimension, i.Instance), a.space(),
		func(c []float64, v []int) (float64, error) {
			var point []float64
			for _, level := range v {
				point = append(point, float64(level))
			}
			ys, err := values(append(point, c...))
			if err != nil {
				return 0, err
			}
			return (ys[0] - a.Best) / (median - a.Best), nil
		}), nil
}

// space returns the parameters: ints, and floats.
func (a *about) space() (space problems.Space) {
	for p, low := range a.Lower {
		if name := fmt.Sprintf("x%d", p+1); p < a.Integers {
			space = append(space, problems.Int(name, int(low), int(a.Upper[p])))
		} else {
			space = append(space, problems.Float(name, low, a.Upper[p]))
		}
	}
	return space
}

// random returns randomPoints points.
func (a *about) random(rng *rand.Rand) [][]float64 {
	points := make([][]float64, randomPoints)
	for i := range points {
		for p, low := range a.Lower {
			x := low + rng.Float64()*(a.Upper[p]-low)
			if p < a.Integers {
				x = low + float64(rng.IntN(int(a.Upper[p]-low)+1))
			}
			points[i] = append(points[i], x)
		}
	}
	return points
}
