package surrogate

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

const (
	// feasibleIterations bounds the search for the hyperparameters of the model of
	// feasibility.
	feasibleIterations = 25
	// maxValueless bounds the number of trials without a value that a model takes:
	// the latest.
	maxValueless = 300
)

// feasibility is the posterior of a latent function that is positive where
// trials give a value. It is a Gaussian process under the kernel of the
// objective, with hyperparameters of its own, fitted to the labels 1 and -1 by
// least squares. Failures that depend on the configuration make it follow them;
// those that come at random are noise to it, and move it everywhere a little and
// nowhere much.
type feasibility struct {
	model *gp.Model
	// failure holds, by index into the trials without a value, the probability of
	// a failure there as all other trials have it (leave-one-out), and chance is the mean
	// of that where trials gave a value.
	failure map[int]float64
	chance  float64
}

// labelled are the points of a model of feasibility, the failures first.
type labelled struct {
	xs       []fmkernel.Point
	labels   []float64
	failures []int     // by index into the trials without a value
	priority []float64 // the least is kept first
}

func (l *labelled) add(x fmkernel.Point, label, priority float64) {
	l.xs, l.labels, l.priority = append(l.xs, x), append(l.labels, label), append(l.priority, priority)
}

// label returns where trials failed, and where they did not.
func label(p *observe.Problem, observed []fmkernel.Point) labelled {
	var l labelled
	for i, v := range p.Valueless {
		if v.Trial.Failed() {
			l.failures = append(l.failures, i)
		}
	}
	l.failures = l.failures[max(0, len(l.failures)-maxValueless):]
	for _, i := range l.failures {
		l.add(p.Valueless[i].X, -1, -float64(i))
	}
	for _, v := range p.Valueless {
		if !v.Trial.Failed() {
			l.add(v.X, 1, 1)
		}
	}
	for _, x := range observed {
		l.add(x, 1, 1)
	}
	return l
}

// feasibility returns where trials give a value, and its hyperparameters, nil when
// none has failed. What goes wrong with it is logged, and then it is nil, too.
func (f fitting) feasibility(from start, data Observations) (*feasibility, *plan.Hyper) {
	l := label(f.problem, data.X)
	if len(l.failures) == 0 {
		return nil, nil
	}
	keep := subset(l.priority, f.maxFit(), f.Seed) // the latest failures, and some of all others
	xs, labels := pick(l.xs, keep), pick(l.labels, keep)
	hyper := f.feasibleHyper(from, xs, labels)
	model, err := gp.Condition(f.kernel, hyper, xs, labels)
	if err != nil {
		f.warn("where trials fail is not modelled", err)
		return nil, nil
	}
	g := &feasibility{model: model, failure: map[int]float64{}}
	feasible := g.probability()
	for k, i := range l.failures {
		g.failure[i] = 1 - feasible(l.xs[k])
	}
	means, variances := model.LeaveOneOut(len(xs))
	valued := 0.0
	for k, i := range keep {
		failure := 1 - probability(means[k], variances[k])
		if i < len(l.failures) {
			g.failure[l.failures[i]] = failure
		} else {
			g.chance += failure
			valued++
		}
	}
	g.chance /= max(1, valued)
	stored := plan.NewHyper(f.problem.Space, hyper)
	return g, &stored
}

// feasibleHyper returns the hyperparameters of the last fit, or new ones.
func (f fitting) feasibleHyper(from start, xs []fmkernel.Point, labels []float64) gp.Hyper {
	prior := gp.NewLabelPrior(varying(f.problem))
	hyper := prior.Typical(f.kernel)
	last := from.last.Feasible
	known := last != nil
	if known && last.Apply(f.problem.Space, &hyper) && !from.due {
		return hyper
	}
	settings := gp.FitSettings{Warm: &hyper, MaxIterations: feasibleIterations}
	if !known {
		settings.RandomStarts = 1
	}
	if fitted, _, err := gp.Fit(f.kernel, prior, xs, labels, f.stream("feasibility"), settings); err == nil {
		return fitted
	}
	return hyper
}

// probability returns P(g > 0) for g ~ N(mean, variance).
func probability(mean, variance float64) float64 {
	return math.Exp(acquisition.LogFeasible(mean, variance))
}

// times returns the product of an acquisition function and the feasibility, for one
// goroutine.
func (g *feasibility) times(improvement acquisition.Func) acquisition.Func {
	if g == nil {
		return improvement
	}
	return acquisition.Product{improvement, acquisition.Feasible(g.model.Predictor(), g.model.Hyper().Noise)}
}

// Feasible returns the probability that a trial at a point has a value, for one
// goroutine.
func (s *Surrogate) Feasible() func(x fmkernel.Point) float64 { return s.feasibility.probability() }

// probability returns that of a value at a point, for one goroutine.
func (g *feasibility) probability() func(x fmkernel.Point) float64 {
	if g == nil {
		return func(fmkernel.Point) float64 { return 1 }
	}
	post, noise := g.model.Predictor(), g.model.Hyper().Noise
	return func(x fmkernel.Point) float64 {
		mean, variance := post.Predict(x)
		return probability(mean, variance+noise)
	}
}

// weigh returns the trials without a value that the model is to take, the latest,
// and how much each of them counts.
func (g *feasibility) weigh(trials []observe.Valueless) (taken []valueless) {
	first := max(0, len(trials)-maxValueless)
	for i, trial := range trials[first:] {
		v := valueless{trial.X, 1}
		if g != nil && trial.Trial.Failed() {
			v.weight = g.weight(g.failure[first+i])
		}
		taken = append(taken, v)
	}
	return taken
}

// weight returns how much a failed trial counts: by how much more probable a failure is
// there than where trials gave a value, of what it could be. Where trials fail by chance,
// it is as probable everywhere. The cube makes little of small differences.
func (g *feasibility) weight(failure float64) float64 {
	if failure <= g.chance { // 1, where no trial is expected to have a value
		return 0
	}
	excess := (failure - g.chance) / (1 - g.chance)
	return excess * excess * excess
}
