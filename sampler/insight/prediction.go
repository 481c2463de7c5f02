package insight

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/words"
)

const (
	// normal90 is the 95 % quantile of the standard normal distribution: intervals
	// hold 90 %.
	normal90 = 1.6448536269514722
	// assumedTrials is the number of trials that the width of intervals under the
	// model counts for, beside what trials show that are left out.
	assumedTrials = 20
)

// Prediction is what the model expects of the objective, in the units of the
// study: the median, and an interval that holds 90 %, as wide as 90 % of the trials
// need when they are left out. Where all values are the same, as that of one trial, nothing tells
// how wide it is to be, and it has no width.
type Prediction struct {
	Value, Low, High float64
}

// String returns the value, and the interval if it has a width.
func (p Prediction) String() string {
	d := p.Digits()
	if p.Low == p.High {
		return words.Number(p.Value, d)
	}
	return fmt.Sprintf("%s (90 %%: %s to %s)", words.Number(p.Value, d), words.Number(p.Low, d), words.Number(p.High, d))
}

// Digits returns how many significant digits tell the ends of the interval apart: as many
// as its width has two of, from 4 to 12.
func (p Prediction) Digits() int {
	const least, most = 4, 12
	largest := math.Max(math.Abs(p.Low), math.Abs(p.High))
	digits := 2 + math.Ceil(math.Log10(largest/2)-math.Log10(p.High/2-p.Low/2))
	if !(digits > least) || math.IsInf(digits, 1) { // of one value, or none
		return least
	}
	return int(math.Min(digits, most))
}

// prediction returns the prediction of a normally distributed target.
func (m *Model) prediction(mean, variance float64) Prediction {
	half := m.width() * math.Sqrt(variance)
	return m.interval(mean, mean-half, mean+half)
}

// computeWidth returns half the width of 90 % intervals in standard deviations: by
// which 90 % of the trials are off when they are left out, or nearly so where trials
// are few. Standard deviations are those of a Gaussian process whose hyperparameters
// are taken for certain and whose transform makes values only about normal.
func (m *Model) computeWidth() float64 {
	means, variances := m.leftOutTargets()
	off := make([]float64, len(means))
	for i, target := range m.surrogate.Targets[m.Trials()-len(means):] {
		off[i] = math.Abs(target-means[i]) / math.Sqrt(variances[i])
	}
	n := float64(len(off))
	return (assumedTrials*normal90 + n*quantile(0.9, off)) / (assumedTrials + n)
}

// value returns the value of the study that a target stands for.
func (m *Model) value(target float64) float64 {
	return m.problem.Sign * m.surrogate.Transform.Value(target)
}

// noise is the variance of the noise on targets, as is most probable.
func (m *Model) noise() float64 { return m.observed.Hyper().Noise }

// Noise returns the standard deviation of the noise of a trial near the best value, in units
// of the objective, as neighbours and repeated trials show it.
func (m *Model) Noise() Prediction {
	middle, least, most := m.noiseOnTargets()
	return Prediction{m.noiseOf(m.value, middle), m.noiseOf(m.value, least), m.noiseOf(m.value, most)}
}

// noiseOnTargets returns the standard deviation of the noise on targets, by all beliefs, and the
// interval that holds 90 % if its logarithm is normal.
func (m *Model) noiseOnTargets() (middle, low, high float64) {
	var logs []float64
	for _, b := range m.beliefs() {
		logs = append(logs, math.Log(b.model.Hyper().Noise)/2)
	}
	half := 0.0
	if len(logs) > 1 {
		half = normal90 * stat.StdDev(logs, nil)
	}
	log := quantile(0.5, logs)
	return math.Exp(log), math.Exp(log - half), math.Exp(log + half)
}

// noiseOf returns what a standard deviation of the targets is near the best one, on another scale.
func (m *Model) noiseOf(scale func(target float64) float64, sd float64) float64 {
	order, fitted := m.order()
	best := fitted[order[0]]
	return math.Abs(scale(best+sd)-scale(best-sd)) / 2
}

// Predict returns what the objective is worth at a configuration, its noise
// aside, and what one more trial there would measure. The configuration is as
// goptuna.FrozenTrial.Params has it: by name a float64, an int or, of a
// categorical parameter, the choice; of a conditional space, the parameters that
// are active. The error names a parameter that is missing, unknown or outside of
// its distribution, or says that no branch has these together: the border between two
// is known as far as trials show it.
func (m *Model) Predict(params map[string]any) (objective, trial Prediction, err error) {
	x, err := m.point(params)
	if err != nil {
		return Prediction{}, Prediction{}, err
	}
	objective, trial = m.predict(x)
	return objective, trial, nil
}

// predict returns what Predict does, by all beliefs.
func (m *Model) predict(x fmkernel.Point) (objective, trial Prediction) {
	var worths, trials []distuv.Normal
	for _, b := range m.beliefs() {
		w := m.worth(b, x)
		mean, variance := w.of(b.model.Predictor().Predict(x))
		worths = append(worths, distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)})
		trials = append(trials, distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance + w.noise)})
	}
	return m.mixed(worths), m.mixed(trials)
}

// mixed returns the prediction of a target whose distribution is a mixture of these, in
// equal parts.
func (m *Model) mixed(of []distuv.Normal) Prediction {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range of {
		of[i].Sigma *= m.width() / normal90
		low = math.Min(low, of[i].Quantile(0.05))
		high = math.Max(high, of[i].Quantile(0.95))
	}
	quantile := func(p float64) float64 {
		low, high := low, high // the quantile is between the least and the largest of theirs
		for range 60 {
			middle, below := low+(high-low)/2, 0.0
			for _, d := range of {
				below += d.CDF(middle) / float64(len(of))
			}
			if below < p {
				low = middle
			} else {
				high = middle
			}
		}
		return low + (high-low)/2
	}
	return m.interval(quantile(0.5), quantile(0.05), quantile(0.95))
}

// interval returns the prediction that has this median and this interval of the target.
func (m *Model) interval(median, low, high float64) Prediction {
	p := Prediction{m.value(median), m.value(low), m.value(high)}
	if p.Low > p.High { // a study that maximises
		p.Low, p.High = p.High, p.Low
	}
	return p
}
