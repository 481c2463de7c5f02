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
	minPairs, maxPairs = 4, 100
	// normalMAD is the median of |N(0, 1)|.
	normalMAD = 0.6745
	// minForecastSD bounds a forecast's standard deviation from below, in units
	// of the targets.
	minForecastSD = 0.05
)

// Forecast is what is expected of the target that a pruned trial would have had.
type Forecast struct{ Mean, Variance float64 }

// Forecasts estimates the targets of pruned trials from their intermediate
// values, given finished trials and the transform of objective values. An entry
// is nil where they tell nothing: too few finished trials have a value at the
// step at which the pruned one ended.
//
// The final values of the finished trials are regressed on their values at that
// step, by the median slope and median residual of Theil and Sen, with a slope
// that is not negative, and the transform takes the result to a target. The
// variance is that of a new observation: residuals, and the uncertainty of the
// line where the pruned trial lies, which is outside of the finished ones as a
// rule. Where curves cross, residuals are large, and the forecast says little; it
// does not say that the trial would have ended badly. No forecast is below the
// target of the best finished trial.
func Forecasts(pruned, finished []Trial, transform *Transform) []*Forecast {
	forecasts := make([]*Forecast, len(pruned))
	finished = finished[max(0, len(finished)-maxPairs):]
	lines := map[int]*line{} // by step
	best := math.Inf(1)
	for _, f := range finished {
		best = math.Min(best, transform.Target(f.Y))
	}
	for i, p := range pruned {
		if len(p.Curve) == 0 {
			continue
		}
		last := p.Curve[len(p.Curve)-1]
		l, known := lines[last.Step]
		if !known {
			var x, y []float64
			for _, f := range finished {
				if v, ok := f.at(last.Step); ok {
					x, y = append(x, v), append(y, f.Y)
				}
			}
			l = regress(x, y)
			lines[last.Step] = l
		}
		if l == nil {
			continue
		}
		value, sd := l.predict(last.Value)
		// The transform is as good as linear within a standard deviation.
		spread := (transform.Target(value+sd) - transform.Target(value-sd)) / 2
		f := &Forecast{math.Max(transform.Target(value), best), math.Max(spread*spread, minForecastSD*minForecastSD)}
		if !math.IsNaN(f.Mean+f.Variance) && !math.IsInf(f.Mean+f.Variance, 0) {
			forecasts[i] = f
		}
	}
	return forecasts
}

// line is a regression line.
type line struct {
	slope, intercept float64
	sd               float64 // of the residuals
	n, mean, spread  float64 // of x: number, mean and Σ (x - mean)²
}

// regress fits a line with a slope of at least 0, nil to less than minPairs.
func regress(x, y []float64) *line {
	if len(x) < minPairs {
		return nil
	}
	median := func(values []float64) float64 {
		slices.Sort(values)
		return stat.Quantile(0.5, stat.LinInterp, values, nil)
	}
	l := &line{n: float64(len(x)), mean: stat.Mean(x, nil)}
	var slopes []float64
	for i := range x {
		l.spread += (x[i] - l.mean) * (x[i] - l.mean)
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	if len(slopes) > 0 {
		l.slope = math.Max(median(slopes), 0)
	}
	residuals := make([]float64, len(x))
	for i := range x {
		residuals[i] = y[i] - l.slope*x[i]
	}
	l.intercept = median(slices.Clone(residuals))
	for i, r := range residuals {
		residuals[i] = math.Abs(r - l.intercept)
	}
	l.sd = median(residuals) / normalMAD * math.Sqrt(l.n/(l.n-2))
	return l
}

// predict returns mean and standard deviation of a new observation at x.
func (l *line) predict(x float64) (mean, sd float64) {
	leverage := 1 / l.n
	if l.spread > 0 {
		leverage += (x - l.mean) / l.spread * (x - l.mean)
	}
	return l.intercept + l.slope*x, l.sd * math.Sqrt(1+leverage)
}
