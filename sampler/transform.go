package sampler

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

const (
	// minEvidence is the number of observations from which they decide about
	// their transform, and maxEvidence that of those which do.
	minEvidence, maxEvidence = 20, 200
	// evidenceMargin is by how much, as a logarithm, the evidence for another
	// transform must exceed that for the present one.
	evidenceMargin = 30.0
)

// setTransform chooses the transform of the objective values: that of the last
// fit, or with a new fit, under the hyperparameters of the last, one with much
// more evidence. Evidence is the marginal likelihood of the values themselves,
// that of the targets times the Jacobian of the transform.
func (t *task) setTransform(kernel *fmkernel.Kernel, hyper gp.Hyper, refit bool) {
	name := ""
	last := t.lastFit(kernel)
	if last != nil {
		name = last.Transform
	}
	if last != nil && refit && len(t.ys) >= minEvidence {
		name = t.mostEvident(kernel, hyper, name)
	}
	transform, ok := history.NewTransform(name, t.ys)
	if !ok {
		transform, _ = history.NewTransform("", t.ys)
	}
	t.transform = transform
}

// mostEvident returns the transform with the most evidence, or the present one
// when none has much more.
func (t *task) mostEvident(kernel *fmkernel.Kernel, hyper gp.Hyper, present string) string {
	keep := subset(t.ys, maxEvidence, t.seed)
	ys := pick(t.ys, keep)
	covariance, err := gp.NewCovariance(kernel, hyper, pick(t.xs, keep))
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

// targets returns those of values of which it knows nothing else than the name
// of their transform.
func (t *task) targets(ys []float64) []float64 {
	if transform, ok := history.NewTransform(t.transform.Name(), ys); ok {
		return transform.Targets(ys)
	}
	return history.Targets(ys)
}
