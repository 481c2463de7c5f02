package main

import (
	"context"
	"math"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// subject is a problem whose values are known without noise.
type subject struct {
	*harness.Problem
	optimum, median float64
	unit            float64 // of noise and of regrets; of a table the distance of the median from the optimum
	truth           func(params map[string]any) (float64, error)
}

// spaceDraws is the number of configurations that the median of a function is that
// of.
const spaceDraws = 2001

func newFunction(f *problems.Problem) (*subject, error) {
	s := &subject{Problem: harness.Function(f), optimum: f.Optimum, unit: 1, truth: func(params map[string]any) (float64, error) {
		c, v, err := f.Params.Point(params)
		if err != nil {
			return math.NaN(), err
		}
		return f.Eval(c, v)
	}}
	study, err := conduct(context.Background(), s, problems.NewRandomSampler(0), spaceDraws, 0, 0, 0)
	if err != nil {
		return nil, err
	}
	var values []float64
	for _, t := range study.trials {
		if t.State == goptuna.TrialStateComplete {
			values = append(values, t.Value)
		}
	}
	s.median = harness.Median(values)
	return s, nil
}

func newTable(t *lookup.Table) (*subject, error) {
	p, err := t.Problem(false)
	if err != nil {
		return nil, err
	}
	truth, err := t.Truth(false)
	if err != nil {
		return nil, err
	}
	return &subject{Problem: p, optimum: t.Optimum, median: t.Median, unit: t.Median - t.Optimum, truth: truth}, nil
}

// regret returns a value on the scale on which the optimum is 0 and the median 1.
func (s *subject) regret(y float64) float64 { return (y - s.optimum) / (s.median - s.optimum) }
