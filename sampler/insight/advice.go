package insight

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// Advice says what further trials are expected to gain, and whether to stop.
// Shares are of the spread: of the distance between the best value and the median
// over the space, as they are predicted. Where the values are of one sign and span
// more than four orders of magnitude, it is that of their logarithms.
type Advice struct {
	// Improvement is what the next trial is expected to gain, in units of the
	// objective, and Gain what the next ten are, as a share of the spread.
	Improvement, Gain float64
	// Left is the probability that some configuration is better than the best by
	// more than 1 % of the spread.
	Left float64
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
	// material is the share of the scale that is worth finding.
	material = 0.01
	// drawnPoints is the number of configurations of which the value is drawn
	// jointly, and drawCount how often.
	drawnPoints, drawCount = 160, 512
	// fillPoints is the number of configurations all over the space among which
	// these are chosen.
	fillPoints = 512
	// leftLimit and gainLimit are the probability of a material gain, and the gain
	// of the next trials as a share of the scale, below which to stop.
	leftLimit, gainLimit = 0.05, 0.001
)

// remaining is what is left to be gained: improvement, regret and noise in units of
// the objective, gain as a share of the spread, left as a probability.
type remaining struct{ improvement, gain, left, regret, noise float64 }

// Advice returns what further trials are expected to gain. The rule: stop when the
// next ten trials are expected to gain less than 0.1 % of the scale, and more than
// 1 % of it is left with a probability below 5 %.
func (m *Model) Advice() *Advice {
	r := m.remaining()
	a := &Advice{Improvement: r.improvement, Gain: r.gain, Left: r.left, Regret: r.regret, Noise: r.noise, NoiseFloor: r.regret < r.noise}
	a.Stop = a.Gain < gainLimit && a.Left < leftLimit
	a.Reason = fmt.Sprintf("the next ten trials are expected to gain %.2g %%, and anything better by more than 1 %% is left with a probability of %.0f %%",
		100*a.Gain, 100*a.Left)
	return a
}

// String returns the advice in a sentence.
func (a *Advice) String() string {
	if a.Stop {
		return "stop: " + a.Reason
	}
	return "go on: " + a.Reason
}

// drawRemaining draws the objective at configurations that may be the best, from
// its posterior.
func (m *Model) drawRemaining() (r remaining) {
	order, fitted := m.order()
	best := order[0]
	sd := math.Sqrt(m.noise())
	r.noise = math.Abs(m.value(fitted[best]+sd)-m.value(fitted[best]-sd)) / 2
	promising, logEI, ok := m.mostPromising()
	if !ok { // every configuration was tried
		return r
	}
	r.improvement = m.gain(fitted[best], math.Exp(logEI))
	r.regret = m.regret(fitted)

	fill, _ := m.cube.pairs(fillPoints, m.random.Seed)
	space := m.cube.points(fill)
	spread := median(m.grades(space)) - m.graded(m.value(fitted[best]))
	xs := append([]fmkernel.Point{m.surrogate.X[best], promising}, m.contenders(space, promising, fitted[best])...)
	draws, err := m.observed.Predictor().Draw(xs, drawCount, m.random.Rand("insight: draws"))
	if err != nil || !(spread > 0) {
		return r
	}
	gains := make([][]float64, len(draws)) // by draw and configuration, as shares
	for s, draw := range draws {
		gains[s] = make([]float64, len(draw))
		for j, target := range draw {
			gains[s][j] = (m.graded(m.value(draw[0])) - m.graded(m.value(target))) / spread
		}
		if slices.Max(gains[s]) > material {
			r.left += 1 / float64(len(draws))
		}
	}
	r.gain = greedyGain(gains, advisedTrials)
	return r
}

// gain returns in units of the objective what a fall of the target below best is
// worth.
func (m *Model) gain(best, fall float64) float64 {
	return math.Abs(m.value(best) - m.value(best-fall))
}

// contenders returns configurations that may be better than the best: those with
// the largest expected improvement of many all over the space and about the best
// ones.
func (m *Model) contenders(space []fmkernel.Point, promising fmkernel.Point, best float64) []fmkernel.Point {
	xs := slices.Clone(space)
	order, _ := m.order()
	rng := m.random.Rand("insight: contenders")
	centres := []fmkernel.Point{promising}
	for _, i := range order[:min(incumbents, len(order))] {
		centres = append(centres, m.surrogate.X[i])
	}
	for i := range fillPoints {
		if x, ok := m.near(centres[i%len(centres)], rng); ok {
			xs = append(xs, x)
		}
	}
	xs = slices.DeleteFunc(xs, m.problem.Tried.Covers)
	means, variances := make([]float64, len(xs)), make([]float64, len(xs))
	m.observed.Predictor().PredictBatch(means, variances, xs)
	byEI := make([]int, len(xs))
	logEI := make([]float64, len(xs))
	for i := range xs {
		byEI[i], logEI[i] = i, acquisition.LogEI(best, means[i], variances[i])
	}
	slices.SortStableFunc(byEI, func(a, b int) int {
		switch {
		case logEI[a] > logEI[b]:
			return -1
		case logEI[a] < logEI[b]:
			return 1
		}
		return 0
	})
	var contenders []fmkernel.Point
	for _, i := range byEI[:min(drawnPoints, len(byEI))] {
		contenders = append(contenders, xs[i])
	}
	return contenders
}

// greedyGain returns the expected gain of the best of k configurations, chosen one
// after the other so that each adds most: the parallel expected improvement.
func greedyGain(gains [][]float64, k int) float64 {
	if len(gains) == 0 {
		return 0
	}
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

// regret returns an upper bound of how much better than the best configuration any
// other is (Makarova et al., Automatic termination for hyperparameter
// optimization, 2022): the least upper confidence bound of the observed
// configurations minus the least lower bound of all.
func (m *Model) regret(fitted []float64) float64 {
	post := m.observed.Predictor()
	k := math.Sqrt(m.confidence())
	upper := math.Inf(1)
	for i, x := range m.surrogate.X {
		if _, variance := post.Predict(x); fitted[i]+k*math.Sqrt(variance) < upper {
			upper = fitted[i] + k*math.Sqrt(variance)
		}
	}
	_, value, ok := m.maximize(acquisition.Bound(post, -k), "insight: regret", true)
	if !ok {
		return 0
	}
	return math.Max(0, m.sign*(m.value(upper)-m.value(-value)))
}

// confidence returns β of the confidence bounds, as Optuna's terminator has it:
// 2 log(d t² π²/6δ)/5 with δ = 0.1 (Srinivas et al., 2010).
func (m *Model) confidence() float64 {
	const delta = 0.1
	d, t := float64(len(m.problem.Space.Params())), float64(m.Trials())
	return 2 * math.Log(d*t*t*math.Pi*math.Pi/(6*delta)) / 5
}

func median(xs []float64) float64 {
	return stat.Quantile(0.5, stat.LinInterp, slices.Sorted(slices.Values(xs)), nil)
}
