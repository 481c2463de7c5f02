package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// metrics are the distances between continuous parameters, by the names that are stored with
// a fit.
var metrics = map[string]func(*fmkernel.Kernel) *fmkernel.Kernel{
	saturatedMetric: (*fmkernel.Kernel).Saturated,
	squaredMetric:   func(squared *fmkernel.Kernel) *fmkernel.Kernel { return squared },
	"weighted":      (*fmkernel.Kernel).Weighted,
	"rough":         (*fmkernel.Kernel).Rough,
}

const (
	// saturatedMetric is the default, and squaredMetric, that of the paper, below
	// minSaturated observations, where no parameter depends on others. With the squared one
	// the model is uncertain far from all observations. With the saturated one it extrapolates
	// along each dimension, and few observations make it too certain of the corners of the
	// space. Beside conditional parameters it needs to extrapolate: each variant has few
	// observations.
	saturatedMetric = ""
	squaredMetric   = "squared"
	minSaturated    = 20
	// minMetric is the number of observations from which they decide about the metric.
	minMetric = 15
)

// withMetric returns the fitting with a metric: saturatedMetric where there is none of the name.
// The reference fit has that of the paper.
func (f fitting) withMetric(metric string) fitting {
	if f.ReferenceFit {
		f.kernel = f.squared
		return f
	}
	of, ok := metrics[metric]
	if !ok {
		metric, of = saturatedMetric, metrics[saturatedMetric]
	}
	f.metric, f.kernel = metric, of(f.squared)
	return f
}

// mostProbableMetric returns another metric than the default of so many observations where both
// the values as they are and the targets are more probable with it. Near an optimum of 0 a
// logarithm makes a cusp of a smooth function, so the targets alone do not tell; and noise on a
// plateau is rough to linear targets.
func (f fitting) mostProbableMetric(data Observations, hyper gp.Hyper) string {
	n := len(data.Y)
	if f.ReferenceFit || !f.problem.Space.Continuous() {
		return f.metric
	}
	byDefault := saturatedMetric
	if n < minSaturated && len(f.problem.Space.Groups()) == 0 {
		byDefault = squaredMetric
	}
	if n < minMetric {
		return byDefault
	}
	some := data.pick(subset(data.Y, maxEvidence, f.Seed))
	density := func(metric string, targets []float64) float64 {
		d, err := f.withMetric(metric).logDensity(some.X, targets, hyper)
		if err != nil {
			return math.Inf(-1)
		}
		return d
	}
	linear := targetsOf(linearTransform, some.Y)
	ofDefault := density(byDefault, some.Targets)
	best, most := byDefault, 0.0
	for _, metric := range [...]string{"weighted", "rough"} {
		if f.withMetric(metric).kernel == f.withMetric(byDefault).kernel { // of one float or two
			continue
		}
		byTargets := density(metric, some.Targets) - ofDefault
		if !(byTargets > 0) { // then the values need not be asked
			continue
		}
		if byValues := density(metric, linear) - density(byDefault, linear); byValues > 0 && byTargets+byValues > most {
			best, most = metric, byTargets+byValues
		}
	}
	return best
}
