package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// feasibility is the posteriors of latent functions, independent of each other, all of which
// are positive where a trial is feasible: has a value, and violates no constraint.
type feasibility []*gp.Model

// times returns the product of an acquisition function and the probability that a trial
// is feasible, for one goroutine.
func (g feasibility) times(improvement acquisition.Func) acquisition.Func {
	if len(g) == 0 {
		return improvement
	}
	product := acquisition.Product{improvement}
	for _, model := range g {
		product = append(product, acquisition.Feasible(model.Predictor(), model.Hyper().Noise))
	}
	return product
}

// Feasible returns the probability that a trial at a point has a value and violates no
// constraint, for one goroutine.
func (s *Surrogate) Feasible() func(x fmkernel.Point) float64 { return s.feasibility.probability() }

// Within returns the probability that a trial at a point violates no constraint if it has not
// failed, for one goroutine.
func (s *Surrogate) Within() func(x fmkernel.Point) float64 { return s.limits.probability() }

// probability returns that of a feasible trial at a point, for one goroutine.
func (g feasibility) probability() func(x fmkernel.Point) float64 {
	var posts []*gp.Predictor
	for _, model := range g {
		posts = append(posts, model.Predictor())
	}
	return func(x fmkernel.Point) float64 {
		product := 1.0
		for i, post := range posts {
			mean, variance := post.Predict(x)
			product *= probability(mean, variance+g[i].Hyper().Noise)
		}
		return product
	}
}

// probability returns P(g > 0) for g ~ N(mean, variance).
func probability(mean, variance float64) float64 {
	return math.Exp(acquisition.LogFeasible(mean, variance))
}

// latentIterations bounds the search for the hyperparameters of a latent function.
const latentIterations = 25

// latentHyper returns the hyperparameters of a latent function: the last ones, or where they
// are due, or not all known, the most probable ones.
func (f fitting) latentHyper(due bool, last *plan.Hyper, prior gp.Prior, xs []fmkernel.Point, targets []float64, purpose string) gp.Hyper {
	hyper := prior.Typical(f.kernel)
	known := last != nil
	if known && last.Apply(f.problem.Space, &hyper) && !due {
		return hyper
	}
	settings := gp.FitSettings{Warm: &hyper, Other: f.otherNoise(hyper, prior), MaxIterations: latentIterations}
	if !known {
		settings.RandomStarts = 1
	}
	if fitted, _, err := gp.Fit(f.kernel, prior, xs, targets, f.stream(purpose), settings); err == nil {
		return fitted
	}
	return hyper
}
