package insight

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// belief is a model of the objective, with the targets of all observations under its
// transform.
type belief struct {
	model   *gp.Model
	targets []float64
}

// belief returns the one that predictions are made with.
func (m *Model) belief() belief { return belief{m.observed, m.surrogate.Targets} }

// worth is the objective at a configuration, its noise aside, given the model's g there:
// shift + share·g, and an error with the variance own. That of one more trial is noise.
type worth struct{ shift, share, own, noise float64 }

// worth returns what a configuration is worth. Where a dimension is active, a float or
// an int of many values, that is g. Among the values of graphs alone a trial is off g by
// noise, or because the configuration has an effect of its own, which none of its
// neighbours shares. The model takes both for noise, and one trial cannot tell them
// apart: each is taken to have half of that variance σ². Then the mean y of n trials
// there leaves (n·y + g)/(n+1), with the variance σ²/2/(n+1).
func (m *Model) worth(b belief, x fmkernel.Point) worth {
	noise := b.model.Hyper().Noise
	if !m.finite(x) {
		return worth{share: 1, noise: noise}
	}
	sum := 0.0
	indices := m.observations()[m.problem.Space.Key(x)]
	for _, i := range indices {
		sum += b.targets[i]
	}
	return worthAfter(float64(len(indices)), sum, noise)
}

// worthAfter returns what a finite configuration is worth after n trials.
func worthAfter(n, sum, noise float64) worth {
	return worth{sum / (n + 1), 1 / (n + 1), noise / 2 / (n + 1), noise / 2}
}

// of returns mean and variance where those of g are given.
func (w worth) of(mean, variance float64) (float64, float64) {
	return w.shift + w.share*mean, w.share*w.share*variance + w.own
}

// finite reports whether no dimension is active at x.
func (m *Model) finite(x fmkernel.Point) bool {
	sp := m.problem.Space
	for _, p := range sp.Dims() {
		if sp.Active(x, p) {
			return false
		}
	}
	return true
}

// computeObservations returns the indices of the observations by configuration.
func (m *Model) computeObservations() map[string][]int {
	indices := map[string][]int{}
	for i, x := range m.surrogate.X {
		key := m.problem.Space.Key(x)
		indices[key] = append(indices[key], i)
	}
	return indices
}

// upperBounds returns, for each of xs, the sum over the beliefs of mean plus k standard
// deviations of what it is worth.
func (m *Model) upperBounds(beliefs []belief, k float64, xs []fmkernel.Point) []float64 {
	means, variances, sums := make([]float64, len(xs)), make([]float64, len(xs)), make([]float64, len(xs))
	for _, b := range beliefs {
		b.model.Predictor().PredictBatch(means, variances, xs)
		for i, x := range xs {
			mean, variance := m.worth(b, x).of(means[i], variances[i])
			sums[i] += mean + k*math.Sqrt(variance)
		}
	}
	return sums
}
