package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// maxLinear bounds the observations of a model with linear targets.
const maxLinear = 500

// Linear returns the surrogate with linear targets, which have hyperparameters of their own and
// saturatedMetric, though another one may make the values more probable: to a rough kernel the
// noise on a plateau is structure. ok is false where all values are equal, and of more than
// maxLinear observations.
func (s *Surrogate) Linear() (linear *Surrogate, ok bool) {
	f, on := s.fitting.withMetric(saturatedMetric), s.conditions
	transform, ok := newTransform(linearTransform, on.Y)
	if !ok || len(on.Y) > maxLinear {
		return nil, false
	}
	on.Targets = transform.Targets(on.Y)
	slot := max(1, f.Samples) // after those of the samples, or of the one fit
	model, err := f.model(slot, f.linear(on.Observations, s.Model().Hyper()), on)
	if err != nil {
		return nil, false
	}
	other := *s
	other.fitting, other.conditions, other.Transform, other.models = f, on, transform, []*gp.Model{model}
	return &other, true
}

// linear returns hyperparameters for linear targets. Like samples they are a function
// of the seed, the prior, the last fit and the observations that it saw, and stand until
// the next one.
func (f fitting) linear(data Observations, fitted gp.Hyper) gp.Hyper {
	base := data.fitted()
	return f.cache.linear.get(f.sampleKey(linearTransform, fitted), base.X, base.Y, func() []gp.Hyper {
		rng := stream.Trial{Seed: f.Seed, Number: base.base}.Rand("linear")
		base.Targets = targetsOf(linearTransform, base.Y)
		return []gp.Hyper{f.cold(base, rng)}
	})[0]
}
