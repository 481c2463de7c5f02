package history

import (
	"math"
	"slices"
	"sort"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/stat"
)

// Report is an intermediate value of a trial, to be minimised whatever the
// direction of the study.
type Report struct {
	Step  int
	Value float64
}

// curve returns the finite intermediate values of a trial, by step.
func curve(t goptuna.FrozenTrial, sign float64) []Report {
	var reports []Report
	for step, value := range t.IntermediateValues {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			reports = append(reports, Report{step, sign * value})
		}
	}
	slices.SortFunc(reports, func(a, b Report) int { return a.Step - b.Step })
	return reports
}

// at returns the value of a trial at a step, linear between the steps that it
// reported, and false before the first and after the last.
func (t Trial) at(step int) (float64, bool) {
	i := sort.Search(len(t.Curve), func(i int) bool { return t.Curve[i].Step >= step })
	switch {
	case i == len(t.Curve):
		return 0, false
	case t.Curve[i].Step == step:
		return t.Curve[i].Value, true
	case i == 0:
		return 0, false
	}
	a, b := t.Curve[i-1], t.Curve[i]
	f := float64(step-a.Step) / float64(b.Step-a.Step)
	return (1-f)*a.Value + f*b.Value, true
}

const (
	// minPairs is the number of finished trials from which a pruned one can be
	// forecast, and maxPairs that of the latest ones which are looked at.
	minPairs, maxPairs = 4, 300
	// huber is where the weight of a residual begins to fall, in robust standard
	// deviations (Huber, Robust Statistics, 1981), and huberSteps the number of
	// reweightings.
	huber, huberSteps = 1.345, 10
	// minForecastSD bounds a forecast's standard deviation from below, in units
	// of the targets.
	minForecastSD = 0.05
)

// Forecast is what is expected of the target that a pruned trial would have had.
type Forecast struct{ Mean, Variance float64 }

// Forecasts estimates the targets of pruned trials from their intermediate
// values, given finished trials and their targets. An entry is nil where they
// tell nothing: too few finished trials have a value at the step at which the
// pruned one ended.
//
// Of all trials that have a value v at that step, values are compressed as
// objective values are ([NewTransform]), so that those that diverge do not
// dictate the rest; the targets of the finished ones are regressed on them by
// Huber's weights, with a slope that is not negative. The variance is that of a
// new observation: residuals, and the uncertainty of the line where the pruned
// trial lies, which is outside of the finished ones as a rule. Where curves
// cross, residuals are large, and the forecast says little; it does not say that
// the trial would have ended badly. No forecast is below the best target.
func Forecasts(pruned, finished []Trial, targets []float64) []*Forecast {
	forecasts := make([]*Forecast, len(pruned))
	bySteps := map[int][]int{}
	for i, p := range pruned {
		if n := len(p.Curve); n > 0 {
			step := p.Curve[n-1].Step
			bySteps[step] = append(bySteps[step], i)
		}
	}
	skip := max(0, len(finished)-maxPairs)
	for step, members := range bySteps {
		var values, y []float64
		for i, f := range finished[skip:] {
			if v, ok := f.at(step); ok {
				values, y = append(values, v), append(y, targets[skip+i])
			}
		}
		pairs := len(values)
		if pairs < minPairs {
			continue
		}
		for _, i := range members {
			values = append(values, pruned[i].Curve[len(pruned[i].Curve)-1].Value)
		}
		transform, ok := NewTransform("", values)
		if !ok {
			continue
		}
		u := transform.Targets(values)
		line := regress(u[:pairs], y)
		best := slices.Min(targets)
		for k, i := range members {
			mean, variance := line.predict(u[pairs+k])
			forecasts[i] = &Forecast{math.Max(mean, best), variance}
		}
	}
	return forecasts
}

// line is a weighted linear regression.
type line struct {
	meanX, meanY, slope, variance float64
	weight, spread                float64 // Σ w and Σ w (x - meanX)²
}

// regress fits a line with a slope of at least 0.
func regress(x, y []float64) line {
	weights := make([]float64, len(x))
	for i := range weights {
		weights[i] = 1
	}
	var l line
	residuals, sizes := make([]float64, len(x)), make([]float64, len(x))
	for range huberSteps {
		l = line{}
		for i, w := range weights {
			l.weight += w
			l.meanX += w * x[i]
			l.meanY += w * y[i]
		}
		l.meanX /= l.weight
		l.meanY /= l.weight
		var cross float64
		for i, w := range weights {
			l.spread += w * (x[i] - l.meanX) * (x[i] - l.meanX)
			cross += w * (x[i] - l.meanX) * (y[i] - l.meanY)
		}
		if l.spread > 0 {
			l.slope = math.Max(cross/l.spread, 0)
		}
		var squares float64
		for i, w := range weights {
			residuals[i] = y[i] - l.meanY - l.slope*(x[i]-l.meanX)
			sizes[i] = math.Abs(residuals[i])
			squares += w * residuals[i] * residuals[i]
		}
		l.variance = math.Max(squares/math.Max(l.weight-2, 1), minForecastSD*minForecastSD)
		slices.Sort(sizes)
		// The median of |N(0, 1)| is 0.6745.
		scale := math.Max(stat.Quantile(0.5, stat.LinInterp, sizes, nil)/0.6745, minForecastSD)
		for i, r := range residuals {
			weights[i] = math.Min(1, huber*scale/math.Max(math.Abs(r), 1e-300))
		}
	}
	return l
}

// predict returns mean and variance of a new observation at x.
func (l line) predict(x float64) (mean, variance float64) {
	leverage := 1 / l.weight
	if l.spread > 0 {
		leverage += (x - l.meanX) * (x - l.meanX) / l.spread
	}
	return l.meanY + l.slope*(x-l.meanX), l.variance * (1 + leverage)
}
