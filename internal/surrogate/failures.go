package surrogate

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

// maxValueless bounds the number of trials without a value that a model takes: the latest.
const maxValueless = 300

// failures is the posterior of a latent function that is positive where
// trials give a value. It is a Gaussian process under the kernel of the
// objective, with hyperparameters of its own, fitted to the labels 1 and -1 by
// least squares. Failures that depend on the configuration make it follow them;
// those that come at random are noise to it, and move it everywhere a little and
// nowhere much.
type failures struct {
	latent feasibility // its model, none where no trial failed
	// failure holds, by index into the trials without a value, the probability of
	// a failure there as all other trials have it (leave-one-out), and chance is the mean
	// of that where trials gave a value.
	failure map[int]float64
	chance  float64
}

// label returns where trials failed, with label -1, and then where they did not, with label
// 1. failed holds the former by index into the trials without a value.
func label(p *observe.Problem, observed []fmkernel.Point) (xs []fmkernel.Point, labels []float64, failed []int) {
	var others []fmkernel.Point
	for i, v := range p.Valueless {
		if v.Trial.Failed() {
			failed = append(failed, i)
		} else {
			others = append(others, v.X)
		}
	}
	failed = failed[max(0, len(failed)-maxValueless):]
	for _, i := range failed {
		xs, labels = append(xs, p.Valueless[i].X), append(labels, -1)
	}
	for _, x := range slices.Concat(others, observed) {
		xs, labels = append(xs, x), append(labels, 1)
	}
	return xs, labels, failed
}

// failures returns where trials give a value, and its hyperparameters, nil when
// none has failed. What goes wrong with it is logged, and then it is as if none had.
func (f fitting) failures(from start) (failures, *plan.Hyper) {
	all, labels, failed := label(f.problem, pick(f.problem.X, f.observed(from.trials, nil)))
	if len(failed) == 0 {
		return failures{}, nil
	}
	priority := slices.Clone(labels) // the least is kept first
	for k, i := range failed {
		priority[k] = -float64(i)
	}
	keep := subset(priority, f.maxFit(), f.Seed) // the latest failures, and some of all others
	xs, labels := pick(all, keep), pick(labels, keep)
	hyper := f.latentHyper(from.due, from.last.Failures, gp.NewLabelPrior(varying(f.problem)), xs, labels, "feasibility")
	model, err := gp.Condition(f.kernel, hyper, xs, labels)
	if err != nil {
		f.warn("where trials fail is not modelled", err)
		return failures{}, nil
	}
	g := failures{latent: feasibility{model}, failure: map[int]float64{}}
	valuable := g.latent.probability()
	for k, i := range failed {
		g.failure[i] = 1 - valuable(all[k])
	}
	means, variances := model.LeaveOneOut(len(xs))
	valued := 0.0
	for k, i := range keep {
		failure := 1 - probability(means[k], variances[k])
		if i < len(failed) {
			g.failure[failed[i]] = failure
		} else {
			g.chance += failure
			valued++
		}
	}
	g.chance /= max(1, valued)
	stored := plan.NewHyper(f.problem.Space, hyper)
	return g, &stored
}

// weigh returns the trials without a value that the model is to take, the latest,
// and how much each of them counts.
func (g failures) weigh(trials []observe.Valueless) (taken []valueless) {
	first := max(0, len(trials)-maxValueless)
	for i, trial := range trials[first:] {
		if trial.Trial.Violates() { // where that is, a model of its own knows
			continue
		}
		v := valueless{trial.X, 1}
		if failure, failed := g.failure[first+i]; failed {
			v.weight = g.weight(failure)
		}
		taken = append(taken, v)
	}
	return taken
}

// weight returns how much a failed trial counts: by how much more probable a failure is
// there than where trials gave a value, of what it could be. Where trials fail by chance,
// it is as probable everywhere. The cube makes little of small differences.
func (g failures) weight(failure float64) float64 {
	if failure <= g.chance { // 1, where no trial is expected to have a value
		return 0
	}
	excess := (failure - g.chance) / (1 - g.chance)
	return excess * excess * excess
}
