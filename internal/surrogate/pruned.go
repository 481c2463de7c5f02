package surrogate

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
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
}

// forecast estimates the targets of pruned trials, and returns the other trials
// without a value by their index. This approximates a joint model of curves and
// final values at the cost of a few more observations. That a trial was pruned
// tells nothing beyond its values, since a pruner looks at those alone.
func forecast(p *observe.Problem, transform *history.Transform, seed uint64) (f forecasts, rest []int) {
	var curves []history.Trial
	var at []int
	for i, v := range p.Valueless {
		if len(v.Trial.Curve) > 0 && !v.Trial.Failed() {
			curves, at = append(curves, v.Trial), append(at, i)
		} else {
			rest = append(rest, i)
		}
	}
	if len(curves) == 0 {
		return f, rest
	}
	for k, forecast := range history.Forecasts(curves, p.Trials, transform) {
		if forecast == nil {
			rest = append(rest, at[k])
		} else {
			f.xs = append(f.xs, p.Valueless[at[k]].X)
			f.means, f.variances = append(f.means, forecast.Mean), append(f.variances, sharedError*forecast.Variance)
		}
	}
	slices.Sort(rest)
	keep := subset(f.means, maxPruned, seed)
	return forecasts{pick(f.xs, keep), pick(f.means, keep), pick(f.variances, keep)}, rest
}
