package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// fewConstraints is the number up to which the model of each takes as many trials as a fit does.
// Of more, all together cost as much as so many.
const fewConstraints = 3

// A Constraint is the posterior of the violation of one, with the sign that makes it positive
// where the constraint holds, and the targets that it has learned from.
type Constraint struct {
	Name string
	*gp.Model
	Targets []float64
}

// constraints returns those that were measured, and their hyperparameters by name. What goes
// wrong with one is logged, and then it is left out (Gelbart, Snoek and Adams, Bayesian
// optimization with unknown constraints, 2014).
func (f fitting) constraints(from start) (models []Constraint, hypers map[string]*plan.Hyper) {
	hypers = map[string]*plan.Hyper{}
	names := f.problem.Constraints()
	// A prediction costs the square of the trials.
	limit := int(math.Sqrt(min(1, fewConstraints/float64(len(names)))) * float64(f.maxFit()))
	dims, graphs := varying(f.problem)
	prior := gp.NewPrior(dims, graphs, f.Deterministic)
	for _, name := range names {
		xs, targets := f.slack(name, limit)
		if len(xs) == 0 { // what was measured has no place in the space any more
			continue
		}
		some := nearLimit(targets, maxPart, f.Seed)
		hyper := f.latentHyper(from.due, from.last.Constraints[name], prior, pick(xs, some), pick(targets, some), "constraint "+name)
		model, err := gp.Condition(f.kernel, hyper, xs, targets)
		if err != nil {
			f.warn("a constraint is not modelled", err)
			continue
		}
		stored := plan.NewHyper(f.problem.Space, hyper)
		models, hypers[name] = append(models, Constraint{name, model, targets}), &stored
	}
	return models, hypers
}

// slack returns where a constraint was measured, and by how much it holds there, with a mean
// square of 1; at most so many.
func (f fitting) slack(name string, limit int) (xs []fmkernel.Point, targets []float64) {
	add := func(x fmkernel.Point, t history.Trial) {
		if violation, ok := t.Violations[name]; ok {
			xs, targets = append(xs, x), append(targets, -violation)
		}
	}
	for i, x := range f.problem.X {
		add(x, f.problem.Trials[i])
	}
	for _, v := range f.problem.Valueless {
		add(v.X, v.Trial)
	}
	keep := nearLimit(targets, limit, f.Seed)
	xs, targets = pick(xs, keep), pick(targets, keep)
	square := 0.0
	for _, v := range targets {
		square += v * v / float64(len(targets))
	}
	if square > 0 {
		for i := range targets {
			targets[i] /= math.Sqrt(square)
		}
	}
	return xs, targets
}

// nearLimit returns the indices of what stands for all targets of a constraint: those nearest
// to its limit, and some others.
func nearLimit(targets []float64, limit int, seed uint64) []int {
	sizes := make([]float64, len(targets))
	for i, v := range targets {
		sizes[i] = math.Abs(v)
	}
	return subset(sizes, limit, seed)
}
