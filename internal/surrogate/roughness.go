package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
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

// isRough reports whether the values are more probable as those of a function with kinks
// and steps than of a smooth one. They are taken as they are, with linear targets: a
// logarithm makes a cusp of a smooth function near an optimum of 0.
func (f fitting) isRough(data learned, hyper gp.Hyper) bool {
	if f.ReferenceFit || !f.problem.Space.Continuous() || len(data.ys) < minRough {
		return f.rough
	}
	keep := subset(data.ys, maxEvidence, f.Seed)
	xs, targets := pick(data.xs, keep), targetsOf(history.LinearTransform, pick(data.ys, keep))
	smooth, err := f.textured(false).logDensity(xs, targets, hyper)
	if err != nil {
		return f.rough
	}
	rough, err := f.textured(true).logDensity(xs, targets, hyper)
	if err != nil {
		return f.rough
	}
	return rough > smooth
}
