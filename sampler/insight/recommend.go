package insight

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
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
	// Repeat says whether a trial with the recommended configuration, to know its
	// value better, is expected to gain more than one elsewhere.
	Repeat bool
}

// Recommend returns the configuration with the best predicted value.
func (m *Model) Recommend() *Recommendation {
	order, fitted := m.order()
	post := m.observed.Predictor()
	x, mean, number := m.surrogate.X[order[0]], fitted[order[0]], m.used()[order[0]]
	if y, value, ok := m.maximize(acquisition.Bound(post, caution), "insight: recommendation", true); ok && -value < m.bound(post.Predict(x)) {
		x, number = y, m.triedAs(y)
		mean, _ = post.Predict(x)
	}
	best := 0
	for i, y := range m.surrogate.Y {
		if y < m.surrogate.Y[best] {
			best = i
		}
	}
	_ = mean
	r := &Recommendation{Params: m.params(x), Number: number, Best: m.used()[best], BestValue: m.sign * m.surrogate.Y[best], Better: 0.5}
	r.BestParams = m.params(m.surrogate.X[best])
	r.Objective, _ = m.predict(x)
	r.BestObjective, _ = m.predict(m.surrogate.X[best])
	if !same(x, m.surrogate.X[best]) {
		r.Better = m.better(x, m.surrogate.X[best])
	}
	r.Repeat = m.worthRepeating(x)
	return r
}

// caution is by how many standard deviations of its prediction a configuration is
// taken to be worse, where one is recommended.
const caution = 1.0

func (m *Model) bound(mean, variance float64) float64 { return mean + caution*math.Sqrt(variance) }

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
	variance := cov[0] - 2*cov[2] + cov[3]
	if !(variance > 0) {
		return 0.5
	}
	return distuv.UnitNormal.CDF((means[1] - means[0]) / math.Sqrt(variance))
}

// String returns the recommendation in sentences.
func (r *Recommendation) String() string {
	text := fmt.Sprintf("the best value is expected at %s: %v", configuration(r.Params), r.Objective)
	switch {
	case r.Number == r.Best:
		text += fmt.Sprintf("; this is trial %d, which was best with %.4g", r.Best, r.BestValue)
	case r.Number >= 0:
		text += fmt.Sprintf("; this is trial %d, better than the best trial %d (%.4g observed, %v expected) with probability %.0f %%",
			r.Number, r.Best, r.BestValue, r.BestObjective, 100*r.Better)
	default:
		text += fmt.Sprintf("; no trial had this, which is better than the best trial %d (%.4g observed, %v expected) with probability %.0f %%",
			r.Best, r.BestValue, r.BestObjective, 100*r.Better)
	}
	if r.Repeat {
		text += "; a trial there is worth its cost"
	}
	return text
}
