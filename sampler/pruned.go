package sampler

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

const (
	// maxPruned bounds the number of pruned trials that the model takes.
	maxPruned = 300
	// sharedError is what the variance of a forecast is multiplied by: forecasts
	// from one line err together, and the model takes their errors for
	// independent.
	sharedError = 4.0
)

// forecasts are the pruned trials whose intermediate values tell what they would
// have ended with. The posterior takes them for observations with more noise; the
// hyperparameters are learned without them, so that what is wrong with forecasts
// is not taken for noise of the objective.
type forecasts struct {
	xs               []fmkernel.Point
	means, variances []float64 // of their targets, without the noise of others
	without          []int     // the other censored trials, by index
}

// forecast estimates the targets of pruned trials. This
// approximates a joint model of curves and final values at the cost of a few more
// observations. That a trial was pruned tells nothing beyond its values, since a
// pruner looks at those alone.
func (t *task) forecast() {
	var curves []history.Trial
	var at []int
	t.forecasts = forecasts{}
	f := &t.forecasts
	for i, trial := range t.ended {
		if len(trial.Curve) > 0 && !failed(trial) {
			curves, at = append(curves, trial), append(at, i)
		} else {
			f.without = append(f.without, i)
		}
	}
	if len(curves) == 0 {
		return
	}
	for k, forecast := range history.Forecasts(curves, t.finals, t.transform) {
		if forecast == nil {
			f.without = append(f.without, at[k])
		} else {
			f.xs = append(f.xs, t.censored[at[k]])
			f.means, f.variances = append(f.means, forecast.Mean), append(f.variances, sharedError*forecast.Variance)
		}
	}
	slices.Sort(f.without)
	keep := subset(f.means, maxPruned, t.seed)
	f.xs, f.means, f.variances = pick(f.xs, keep), pick(f.means, keep), pick(f.variances, keep)
}
