package surrogate

import "github.com/goptuna-fm/goptuna-fm/internal/gp"

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
// kinks and steps than of a smooth one, each some steps from hyper: the two kernels have
// the same hyperparameters and priors.
func (f fitting) isRough(data learned, targets []float64, hyper gp.Hyper) bool {
	if f.ReferenceFit || !f.problem.Space.Continuous() || len(data.ys) < minRough {
		return f.rough
	}
	keep := subset(data.ys, maxEvidence, f.Seed)
	xs, targets := pick(data.xs, keep), pick(targets, keep)
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
