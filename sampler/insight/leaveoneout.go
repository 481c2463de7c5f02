package insight

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// LeftOut is a trial and what the model predicts for it from all other trials,
// under the same hyperparameters.
type LeftOut struct {
	Number    int        // of the trial
	Observed  float64    // of a trial on other data, at the level of the present ones
	Predicted Prediction // of a measurement, its noise included
}

// Inside reports whether the observed value lies in the interval.
func (l LeftOut) Inside() bool {
	return l.Predicted.Low <= l.Observed && l.Observed <= l.Predicted.High
}

// LeaveOneOut returns every trial that the model has learned from, in the order in
// which they finished, each predicted from the others (Rasmussen and Williams,
// Eqs. 5.12). It costs as much as inverting the covariance of the trials once.
func (m *Model) LeaveOneOut() []LeftOut { return slices.Clone(m.leftOut()) }

// computeLeftOut returns the latest trials, as many as the effort has.
func (m *Model) computeLeftOut() []LeftOut {
	means, variances := m.leftOutTargets()
	first := m.Trials() - len(means)
	left := make([]LeftOut, len(means))
	for i, trial := range m.surrogate.Trials[first:] {
		left[i] = LeftOut{trial.Number, m.problem.Sign * m.surrogate.Y[first+i], m.prediction(means[i], variances[i])}
	}
	return left
}

// Skill is how well trials are predicted from the others.
type Skill struct {
	// R2 is the share of the variance of the transformed values, as the model sees
	// them, that is explained: 1 is perfect, 0 as good as the mean. It is NaN where
	// all values are the same.
	R2 float64
	// Rank is the correlation of the ranks of predicted and observed values.
	Rank float64
	// Coverage is the share of the trials within 1.645 predicted standard deviations:
	// 0.9 where the model knows how wrong it is. Intervals are narrowed or widened by
	// what is amiss, see Prediction.
	Coverage float64
}

// Skill returns how well each trial is predicted from the others.
func (m *Model) Skill() Skill {
	left := m.leftOut()
	means, variances := m.leftOutTargets()
	targets := m.surrogate.Targets[m.Trials()-len(means):]
	predicted, observed := make([]float64, len(left)), make([]float64, len(left))
	inside, residual := 0.0, 0.0
	for i, target := range targets {
		predicted[i], observed[i] = left[i].Predicted.Value, left[i].Observed
		square := (target - means[i]) * (target - means[i])
		residual += square
		if square <= normal90*normal90*variances[i] {
			inside++
		}
	}
	n := float64(len(left))
	return Skill{
		R2:       1 - residual/(n*stat.PopVariance(targets, nil)),
		Rank:     stat.Correlation(ranks(predicted), ranks(observed), nil),
		Coverage: inside / n,
	}
}

// String returns the skill in words.
func (s Skill) String() string {
	if math.IsNaN(s.R2) || math.IsInf(s.R2, 0) {
		return "all values are the same"
	}
	return fmt.Sprintf("leaving one trial out: R² = %.2f; 90 %% intervals hold %.0f %% of the values before they are adjusted", s.R2, 100*s.Coverage)
}

// ranks returns the mean rank of each value.
func ranks(xs []float64) []float64 {
	order := surrogate.Ascending(xs)
	of := make([]float64, len(xs))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && xs[order[j]] == xs[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			of[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return of
}
