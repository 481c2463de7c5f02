package surrogate

import (
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// maxPart bounds the observations of a model of a part of the space, and of a
// search for hyperparameters without a warm start, or of those of a constraint.
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
	transform, ok := newTransform(linearTransform, part.Y)
	if !ok {
		return nil, false
	}
	part.Targets = transform.Targets(part.Y)
	model, err := f.model(0, f.cold(part.Observations, f.stream("part")), part)
	if err != nil {
		return nil, false
	}
	best := transform.Target(slices.Min(pick(s.Y, s.Observed(func(fmkernel.Point) bool { return true }))))
	return func() acquisition.Func {
		return s.feasibility.times(acquisition.EI(model.Predictor(), best))
	}, true
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

// within returns what the surrogate was conditioned on in a part of the space.
func (s *Surrogate) within(contains func(x fmkernel.Point) bool) conditions {
	outside := func(x fmkernel.Point) bool { return !contains(x) }
	var inside []int
	for i, x := range s.X {
		if contains(x) {
			inside = append(inside, i)
		}
	}
	return conditions{
		Observations: s.pick(inside),
		pending:      slices.DeleteFunc(slices.Clone(s.pending), outside),
		valueless:    slices.DeleteFunc(slices.Clone(s.valueless), func(v valueless) bool { return outside(v.x) }),
	}
}
