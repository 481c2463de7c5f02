package insight

import (
	"fmt"
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// normal90 is the 95 % quantile of the standard normal distribution: intervals
// hold 90 %.
const normal90 = 1.6448536269514722

// Prediction is what the model expects of the objective, in the units of the
// study: the median, and an interval that holds 90 %.
type Prediction struct {
	Value, Low, High float64
}

// String returns the value and the interval.
func (p Prediction) String() string {
	return fmt.Sprintf("%.4g (90 %%: %.4g to %.4g)", p.Value, p.Low, p.High)
}

// prediction returns the prediction of a normally distributed target.
func (m *Model) prediction(mean, variance float64) Prediction {
	half := normal90 * math.Sqrt(variance)
	p := Prediction{m.value(mean), m.value(mean - half), m.value(mean + half)}
	if p.Low > p.High { // a study that maximises
		p.Low, p.High = p.High, p.Low
	}
	return p
}

// value returns the value of the study with a target.
func (m *Model) value(target float64) float64 { return m.sign * m.transform.Value(target) }

// noise is the variance of the noise on targets.
func (m *Model) noise() float64 { return m.observed.Hyper().Noise }

// Predict returns what the objective is worth at a configuration, its noise
// aside, and what one more trial there would measure. The configuration is as
// goptuna.FrozenTrial.Params has it: by name a float64, an int or, of a
// categorical parameter, the choice; of a conditional space, the parameters that
// are active. The error names a parameter that is missing, unknown or outside of
// its distribution.
func (m *Model) Predict(params map[string]any) (objective, trial Prediction, err error) {
	x, err := m.point(params)
	if err != nil {
		return Prediction{}, Prediction{}, err
	}
	objective, trial = m.predict(x)
	return objective, trial, nil
}

func (m *Model) predict(x fmkernel.Point) (objective, trial Prediction) {
	mean, variance := m.observed.Predictor().Predict(x)
	return m.prediction(mean, variance), m.prediction(mean, variance+m.noise())
}
