package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// kind is a problem, or a family of which each seed draws one.
type kind struct {
	name, about string
	drawn       bool
	draw        func(seed int64) *problems.Constrained
}

// kinds returns the formulas, and then the families.
func kinds() (all []kind) {
	for _, p := range problems.AllConstrained() {
		_, violations := p.Eval(p.Best)
		about := fmt.Sprintf("a formula; parameters: %d, constraints: %d", len(p.Params), len(violations))
		all = append(all, kind{p.Name, about, false, func(int64) *problems.Constrained { return p }})
	}
	family := func(name string, constraints int, feasible float64) {
		about := fmt.Sprintf("drawn at random; constraints: %d, feasible: %g %%", constraints, 100*feasible)
		all = append(all, kind{name, about, true, func(seed int64) *problems.Constrained {
			name := name + " " + strconv.FormatInt(seed, 10)
			return drawProblem(name, rand.New(rand.NewPCG(uint64(seed), uint64(constraints))), constraints, feasible)
		}})
	}
	family("one20", 1, 0.2)
	family("two20", 2, 0.2)
	family("one3", 1, 0.03)
	family("two3", 2, 0.03)
	return all
}

// measured is what a trial measures where it violates a constraint.
type measured int

const (
	measuredAll        measured = iota // by how much, and the value
	measuredViolations                 // by how much
	measuredNothing
)

// problem returns a problem whose trials fail where a constraint is violated.
func problem(p *problems.Constrained, m measured) *harness.Problem {
	return &harness.Problem{Name: p.Name, Space: p.Params, Optimum: p.Optimum, Objective: func(trial goptuna.Trial) (float64, error) {
		evaluate, err := start(p, trial, m)
		if err != nil {
			return 0, err
		}
		return evaluate()
	}}
}

// start asks for the parameters of a trial, and returns what evaluates it.
func start(p *problems.Constrained, trial goptuna.Trial, m measured) (evaluate func() (float64, error), err error) {
	c, v, err := p.Params.Suggest(&trial)
	if err != nil {
		return nil, err
	}
	return func() (y float64, err error) {
		y, violations := p.Eval(p.Params.Numbers(c, v))
		feasible := slices.Max(violations) <= 0
		if m == measuredViolations && !feasible {
			y = math.NaN()
		}
		if m != measuredNothing {
			constraints := make([]fm.Constraint, len(violations))
			for i, violation := range violations {
				constraints[i] = fm.AtMost("c"+strconv.Itoa(i), violation, 0)
			}
			y, err = fm.Constrained(trial, y, constraints...)
		}
		if !feasible {
			return 0, errors.Join(harness.ErrFailed, err)
		}
		return y, err
	}, nil
}

// share makes a run by a team.
func share(ctx context.Context, p *problems.Constrained, r *harness.Run, sampler goptuna.Sampler, team harness.Team, trials int, m measured) error {
	study, err := goptuna.CreateStudy(r.String(), goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return err
	}
	_, err = team.Simulate(ctx, study, r.Seed, trials, func(trial goptuna.Trial, _ int) (func() (float64, error), error) {
		began := time.Now()
		evaluate, err := start(p, trial, m)
		seconds := time.Since(began).Seconds()
		return func() (float64, error) {
			y, err := evaluate()
			if err != nil {
				y = math.NaN()
			}
			r.Values, r.Suggest, r.Seconds = append(r.Values, y), append(r.Suggest, seconds), r.Seconds+seconds
			return y, err
		}, err
	})
	return err
}

// problemOf returns the problem of a run.
func problemOf(kinds []kind, r *harness.Run) *problems.Constrained {
	for _, k := range kinds {
		if p := k.draw(r.Seed); p.Name == r.Problem {
			return p
		}
	}
	return nil
}

// mixed is the space of what is drawn.
var mixed = problems.Space{
	problems.Float("x0", 0, 1), problems.Float("x1", 0, 1), problems.LogFloat("rate", 1e-5, 1),
	problems.Int("n0", 1, 8), problems.Int("n1", 1, 40), problems.Choice("c0", "a", "b", "c"), problems.Choice("c1", "a", "b", "c", "d", "e"),
}

// drawProblem draws an objective, quantities that are constrained, and their limits: the same
// quantile of each, so that a share of random points is feasible. Drawn from the same numbers,
// two problems with as many constraints differ in their limits only.
func drawProblem(name string, r *rand.Rand, constraints int, feasible float64) *problems.Constrained {
	const points = 4000
	objective := drawFunction(r)
	xs := make([][]float64, points)
	for i := range xs {
		xs[i] = mixed.At(draws(len(mixed), r.Float64))
	}
	quantities, sorted := make([]function, constraints), make([][]float64, constraints)
	ranks := make([]int, points) // the largest of a point, over the quantities
	for j := range quantities {
		quantities[j] = drawFunction(r)
		values := make([]float64, points)
		for i, x := range xs {
			values[i] = quantities[j](x)
		}
		sorted[j] = slices.Sorted(slices.Values(values))
		for i, value := range values {
			rank, _ := slices.BinarySearch(sorted[j], value)
			ranks[i] = max(ranks[i], rank)
		}
	}
	slices.Sort(ranks)
	limit := ranks[int(feasible*points)]
	return &problems.Constrained{Name: name, Params: mixed, Optimum: math.NaN(), Eval: func(x []float64) (float64, []float64) {
		violations := make([]float64, constraints)
		for j, quantity := range quantities {
			violations[j] = quantity(x) - sorted[j][limit]
		}
		return objective(x), violations
	}}
}

type function = func(x []float64) float64

// drawFunction draws a function on the space: a quadratic form of the distance of each
// parameter from where it is best, of which some pairs interact. That of a choice is in a
// table. Half of the functions have a long tail of large values.
func drawFunction(r *rand.Rand) function {
	distances, weights := make([]func(x float64) float64, len(mixed)), make([][]float64, len(mixed))
	for i, q := range mixed {
		best, table := r.Float64(), draws(q.Levels, r.NormFloat64)
		distances[i] = func(x float64) float64 {
			switch {
			case q.Kind == problems.Nominal:
				return 0.4 * table[int(x)]
			case q.Log:
				return math.Log(x/q.Low)/math.Log(q.High/q.Low) - best
			}
			return (x-q.Low)/(q.High-q.Low) - best
		}
		weights[i] = draws(i+1, func() float64 {
			if r.Float64() < 0.8 {
				return 0
			}
			return 2 * r.NormFloat64()
		})
		weights[i][i] = 2 * math.Exp(r.NormFloat64())
	}
	tail := r.IntN(2) == 0
	return func(x []float64) float64 {
		y, d := 0.0, make([]float64, len(x))
		for i := range x {
			d[i] = distances[i](x[i])
			y += d[i] * floats.Dot(weights[i], d[:i+1])
		}
		if tail {
			return math.Exp(y)
		}
		return y
	}
}

// draws returns n numbers.
func draws(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}
