package insight

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

const (
	// endShare is the share of a range that counts as its end. It is compared with what is
	// insideShare of the range away from it, and has to be better with a probability of sureOfEnd.
	endShare, insideShare = 0.01, 0.1
	sureOfEnd             = 0.9

	// feasibleAgain is the probability with which a trial is feasible when it is measured again,
	// where its configuration is recommended.
	feasibleAgain = 0.7
)

// Recommendation is the configuration to use, and how it compares with that of the
// best observed trial.
type Recommendation struct {
	Params    map[string]any // as goptuna.FrozenTrial.Params has them
	Number    int            // of a trial that had it; -1 if none
	Objective Prediction     // without noise

	// The trial with the best observed value, and what the objective is worth there
	// without noise.
	Best          int
	BestParams    map[string]any
	BestValue     float64
	BestObjective Prediction

	// Better is the probability that the recommended configuration is better than
	// that of the best trial; 0.5 where they are the same.
	Better float64
	// Feasible and BestFeasible are the probabilities that a trial with the recommended
	// configuration, and another one with that of the best trial, are within all constraints, if
	// they do not fail for another reason.
	Feasible, BestFeasible float64
	// Repeat says whether a trial with the recommended configuration, to know its
	// value better, is expected to gain more than one elsewhere, and enough to be
	// worth it.
	Repeat bool
	// AtEnd names the numbers that are at an end of their range, where this is better than
	// further inside with a probability of 0.9: beyond it there may be better values.
	AtEnd []string

	gone    bool // whether the best trial has values that trials no longer may have
	limited bool // whether there are constraints
}

// Recommend returns the configuration whose predicted value is the best where each
// is taken to be worse by two standard deviations of the prediction: of those with
// equal predictions the one that is known best. The predictions are those of two models,
// of all observations and of the better half of them, together. One that no trial had must
// be feasible, which is to have a value and to hold all constraints, with a probability of
// 0.9, and that of a trial hold them with one of 0.7 when it is measured again; where there is
// none, it is that of the feasible trial which is most likely to hold them again. It is
// that of the best trial, unless another one is more likely to be better than not. Those that
// print alike, with four digits, are one: the best trial's, or one that a trial had.
func (m *Model) Recommend() *Recommendation {
	best := m.bestTrial()
	x, bestX := m.surrogate.X[best], m.surrogate.X[best]
	if y := m.leastBound(); !m.possible(x) || !m.isFeasibleAgain(x) || !m.printsAs(x)(y) && m.better(y, x) > 0.5 {
		x = y
	}
	trial := m.surrogate.Trials[best]
	r := &Recommendation{
		Best: trial.Number, BestParams: maps.Clone(trial.Params), BestValue: m.problem.Sign * m.surrogate.Y[best], gone: !m.possible(bestX),
		Params: maps.Clone(trial.Params), Number: trial.Number, Better: 0.5, Repeat: m.worthRepeating(x),
	}
	r.AtEnd = m.atEnd(x)
	r.limited = len(m.problem.Constraints()) > 0
	within := m.surrogate.Within()
	r.Feasible, r.BestFeasible = within(x), within(bestX)
	r.Objective, _ = m.predict(x)
	r.BestObjective, _ = m.predict(bestX)
	switch {
	case !x.Equal(bestX):
		r.Params, r.Number, r.Better = m.params(x), m.triedAs(x), m.better(x, bestX)
	case !r.gone: // with values that the present distributions have
		maps.Copy(r.Params, m.params(x))
	}
	return r
}

// printsAs returns whether a configuration is the same as x to one who reads it.
func (m *Model) printsAs(x fmkernel.Point) func(fmkernel.Point) bool {
	text := configuration(m.params(x))
	return func(y fmkernel.Point) bool { return configuration(m.params(y)) == text }
}

// bestTrial returns the index of the best feasible observation: of those with the values that
// are left, where there is one. Others were at another level.
func (m *Model) bestTrial() int {
	order := surrogate.Ascending(m.surrogate.Y)
	withLeft := func(i int) bool { return m.surrogate.IsFeasible(i) && m.problem.HasValuesLeft(m.surrogate.X[i]) }
	for _, condition := range [...]func(i int) bool{withLeft, m.surrogate.IsFeasible} {
		if at := slices.IndexFunc(order, condition); at >= 0 {
			return order[at]
		}
	}
	panic("insight: a model without a feasible observation")
}

// triedAs returns the number of the trial with the configuration, -1 if there is
// none.
func (m *Model) triedAs(x fmkernel.Point) int {
	sp := m.problem.Space
	key := sp.Key(x)
	for i, y := range m.problem.X {
		if sp.Key(y) == key {
			return m.problem.Trials[i].Number
		}
	}
	return -1
}

// better returns the probability that x is better than y.
func (m *Model) better(x, y fmkernel.Point) float64 {
	means, cov := m.observed.Predictor().Joint([]fmkernel.Point{x, y})
	a, b := m.worth(m.belief(), x), m.worth(m.belief(), y)
	xMean, xVariance := a.of(means[0], cov[0])
	yMean, yVariance := b.of(means[1], cov[3])
	variance := xVariance - 2*a.share*b.share*cov[2] + yVariance
	if !(variance > 0) {
		return 0.5
	}
	return distuv.UnitNormal.CDF((yMean - xMean) / math.Sqrt(variance))
}

// atEnd returns the names of numbers that are at an end of their range at x, where the model
// is sure that this is better than a tenth of the range, or one of few values, from it.
func (m *Model) atEnd(x fmkernel.Point) (names []string) {
	sp := m.problem.Space
	for _, p := range sp.Params() {
		if !sp.Active(x, p) || p.Count() < 3 || p.Graph != nil && p.Graph.Shape() != graphs.ShapePath {
			continue
		}
		at, from := sp.Coordinate(x, p), math.Max(insideShare, 1.5/p.Count())
		for _, end := range [...]float64{0, 1} {
			y := x.Clone()
			sp.SetCoordinate(y, p, coordinate(p, math.Abs(end-from)))
			if math.Abs(at-coordinate(p, end)) <= endShare && m.better(x, y) > sureOfEnd {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// String returns the recommendation in a sentence.
func (r *Recommendation) String() string {
	text := fmt.Sprintf("recommended: %s, where %v is expected", configuration(r.Params), r.Objective)
	value := words.Number(r.BestValue, r.BestObjective.Digits())
	best := fmt.Sprintf("the best trial %d (%s observed, %v expected)", r.Best, value, r.BestObjective)
	compared := fmt.Sprintf("better than %s with a probability of %s", best, words.Probability(r.Better))
	doubtful := r.limited && r.Feasible < feasibleAgain
	if r.limited && r.Better < 0.5 {
		doubtful = doubtful && (r.gone || r.Number == r.Best) // else it is said here
		compared = fmt.Sprintf("within the limits with a probability of %s, and %s with one of %s", words.Probability(r.Feasible), best, words.Probability(r.BestFeasible))
	}
	switch {
	case r.gone && r.Number >= 0:
		text += fmt.Sprintf("; this is trial %d; the configuration of %s is no longer possible", r.Number, best)
	case r.gone:
		text += fmt.Sprintf("; no trial had this; the configuration of %s is no longer possible", best)
	case r.Number == r.Best:
		text += fmt.Sprintf("; this is the best trial %d, with %s", r.Best, value)
	case r.Number >= 0:
		text += fmt.Sprintf("; this is trial %d, %s", r.Number, compared)
	default:
		text += fmt.Sprintf("; no trial had this, and it is %s", compared)
	}
	if doubtful {
		text += fmt.Sprintf("; measured again, it is within the limits with a probability of %s", words.Probability(r.Feasible))
	}
	switch {
	case r.Repeat && r.Number >= 0:
		text += "; repeating it is worth a trial"
	case r.Repeat:
		text += "; it is worth a trial"
	}
	switch len(r.AtEnd) {
	case 0:
	case 1:
		text += fmt.Sprintf("; %s is at an end of its range, which may be too narrow", r.AtEnd[0])
	default:
		text += fmt.Sprintf("; %s are at ends of their ranges, which may be too narrow", strings.Join(r.AtEnd, ", "))
	}
	return text
}
