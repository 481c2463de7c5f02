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

// isRough reports whether both the values as they are and the targets are more probable
// as those of a function with kinks and steps than of a smooth one. A logarithm makes a
// cusp of a smooth function near an optimum of 0, so the targets alone do not tell; and
// noise on a plateau is rough to linear targets.
func (f fitting) isRough(data learned, targets []float64, hyper gp.Hyper) bool {
	if f.ReferenceFit || !f.problem.Space.Continuous() || len(data.ys) < minRough {
		return f.rough
	}
	keep := subset(data.ys, maxEvidence, f.Seed)
	xs, ys := pick(data.xs, keep), pick(data.ys, keep)
	for _, targets := range [][]float64{pick(targets, keep), targetsOf(history.LinearTransform, ys)} {
		smooth, err := f.textured(false).logDensity(xs, targets, hyper)
		if err != nil {
			return f.rough
		}
		rough, err := f.textured(true).logDensity(xs, targets, hyper)
		if err != nil {
			return f.rough
		}
		if rough <= smooth {
			return false
		}
	}
	return true
}
