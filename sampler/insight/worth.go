package insight

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// belief is a model of the objective, with the targets of all observations under its
// transform. effects is the share of its noise that effects of single configurations are
// taken to have, where there are such.
type belief struct {
	model   *gp.Model
	targets []float64
	effects float64
}

const (
	// evenly is the share of effects where one is taken for all.
	evenly = 0.5
	// numBeliefs is the number of samples.
	numBeliefs = 8
)

// belief returns what is most probable.
func (m *Model) belief() belief { return belief{m.observed, m.surrogate.Targets, evenly} }

// computeBeliefs returns samples of what may be believed, equally probable: few trials leave
// it open how much of what is observed is noise, and how much of that is an effect of a
// configuration. To the most probable hyperparameters what they take for an observation
// without noise is certain. The shares of effects are quantiles of the arcsine
// distribution, Jeffreys' prior of a share.
func (m *Model) computeBeliefs() []belief {
	models, err := m.surrogate.Sampled(numBeliefs, m.random.Rand("insight: beliefs"))
	if err != nil {
		return []belief{m.belief()}
	}
	beliefs := make([]belief, len(models))
	for k, model := range models {
		sine := math.Sin(math.Pi / 2 * (float64(k) + 0.5) / float64(len(models)))
		beliefs[k] = belief{model, m.surrogate.Targets, sine * sine}
	}
	return beliefs
}

// worth is the objective at a configuration, its noise aside, given the model's g there:
// shift + share·g, and an error with the variance own. That of one more trial is noise.
type worth struct{ shift, share, own, noise float64 }

// worth returns what a configuration is worth. Where a dimension is active, a float or
// an int of many values, that is g. Among the values of graphs alone a trial is off g by
// noise, or because the configuration has an effect of its own, which none of its
// neighbours shares. The model takes both for noise, and one trial cannot tell them
// apart: the effect is taken to have a share s of that variance σ². Then the mean y of n
// trials there leaves w·y + (1 - w)·g with w = ns/(ns + 1 - s), and the variance (1 - w)sσ².
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
	return worthAfter(float64(len(indices)), sum, noise, b.effects)
}

// worthAfter returns what a finite configuration is worth after n trials, where effects have
// a share of the noise.
func worthAfter(n, sum, noise, share float64) worth {
	precision := n*share + 1 - share
	g := (1 - share) / precision
	return worth{share * sum / precision, g, g * share * noise, (1 - share) * noise}
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
