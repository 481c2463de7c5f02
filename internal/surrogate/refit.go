package surrogate

import "github.com/goptuna-fm/goptuna-fm/internal/gp"

// Refitted returns the model of some of the observations, at least one, by their
// indices, ascending, with hyperparameters of its own, and the targets of all: those of
// several such models are on one scale, that of the default transform.
func (s *Surrogate) Refitted(keep []int) (model *gp.Model, targets []float64, err error) {
	targets = targetsOf(defaultTransform, s.Y)
	part := s.Observations
	part.Targets = targets
	part = part.pick(keep)
	hyper := s.fitting.mostProbable(part, s.Model().Hyper())
	model, err = gp.Condition(s.fitting.kernel, hyper, part.X, part.Targets)
	return model, targets, err
}
