package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// minRough is the number of observations from which they decide whether the kernel is
// rough.
const minRough = 15

// textured returns the fitting with the rough kernel, or the smooth one.
func (f fitting) textured(rough bool) fitting {
	f.rough, f.kernel = rough, f.smooth
	if rough {
		f.kernel = f.smooth.Rough()
	}
	return f
}

// isRough reports whether the targets are more probable as values of a function with
// kinks and steps than of a smooth one.
func (f fitting) isRough(data learned, targets []float64, hyper gp.Hyper) bool {
	if !f.problem.Space.Continuous() || len(data.ys) < minRough {
		return f.rough
	}
	keep := subset(data.ys, maxEvidence, f.Seed)
	rough, _, err := f.texture(pick(data.xs, keep), pick(targets, keep), hyper)
	if err != nil {
		return f.rough
	}
	return rough
}

// texture returns which of the two kernels makes targets at xs more probable, and the
// logarithm of that density, up to a constant. Each has hyperparameters of its own, some
// steps from hyper: they are the same ones, with the same priors.
func (f fitting) texture(xs []fmkernel.Point, targets []float64, hyper gp.Hyper) (rough bool, density float64, err error) {
	settings := gp.FitSettings{Warm: &hyper, MaxIterations: evidenceIterations}
	_, smooth, err := gp.Fit(f.smooth, f.prior, xs, targets, nil, settings)
	if f.ReferenceFit {
		return false, -smooth, err
	}
	_, other, otherErr := gp.Fit(f.smooth.Rough(), f.prior, xs, targets, nil, settings)
	if otherErr == nil && (err != nil || other < smooth) {
		return true, -other, nil
	}
	return false, -smooth, err
}
