package sampler

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// maxPruned bounds the number of pruned trials that the model takes.
const maxPruned = 300

// forecast conditions on the pruned trials whose intermediate values tell what
// they would have ended with: on that, with its uncertainty as noise. It returns
// the other censored trials, and is an approximation of the joint model of
// curves and final values that costs one extension. That a trial was pruned
// tells nothing beyond its values, since a pruner looks at those alone.
func (t *task) forecast(covariance *gp.Covariance, targets []float64) (extended *gp.Covariance, all []float64, others []int) {
	var curves []history.Trial
	var at []int
	for i, f := range t.ended {
		if len(f.Curve) > 0 && !failed(f) {
			curves, at = append(curves, f), append(at, i)
		} else {
			others = append(others, i)
		}
	}
	if len(curves) == 0 {
		return covariance, targets, others
	}
	var xs []fmkernel.Point
	var means, variances []float64
	for k, f := range history.Forecasts(curves, t.finals, t.transform.Targets(t.y)) {
		if f == nil {
			others = append(others, at[k])
		} else {
			xs, means, variances = append(xs, t.censored[at[k]]), append(means, f.Mean), append(variances, f.Variance)
		}
	}
	keep := subset(means, maxPruned, t.seed)
	extended, err := covariance.ExtendedNoisy(pick(xs, keep), pick(variances, keep))
	if err != nil {
		t.warn(t.study, "pruned trials are left out of the model", err)
		return covariance, targets, others
	}
	return extended, append(targets[:len(targets):len(targets)], pick(means, keep)...), others
}
