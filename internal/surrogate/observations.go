package surrogate

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// Observations are those that a model uses.
type Observations struct {
	X       []fmkernel.Point
	Y       []float64 // objective values, to be minimised
	Targets []float64 // these, transformed
	Trials  []history.Trial
	// base is how many of them the hyperparameters were fitted to, the first.
	// Between two fits they stay the same, so that the covariance can be
	// extended.
	base int
}

// observations returns those of the model with their targets, and the transform behind these.
func (f fitting) observations(from start, outliers []int) (Observations, *Transform) {
	p, keep := f.problem, f.observed(from.trials, outliers)
	xs, ys := pick(p.X, keep), pick(p.Y, keep)
	transform := f.transform(from, xs, ys)
	base, _ := slices.BinarySearch(keep, from.trials)
	return Observations{xs, ys, transform.Targets(ys), pick(p.Trials, keep), base}, transform
}

// observed returns which trials with a value the model takes, by their index in the problem: of
// the first n as many as Settings allow, and all that came later, but for the outliers, which
// are numbers of trials.
func (f fitting) observed(n int, outliers []int) (keep []int) {
	p := f.problem
	feasible := func(i int) bool { return p.IsFeasible(p.Trials[i]) }
	ys := slices.Clone(p.Y[:n])
	for i := range ys {
		if !feasible(i) {
			ys[i] = math.Inf(1) // after all others
		}
	}
	keep = subset(ys, f.ModelTrials, f.Seed)
	for i := n; i < len(p.Y); i++ {
		keep = append(keep, i)
	}
	outlier := func(i int) bool { return slices.Contains(outliers, p.Trials[i].Number) }
	if without := slices.DeleteFunc(slices.Clone(keep), outlier); slices.ContainsFunc(without, feasible) {
		return without
	}
	return keep
}

// pick returns those with the given indices, which ascend.
func (o Observations) pick(indices []int) Observations {
	base, _ := slices.BinarySearch(indices, o.base)
	return Observations{pick(o.X, indices), pick(o.Y, indices), pick(o.Targets, indices), pick(o.Trials, indices), base}
}

// fitted returns those that the hyperparameters were fitted to.
func (o Observations) fitted() Observations {
	return Observations{o.X[:o.base], o.Y[:o.base], o.Targets[:o.base], o.Trials[:o.base], o.base}
}
