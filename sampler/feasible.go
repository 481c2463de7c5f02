package sampler

import (
	"math"
	"math/rand/v2"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

const (
	// maxFeasible bounds the number of points of the model of feasibility, and
	// feasibleIterations the search for its hyperparameters.
	maxFeasible        = 300
	feasibleIterations = 25
)

// failed reports whether a trial ended without a value for a reason that says
// something about its configuration. A pruned one could have been finished.
func failed(f history.Trial) bool { return f.Censored && f.State != goptuna.TrialStatePruned }

// feasibility is the posterior of a latent function that is positive where
// trials give a value. It is a Gaussian process under the kernel of the
// objective, with hyperparameters of its own, fitted to the labels 1 and -1 by
// least squares. Failures that depend on the configuration make it follow them;
// those that come at random are noise to it, and move it everywhere a little and
// nowhere much.
type feasibility struct {
	*gp.Predictor
	// blame holds, by index into the censored trials, the probability of a
	// failure there as all other trials have it: a trial that failed by chance
	// is surrounded by others that did not.
	blame map[int]float64
}

// feasible returns where trials give a value, nil when none has failed, and adds
// its hyperparameters to the fit. What goes wrong with it is logged once, and
// then it is nil, too.
func (t *task) feasible(kernel *fmkernel.Kernel, fit *storedFit, refit bool) *feasibility {
	var xs []fmkernel.Point
	var labels, age []float64
	var failures []int
	for i, x := range t.censored {
		if failed(t.ended[i]) {
			xs, labels, age = append(xs, x), append(labels, -1), append(age, -float64(i))
			failures = append(failures, i)
		}
	}
	if len(failures) == 0 {
		return nil
	}
	if old := len(failures) - maxCensored; old > 0 {
		failures, xs, labels, age = failures[old:], xs[old:], labels[old:], age[old:]
	}
	for i, x := range t.censored {
		if !failed(t.ended[i]) {
			xs, labels, age = append(xs, x), append(labels, 1), append(age, 1)
		}
	}
	for _, x := range t.xs {
		xs, labels, age = append(xs, x), append(labels, 1), append(age, 1)
	}
	keep := subset(age, maxFeasible, t.seed) // the latest failures, and some of all others
	all := xs
	xs, labels = pick(xs, keep), pick(labels, keep)

	prior := gp.NewLabelPrior(t.varying())
	hyper := prior.Typical(kernel)
	var last *storedFit
	if fit := t.lastFit(kernel); fit != nil {
		last = fit.Feasible
	}
	if last == nil || !last.apply(t.space, &hyper) || refit {
		settings := gp.FitSettings{Warm: &hyper, MaxIterations: feasibleIterations}
		if last == nil {
			settings.RandomStarts = 1
		}
		rng := rand.New(rand.NewPCG(t.seed, qmc.Mix(uint64(t.trial.Number), 2))) // not t.rng: one failure does not change all
		if fitted, _, err := gp.Fit(kernel, prior, xs, labels, rng, settings); err == nil {
			hyper = fitted
		}
	}
	model, err := gp.Condition(kernel, hyper, xs, labels)
	if err != nil {
		t.warn(t.study, "where trials fail is not modelled", err)
		return nil
	}
	fit.Feasible = newStoredFit(t.fitName(kernel), t.space, hyper, len(xs))

	f := &feasibility{model.Predictor(), map[int]float64{}}
	for k, i := range failures {
		mean, variance := f.Predict(all[k])
		f.blame[i] = 1 - f.probability(mean, variance+hyper.Noise)
	}
	means, variances := model.LeaveOneOut()
	for k, i := range keep {
		if i < len(failures) {
			f.blame[failures[i]] = 1 - f.probability(means[k], variances[k])
		}
	}
	return f
}

// probability returns P(g > 0) for g ~ N(mean, variance).
func (f *feasibility) probability(mean, variance float64) float64 {
	return math.Exp(acquisition.LogFeasible(mean, variance))
}

// times returns the product of an acquisition function and the feasibility, for
// one goroutine.
func (f *feasibility) times(improvement acquisition.Func) acquisition.Func {
	if f == nil {
		return improvement
	}
	return acquisition.Product{improvement, acquisition.Feasible(f.Model.Predictor(), f.Hyper().Noise)}
}
