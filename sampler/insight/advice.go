package insight

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

// Advice says what further trials are expected to gain, and whether to stop.
// Shares are of the spread: of the distance between the best value and the median
// over the space, as they are predicted. With constraints it is the median of the
// configurations that are rather feasible than not, and of the first five
// feasible trials. Where the values are of one sign and span more than four orders of
// magnitude, the distance is that of their logarithms.
type Advice struct {
	// Improvement is what the next trial is expected to gain, in units of the
	// objective, and Gain what the next ten are, as a share of the spread. The first
	// is 0 where nothing is known.
	Improvement, Gain float64
	// Left is the probability that some configuration is better than the best by
	// more than 1 % of the spread. Like Gain it is 1 where nothing is known.
	Left float64
	// Recent is what the second half of the trials has gained over the first, as a
	// share of the spread.
	Recent float64
	// Regret is an upper bound of what is left to be gained, and Noise the standard
	// deviation of the noise near the best value, both in units of the objective.
	// NoiseFloor says that the bound is below the noise.
	Regret, Noise float64
	NoiseFloor    bool
	// Stop says whether more trials are not worth their cost, and Reason why.
	Stop   bool
	Reason string
}

const (
	// advisedTrials is the number of trials that a gain is expected of.
	advisedTrials = 10
	// material is the share of the spread that is worth finding.
	material = 0.01
	// leftLimit and gainLimit are the probability of a material gain, and the gain
	// of the next trials as a share of the spread, below which to stop.
	leftLimit, gainLimit = 0.05, 0.001
	// minAdvised is the number of trials without which nothing is known that would
	// justify to stop, and minFeasible that of feasible ones where there are constraints.
	minAdvised, minFeasible = 20, 5
	// feasibleContender is the probability to be feasible that a configuration must have which
	// may be better, the model may take those that fail for the best, or which counts in the spread.
	feasibleContender = 0.5
)

// Advice returns what further trials are expected to gain. The rule: stop when every
// configuration was tried, or, after 20 trials, five of them feasible, when all of this holds:
//
//   - The next ten are expected to gain less than 0.1 % of the spread, or what is left to be
//     gained is below the noise.
//   - More than 1 % of the spread is left with a probability below 5 %.
//   - The second half of the trials has gained less than 1 %. This guards against a model
//     that is sure of itself too soon.
func (m *Model) Advice() *Advice {
	a := m.advice()
	return &a
}

// percent prints a share, with two digits or all before the point.
func percent(share float64) string {
	switch {
	case share < 1e-5:
		return "less than 0.001 %"
	case share >= 0.1:
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// String returns the advice in a sentence.
func (a *Advice) String() string {
	text := "go on: "
	if a.Stop {
		text = "stop: "
	}
	text += a.Reason
	if a.NoiseFloor {
		text += "; what is left to gain is less than the noise"
	}
	return text
}

// computeAdvice draws the objective at configurations that may be the best, from
// its posterior.
func (m *Model) computeAdvice() (a Advice) {
	promising := m.promising()
	order, fitted := m.order()
	switch {
	case promising.none: // few trials are enough to tell
	case m.Trials() < minAdvised:
		return Advice{Gain: 1, Left: 1, Reason: words.Count(m.Trials(), "trial") + " cannot tell yet"}
	case len(m.feasible()) < minFeasible:
		return Advice{Gain: 1, Left: 1, Reason: words.Count(len(m.feasible()), "feasible trial") + " cannot tell yet"}
	}
	best, lowest := m.surrogate.X[order[0]], fitted[order[0]]
	a.Noise = m.Noise().Value
	if promising.none {
		a.Stop, a.Reason = true, "every configuration was tried"
		return a
	}
	_, a.Improvement, _ = m.Improvement()

	c := m.contenders()
	a.Regret = math.Abs(m.value(c.upper) - m.value(min(c.upper, c.lower)))
	xs := append([]fmkernel.Point{best}, c.best...)
	draws, ok := m.observed.Predictor().Draw(xs, m.effort.draws, m.random.Rand("insight: draws"))
	spread := m.spread()
	if !ok || spread == 0 {
		a.Gain, a.Left, a.Reason = 1, 1, "no configuration is known yet that is better than most"
		return a
	}
	a.Recent = 1
	if i := slices.IndexFunc(order, func(i int) bool { return i < (len(fitted)+1)/2 }); i >= 0 {
		a.Recent = (m.grade(fitted[order[i]]) - m.grade(lowest)) / spread
	}
	gains := make([][]float64, len(draws))
	for s, draw := range draws {
		gains[s] = m.gains(draw, spread)
		if slices.Max(gains[s]) > material {
			a.Left += 1 / float64(len(draws))
		}
	}
	a.Gain = greedyGain(gains, advisedTrials)
	a.NoiseFloor = a.Regret < a.Noise
	median := "the median"
	if len(m.problem.Constraints()) > 0 {
		median += " within the limits"
	}
	a.conclude(median)
	return a
}

// conclude says whether to stop, and why, by what further trials are expected to gain, as a share
// of the way from that median.
func (a *Advice) conclude(median string) {
	littleLeft := (a.Gain < gainLimit || a.NoiseFloor) && a.Left < leftLimit
	a.Stop = littleLeft && a.Recent < material
	a.Reason = fmt.Sprintf("the next ten trials are expected to gain %s of the way from %s to the best value; more than 1 %% is left with a probability of %s",
		percent(a.Gain), median, words.Probability(a.Left))
	if a.Recent >= material {
		but := ""
		if littleLeft { // this is all that speaks for going on
			but = "but "
		}
		a.Reason += fmt.Sprintf("; %sthe second half of the trials has gained %s", but, percent(a.Recent))
	}
}

// gains returns by how much each target of a draw is better than the first, as shares of
// the spread.
func (m *Model) gains(draw []float64, spread float64) []float64 {
	gains, first := make([]float64, len(draw)), m.grade(draw[0])
	for j, target := range draw {
		gains[j] = (first - m.grade(target)) / spread
	}
	return gains
}

// spread returns the distance between the best value and the median, as they are predicted;
// at least 0. With constraints most of the space may be good and infeasible, and the feasible
// trials crowd at the best one: the median is that of what is feasible in the space, as far
// as it is known, and of the first feasible trials, where that may be next to nothing.
func (m *Model) spread() float64 {
	o := m.overview()
	order, fitted := m.order()
	ys := o.ys
	if len(m.problem.Constraints()) > 0 {
		ys = nil
		for _, i := range m.likely() {
			ys = append(ys, o.ys[i])
		}
		earliest := m.feasible()
		for _, i := range earliest[:min(minFeasible, len(earliest))] {
			ys = append(ys, m.surrogate.Transform.Value(fitted[i]))
		}
	}
	return math.Max(0, o.grading.of(quantile(0.5, ys))-m.grade(fitted[order[0]]))
}

// feasible returns the indices of the observations that were feasible.
func (m *Model) feasible() (indices []int) {
	for i := range m.surrogate.X {
		if m.surrogate.IsFeasible(i) {
			indices = append(indices, i)
		}
	}
	return indices
}

// computeLikely returns the indices of the configurations of the overview that are rather
// feasible than not.
func (m *Model) computeLikely() (likely []int) {
	feasible := m.surrogate.Feasible()
	for i, x := range m.overview().xs {
		if feasible(x) >= feasibleContender {
			likely = append(likely, i)
		}
	}
	return likely
}

// contenders are configurations that may be the best.
type contenders struct {
	best []fmkernel.Point // those with the largest expected improvement, not tried
	// upper is the least upper confidence bound of the observed configurations, and
	// lower the least lower bound of all that were looked at, as targets: their
	// difference bounds the regret (Makarova et al., Automatic termination for
	// hyperparameter optimization, 2022).
	upper, lower float64
}

// contenders looks at configurations all over the space, and at others near the most
// promising and the best ones.
func (m *Model) contenders() contenders {
	promising := m.promising().x
	ranked, fitted := m.order()
	post := m.observed.Predictor()
	k := math.Sqrt(m.confidence())
	c := contenders{upper: math.Inf(1), lower: math.Inf(1)}
	centres := []fmkernel.Point{promising}
	for rank, i := range ranked[:min(rivals, len(ranked))] {
		x := m.surrogate.X[i]
		_, variance := post.Predict(x)
		c.upper = math.Min(c.upper, fitted[i]+k*math.Sqrt(variance))
		c.lower = math.Min(c.lower, fitted[i]-k*math.Sqrt(variance))
		if rank < acquisition.MaxIncumbents {
			centres = append(centres, x)
		}
	}
	feasible := m.surrogate.Feasible()
	rather := func(x fmkernel.Point) bool { return feasible(x) >= feasibleContender }
	if !slices.ContainsFunc(ranked, func(i int) bool { return rather(m.surrogate.X[i]) }) { // what was feasible was lucky
		rather = func(fmkernel.Point) bool { return true }
	}
	var xs []fmkernel.Point
	for _, x := range append([]fmkernel.Point{promising}, m.overview().xs...) {
		if rather(x) {
			xs = append(xs, x)
		}
	}
	rng := m.random.Rand("insight: contenders")
	for i := range m.overview().xs {
		if x, ok := m.near(centres[i%len(centres)], rng); ok && rather(x) {
			xs = append(xs, x)
		}
	}
	xs = slices.DeleteFunc(xs, m.problem.Tried.Covers)
	means, variances := make([]float64, len(xs)), make([]float64, len(xs))
	post.PredictBatch(means, variances, xs)
	logEI, order := make([]float64, len(xs)), make([]int, len(xs))
	for i := range xs {
		order[i], logEI[i] = i, acquisition.LogEI(fitted[ranked[0]], means[i], variances[i])
		c.lower = math.Min(c.lower, means[i]-k*math.Sqrt(variances[i]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(logEI[b], logEI[a]) })
	for _, i := range order[:min(m.effort.drawn, len(order))] {
		c.best = append(c.best, xs[i])
	}
	return c
}

// confidence returns β of the confidence bounds, as Optuna's terminator has it:
// 2 log(d t² π²/6δ)/5 with δ = 0.1 (Srinivas et al., 2010).
func (m *Model) confidence() float64 {
	const delta = 0.1
	d, t := float64(len(m.problem.Space.Params())), float64(m.Trials())
	return 2 * math.Log(d*t*t*math.Pi*math.Pi/(6*delta)) / 5
}

// greedyGain returns the expected gain of the best of k configurations, chosen one
// after the other so that each adds most: the parallel expected improvement. The gains
// are by draw and configuration.
func greedyGain(gains [][]float64, k int) float64 {
	reached := make([]float64, len(gains))
	expected := 0.0
	for range k {
		most, at := expected, -1
		for j := range gains[0] {
			sum := 0.0
			for s, of := range gains {
				sum += math.Max(reached[s], of[j])
			}
			if mean := sum / float64(len(gains)); mean > most {
				most, at = mean, j
			}
		}
		if at < 0 {
			break
		}
		expected = most
		for s, of := range gains {
			reached[s] = math.Max(reached[s], of[at])
		}
	}
	return expected
}
