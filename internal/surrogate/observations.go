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

// transformed returns the observations of the model with their targets, and the transform
// behind these.
func (f fitting) transformed(from start, outliers []int) (Observations, *Transform) {
	data := f.observations(from.trials, outliers)
	transform := f.transform(from, data)
	data.Targets = transform.Targets(data.Y)
	return data, transform
}

// observations returns those of the model, without targets: of the first n as many as it
// takes, and all that came later, but for the outliers, by the numbers of their trials.
func (f fitting) observations(n int, outliers []int) Observations {
	p := f.problem
	feasible := func(i int) bool { return p.IsFeasible(p.Trials[i]) }
	ys := slices.Clone(p.Y[:n])
	for i := range ys {
		if !feasible(i) {
			ys[i] = math.Inf(1) // after all others
		}
	}
	keep := subset(ys, f.ModelTrials, f.Seed)
	for i := n; i < len(p.Y); i++ {
		keep = append(keep, i)
	}
	outlier := func(i int) bool { return slices.Contains(outliers, p.Trials[i].Number) }
	if without := slices.DeleteFunc(slices.Clone(keep), outlier); slices.ContainsFunc(without, feasible) {
		keep = without
	}
	return Observations{X: p.X, Y: p.Y, Targets: p.Y, Trials: p.Trials, base: n}.pick(keep) // the values stand for the targets
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
