package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// Refitted returns the model of some of the observations, at least one, by their
// indices, ascending: under the default transform of all, so that the targets of
// several such models are on one scale, and with hyperparameters of its own.
func (s *Surrogate) Refitted(keep []int) (*gp.Model, error) {
	transform, _ := history.NewTransform("", s.Y)
	part := learned{pick(s.X, keep), pick(s.Y, keep), len(keep)}
	targets := transform.Targets(part.ys)
	hyper := s.fitting.hyper(part, targets, s.Model().Hyper())
	return gp.Condition(s.Kernel, hyper, part.xs, targets)
}
