package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// Best returns the best prediction of Model at the reference.
func (s *Surrogate) Best(ref Reference) float64 { return s.best(0, ref) }

// DefaultTargets returns the targets of values under the default transform.
func DefaultTargets(ys []float64) []float64 { return targetsOf(defaultTransform, ys) }

// MostEvident returns the transform of the observations that has the most evidence at the
// hyperparameters, or the present one.
func (s *Surrogate) MostEvident(hyper gp.Hyper, present string) string {
	return s.fitting.mostEvident(s.X, s.Y, hyper, present)
}

// Evidence returns that for a transform of the observations at the hyperparameters, and false
// where it does not apply.
func (s *Surrogate) Evidence(name string, hyper gp.Hyper) (evidence float64, ok bool) {
	transform, ok := newTransform(name, s.Y)
	if !ok {
		return 0, false
	}
	density, err := s.fitting.logDensity(s.X, transform.Targets(s.Y), hyper)
	return density + transform.logJacobian(s.Y), err == nil
}

// Transforms returns the names of those that may be chosen.
func (s *Surrogate) Transforms() []string { return s.fitting.transforms() }

// Weights returns how much the trials without a value count, in the order of the problem.
func (s *Surrogate) Weights() (weights []float64) {
	for _, v := range s.valueless {
		weights = append(weights, v.weight)
	}
	return weights
}

// LogPredictive returns what a covariance of the observations, as the cache has it in its
// first slot, says of the targets after the first n.
func (s *Surrogate) LogPredictive(cache *Cache, base int, xs []fmkernel.Point, targets []float64, n int) (float64, error) {
	f := s.fitting
	f.cache = cache
	c, err := f.covariance(0, s.Model().Hyper(), Observations{X: xs, base: base})
	if err != nil {
		return 0, err
	}
	return c.LogPredictive(targets, n), nil
}

// LatentPoints returns the points of each model of where trials are feasible.
func (s *Surrogate) LatentPoints() (points [][]fmkernel.Point) {
	for _, model := range s.feasibility {
		points = append(points, model.Points())
	}
	return points
}
