package surrogate

import (
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// maxPart bounds the observations of a model of a part of the space, and of a
// search for hyperparameters without a warm start.
const maxPart = 100

// ImprovementWithin is Improvement on the best value of all, for a part of the space
// as a model has it that knows the observations of this part alone: their
// targets are linear, and its hyperparameters theirs. A choice that makes everything
// flat makes the lengthscales of the whole long, and hides what another one does.
// ok is false where the part has no two values.
func (s *Surrogate) ImprovementWithin(contains func(x fmkernel.Point) bool) (improvement func() acquisition.Func, ok bool) {
	f := s.fitting
	f.cache = &Cache{} // of this part alone
	part := s.within(contains)
	if len(part.Y) < 2 {
		return nil, false
	}
	part.Observations = part.pick(subset(part.Y, maxPart, f.Seed))
	part.base = len(part.Y)
	model, transform, ok := f.modelOf(part)
	if !ok {
		return nil, false
	}
	best := transform.Target(slices.Min(s.Y))
	return func() acquisition.Func {
		return s.feasibility.times(acquisition.EI(model.Predictor(), best))
	}, true
}

// modelOf returns a model with linear targets and hyperparameters that are fitted to
// these observations, to maxPart at most.
func (f fitting) modelOf(on conditions) (model *gp.Model, transform *history.Transform, ok bool) {
	if transform, ok = history.NewTransform(history.LinearTransform, on.Y); !ok {
		return nil, nil, false
	}
	on.Targets = transform.Targets(on.Y)
	hyper := f.cold(on.Observations, f.stream("part"))
	model, err := f.model(0, hyper, on)
	return model, transform, err == nil
}

// cold returns the most probable hyperparameters as maxPart of the observations at
// most have it, by a search without a warm start, or typical ones where it fails.
func (f fitting) cold(data Observations, rng *rand.Rand) gp.Hyper {
	hyper := f.prior.Typical(f.kernel)
	if fitted, err := f.search(data, maxPart, rng, f.searchFrom(hyper, rng)); err == nil {
		return fitted
	}
	return hyper
}

// within returns what of the conditions lies in a part of the space, without
// targets.
func (c conditions) within(contains func(x fmkernel.Point) bool) (part conditions) {
	var keep []int
	for i, x := range c.X {
		if contains(x) {
			keep = append(keep, i)
		}
	}
	part.Observations = c.pick(keep)
	for _, x := range c.pending {
		if contains(x) {
			part.pending = append(part.pending, x)
		}
	}
	for _, v := range c.valueless {
		if contains(v.x) {
			part.valueless = append(part.valueless, v)
		}
	}
	return part
}
