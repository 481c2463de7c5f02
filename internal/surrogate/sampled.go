package surrogate

import (
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

const (
	// honestNoise is the median of the noise's variance under which hyperparameters are
	// sampled. The search does as well with little noise, and takes what it has seen for
	// certain; who reads a prediction wants to know how wrong that may be.
	honestNoise = 0.03
	// thinning is how many draws there are for one that is kept: the chain starts at the most
	// probable hyperparameters, and takes some steps from little noise to much.
	thinning = 4
	// maxSampled bounds the observations that tell of the hyperparameters. The predictions
	// are made from all.
	maxSampled = 100
)

// Sampled returns n models of the observations, whose hyperparameters are drawn from their
// posterior.
func (s *Surrogate) Sampled(n int, rng *rand.Rand) ([]*gp.Model, error) {
	f, some := s.fitting, s.Observations.pick(subset(s.Y, maxSampled, s.fitting.Seed))
	hypers, err := gp.Sample(f.kernel, f.prior.WithNoise(honestNoise), some.X, some.Targets, rng, s.Model().Hyper(), thinning*n)
	if err != nil {
		return nil, err
	}
	models := make([]*gp.Model, n)
	for i := range models {
		if models[i], err = gp.Condition(f.kernel, hypers[thinning*(i+1)-1], s.X, s.Targets); err != nil {
			return nil, err
		}
	}
	return models, nil
}
