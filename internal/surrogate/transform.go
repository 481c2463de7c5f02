package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

const (
	// minEvidence is the number of observations from which they decide about
	// their transform, and maxEvidence that of those which do.
	minEvidence, maxEvidence = 20, 200
	// evidenceMargin is by how much, as a logarithm, the marginal likelihood under
	// another transform must exceed that under the present one.
	evidenceMargin = 3.0
)

// transform returns the transform of the objective values: that of the last fit,
// or with a new fit, under the hyperparameters of the last, one with a much larger
// marginal likelihood of the values themselves: that of the targets times the
// Jacobian of the transform.
func (f fitting) transform(data learned, last *plan.Fit, hyper gp.Hyper, due bool) *history.Transform {
	name := ""
	if last != nil {
		name = last.Transform
		if due && len(data.ys) >= minEvidence {
			name = f.mostEvident(data, hyper, name)
		}
	}
	transform, ok := history.NewTransform(name, data.ys)
	if !ok {
		transform, _ = history.NewTransform("", data.ys)
	}
	return transform
}

// mostEvident returns the transform with the most evidence, or the present one
// when none has much more.
func (f fitting) mostEvident(data learned, hyper gp.Hyper, present string) string {
	keep := subset(data.ys, maxEvidence, f.Seed)
	ys := pick(data.ys, keep)
	covariance, err := gp.NewCovariance(f.kernel, hyper, pick(data.xs, keep))
	if err != nil {
		return present
	}
	evidence := map[string]float64{}
	for _, name := range history.TransformNames() {
		if transform, ok := history.NewTransform(name, ys); ok {
			evidence[name] = covariance.LogEvidence(transform.Targets(ys)) + transform.LogJacobian(ys)
		}
	}
	base, ok := evidence[present]
	if !ok {
		present, base = "", evidence[""]
	}
	best, most := present, base+evidenceMargin
	for _, name := range history.TransformNames() {
		if e, ok := evidence[name]; ok && e > most {
			best, most = name, e
		}
	}
	return best
}

// targetsOf returns the targets of values of which nothing else is known than the
// name of their transform.
func targetsOf(transform string, ys []float64) []float64 {
	if t, ok := history.NewTransform(transform, ys); ok {
		return t.Targets(ys)
	}
	return history.Targets(ys)
}
