package problems

import (
	"math"
	"math/rand/v2"

	"github.com/c-bata/goptuna"
)

// RandomSampler draws every parameter uniformly, on its own scale. Goptuna's
// own RandomSampler draws categorical parameters from the global source of
// math/rand, which no seed reaches, and never returns the upper end of an
// integer parameter.
//
// It is not safe for concurrent use.
type RandomSampler struct {
	rng *rand.Rand
}

// NewRandomSampler returns a sampler whose numbers the seed fixes.
func NewRandomSampler(seed int64) *RandomSampler {
	return &RandomSampler{rng: rand.New(rand.NewPCG(uint64(seed), 0))}
}

// Sample implements goptuna.Sampler, for the distributions that the problems of
// this package ask for.
func (s *RandomSampler) Sample(_ *goptuna.Study, _ goptuna.FrozenTrial, _ string, distribution any) (float64, error) {
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Low + (d.High-d.Low)*s.rng.Float64(), nil
	case goptuna.LogUniformDistribution:
		return min(d.Low*math.Pow(d.High/d.Low, s.rng.Float64()), d.High), nil
	case goptuna.IntUniformDistribution:
		return float64(d.Low + s.rng.IntN(d.High-d.Low+1)), nil
	case goptuna.DiscreteUniformDistribution:
		steps := int(math.Round((d.High - d.Low) / d.Q))
		return min(d.Low+float64(s.rng.IntN(steps+1))*d.Q, d.High), nil
	case goptuna.CategoricalDistribution:
		return float64(s.rng.IntN(len(d.Choices))), nil
	default:
		return 0, goptuna.ErrUnknownDistribution
	}
}
