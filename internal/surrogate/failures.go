package surrogate

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

const (
	// feasibleIterations bounds the search for the hyperparameters of a model of where
	// trials fail, or violate a constraint.
	feasibleIterations = 25
	// maxValueless bounds the number of trials without a value that a model takes:
	// the latest.
	maxValueless = 300
)

// failures is the posterior of a latent function that is positive where
// trials give a value. It is a Gaussian process under the kernel of the
// objective, with hyperparameters of its own, fitted to the labels 1 and -1 by
// least squares. Failures that depend on the configuration make it follow them;
// those that come at random are noise to it, and move it everywhere a little and
// nowhere much.
type failures struct {
	model *gp.Model
	// failure holds, by index into the trials without a value, the probability of
	// a failure there as all other trials have it (leave-one-out), and chance is the mean
	// of that where trials gave a value.
	failure map[int]float64
	chance  float64
}

// labelled are the points of a model of where trials fail, the failures first.
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

// failures returns where trials give a value, and its hyperparameters, nil when
// none has failed. What goes wrong with it is logged, and then it is nil, too.
func (f fitting) failures(from start) (*failures, *plan.Hyper) {
	l := label(f.problem, f.observations(from.trials, nil).X)
	if len(l.failures) == 0 {
		return nil, nil
	}
	keep := subset(l.priority, f.maxFit(), f.Seed) // the latest failures, and some of all others
	xs, labels := pick(l.xs, keep), pick(l.labels, keep)
	hyper := f.latentHyper(from.due, from.last.Failures, gp.NewLabelPrior(varying(f.problem)), xs, labels, "feasibility")
	model, err := gp.Condition(f.kernel, hyper, xs, labels)
	if err != nil {
		f.warn("where trials fail is not modelled", err)
		return nil, nil
	}
	g := &failures{model: model, failure: map[int]float64{}}
	valuable := feasibility{model}.probability()
	for k, i := range l.failures {
		g.failure[i] = 1 - valuable(l.xs[k])
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

// latent returns the model, if there is one.
func (g *failures) latent() feasibility {
	if g == nil {
		return nil
	}
	return feasibility{g.model}
}

// weigh returns the trials without a value that the model is to take, the latest,
// and how much each of them counts.
func (g *failures) weigh(trials []observe.Valueless) (taken []valueless) {
	first := max(0, len(trials)-maxValueless)
	for i, trial := range trials[first:] {
		if trial.Trial.Violates() { // where that is, a model of its own knows
			continue
		}
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
func (g *failures) weight(failure float64) float64 {
	if failure <= g.chance { // 1, where no trial is expected to have a value
		return 0
	}
	excess := (failure - g.chance) / (1 - g.chance)
	return excess * excess * excess
}
