package gp

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
)

// ErrNoFit means that the density had no finite value at any start.
var ErrNoFit = errors.New("gp: no hyperparameters with a finite likelihood")

const (
	// gradTol and funcTol end a search where the density changes by less than
	// matters beside its uncertainty: a few hundredths of a unit of its
	// logarithm.
	gradTol = 1e-2
	funcTol = 5e-5

	// tryIterations and tryMargin give up another start: after so many steps,
	// when its value is so much above the best.
	tryIterations = 10
	tryMargin     = 3.0
)

// FitSettings bounds the search for hyperparameters. A zero field means its
// default.
type FitSettings struct {
	Warm          *Hyper // start of the search; nil means typical values under the prior
	Other         *Hyper // another start, if not nil
	RandomStarts  int    // further starts, drawn from the prior
	MaxIterations int    // per start; 0 means 50
}

// Fit returns the hyperparameters that maximise the posterior density given
// targets y at xs, and the negative logarithm of that density. Targets should
// have mean 0 and variance 1. It panics when len(y) != len(xs).
func Fit(k *fmkernel.Kernel, prior Prior, xs []fmkernel.Point, y []float64, rng *rand.Rand, s FitSettings) (Hyper, float64, error) {
	if len(y) != len(xs) {
		panic(badTargets)
	}
	f := newPosteriorDensity(k, prior, xs, y)
	lower, upper := f.bounds()
	if s.MaxIterations == 0 {
		s.MaxIterations = 50
	}
	settings := boxmin.Settings{MaxIterations: s.MaxIterations, GradTol: gradTol, FuncTol: funcTol}

	starts := [][]float64{f.typical()}
	if s.Warm != nil {
		starts[0] = f.fromHyper(*s.Warm)
	}
	if s.Other != nil {
		starts = append(starts, f.fromHyper(*s.Other))
	}
	for range s.RandomStarts {
		starts = append(starts, f.random(rng))
	}
	best := boxmin.Result{F: math.Inf(1)}
	for i, start := range starts {
		if i > 0 && !math.IsInf(best.F, 1) {
			// Another start rarely ends lower. The first steps tell.
			short := settings
			short.MaxIterations = tryIterations
			res := boxmin.Minimize(f.at, start, lower, upper, short)
			if res.F > best.F+tryMargin {
				continue
			}
			start = res.X
		}
		if res := boxmin.Minimize(f.at, start, lower, upper, settings); res.F < best.F {
			best = res
		}
	}
	if math.IsInf(best.F, 1) {
		return Hyper{}, best.F, ErrNoFit
	}
	return f.hyperAt(best.X), best.F, nil
}
