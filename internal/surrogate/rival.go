package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

const (
	// maxRival is the number of observations up to which the hyperparameters are
	// fitted under two priors. More of them tell by themselves what matters.
	maxRival = 200
	// maxGain bounds what one comparison counts, in nats: one observation of which
	// a model is wrongly sure would outweigh all others.
	maxGain = 1.0
	// handicap is by how much, in nats, the wide prior begins behind: where few
	// parameters are to be told apart it predicts about as well, and searches worse.
	handicap = 2.0
)

// withLeadingPrior returns the fitting and its start under the prior that leads by now: that
// of the last fit, or of its rival, which then is in its place.
//
// Under the default prior all parameters matter about as much, under the wide one
// some matter and others do nothing: it learns sooner which, and is surer than it
// should be. Which of the two suits a space shows in how well the last fit under
// each predicts what was observed since (Dawid, Statistical theory: the prequential
// approach, 1984). The likelihood of what they were fitted to would always prefer the
// wide one.
func (f fitting) withLeadingPrior(from start, data Observations) (fitting, start) {
	last := from.last
	if last.Rival == nil || len(data.Y) < len(f.problem.Y) || last.Trials >= len(data.Y) {
		return f, from
	}
	hyper, complete := f.storedHyper(&last.Hyper)
	rival, rivalComplete := f.storedHyper(last.Rival)
	gain := f.logPredictive(data, rival, last.Trials) - f.logPredictive(data, hyper, last.Trials)
	if !complete || !rivalComplete || math.IsInf(gain, 0) || math.IsNaN(gain) {
		return f, from
	}
	next := *last
	next.Lead += min(maxGain, max(-maxGain, gain))
	if next.Lead > 0 {
		next.Hyper, next.Rival, next.Lead = *last.Rival, &last.Hyper, -next.Lead
	}
	f = f.withPrior(next.Wide)
	return f, f.start(&next)
}

// logPredictive returns the logarithm of the density, under the hyperparameters, of all
// targets after the first n, given those; -Inf where there is no covariance.
func (f fitting) logPredictive(data Observations, hyper gp.Hyper, n int) float64 {
	covariance, err := gp.NewCovariance(f.kernel, hyper, data.X)
	if err != nil {
		return math.Inf(-1)
	}
	return covariance.LogPredictive(data.Targets, n)
}

// rival returns the hyperparameters under the other prior, and their lead: new ones if
// they are due, or those of the last fit. There are none where the user decides about
// the priors, and of more than maxRival observations.
func (f fitting) rival(from start, data Observations) (*plan.Hyper, float64) {
	if f.ReferenceFit || len(f.problem.Y) > maxRival {
		return nil, 0
	}
	other := f.withPrior(!f.wide)
	hyper, lead := other.prior.Typical(f.kernel), -handicap
	if from.last.Rival != nil {
		hyper, _ = f.storedHyper(from.last.Rival)
		lead = from.last.Lead
	} else if !from.due {
		return nil, 0
	}
	if from.due {
		hyper = other.mostProbable(data, hyper)
	}
	rival := other.toStored(hyper)
	return &rival, lead
}
