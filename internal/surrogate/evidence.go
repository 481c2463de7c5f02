package surrogate

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

const (
	// minEvidence is the number of observations from which they decide about
	// their transform, and maxEvidence that of those which do.
	minEvidence, maxEvidence = 20, 100
	// evidenceMargin is by how much, as a logarithm, the evidence for another
	// transform must exceed that for the present one.
	evidenceMargin = 3.0
	// evidenceIterations are the steps from the last hyperparameters towards those
	// of each transform.
	evidenceIterations = 10
)

// transform returns the transform of the objective values: that of the last fit,
// or with a new fit, one with much more evidence.
func (f fitting) transform(from start, xs []fmkernel.Point, ys []float64) *Transform {
	name := from.last.Transform
	if from.due && from.last.Trials > 0 && len(ys) >= minEvidence {
		name = f.mostEvident(xs, ys, from.hyper, name)
	}
	return fitTransform(name, ys)
}

// mostEvident returns the transform with the most evidence, or the present one
// when none has much more: the default, where that one does not apply any more. The evidence
// is the density of the values themselves: that of the targets times the Jacobian of the
// transform.
func (f fitting) mostEvident(xs []fmkernel.Point, ys []float64, hyper gp.Hyper, present string) string {
	some := subset(ys, maxEvidence, f.Seed)
	xs, ys = pick(xs, some), pick(ys, some)
	evidence, names := map[string]float64{}, f.transforms()
	for _, name := range names {
		transform, ok := newTransform(name, ys)
		if !ok {
			continue
		}
		if d, err := f.logDensity(xs, transform.Targets(ys), hyper); err == nil {
			evidence[name] = d + transform.logJacobian(ys)
		}
	}
	best := present
	if _, ok := evidence[best]; !ok {
		best = defaultTransform
	}
	most, ok := evidence[best]
	if !ok { // there is no density to compare with
		return present
	}
	most += evidenceMargin
	for _, name := range names {
		if e, ok := evidence[name]; ok && e > most {
			best, most = name, e
		}
	}
	return best
}

// transforms returns the names of the transforms that may be chosen. A logarithm of the
// distance from the minimum suits the approach to it along a continuous parameter. In a
// finite space so many values that are so near to it are a plateau, and it would show
// the noise there.
func (f fitting) transforms() []string {
	names := transformNames()
	if !f.problem.Space.Continuous() {
		names = slices.DeleteFunc(names, fromMinimum)
	}
	return names
}

// logDensity returns the logarithm of the density of targets at xs, up to a constant.
// Along a continuous parameter what is smooth reaches far, and its logarithm does not:
// there each transform has hyperparameters of its own, some steps from hyper, and the
// density is the posterior one. Elsewhere it is the marginal likelihood under hyper.
func (f fitting) logDensity(xs []fmkernel.Point, targets []float64, hyper gp.Hyper) (float64, error) {
	if f.problem.Space.Continuous() {
		settings := gp.FitSettings{Warm: &hyper, MaxIterations: evidenceIterations}
		_, negative, err := gp.Fit(f.kernel, f.prior, xs, targets, nil, settings)
		return -negative, err
	}
	covariance, err := gp.NewCovariance(f.kernel, hyper, xs)
	if err != nil {
		return 0, err
	}
	return covariance.LogEvidence(targets), nil
}

// targetsOf returns the targets of values of which nothing else is known than the
// name of their transform.
func targetsOf(transform string, ys []float64) []float64 {
	return fitTransform(transform, ys).Targets(ys)
}
