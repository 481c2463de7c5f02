package history_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// reported returns a trial with the values after steps 1, 2, ...
func reported(values ...float64) history.Trial {
	var t history.Trial
	for i, v := range values {
		t.Curve = append(t.Curve, history.Report{Step: i + 1, Value: v})
	}
	return t
}

// identity returns a transform that is linear over the values of the trials, and
// its targets in units of the values.
func identity(t *testing.T, trials []history.Trial) (transform *history.Transform, value func(target float64) float64, unit float64) {
	t.Helper()
	var y []float64
	for _, f := range trials {
		y = append(y, f.Y)
	}
	transform, ok := history.NewTransform("linear", y)
	if !ok {
		t.Fatal("no linear transform")
	}
	unit = 1 / (transform.Target(1) - transform.Target(0))
	return transform, func(target float64) float64 { return (target - transform.Target(0)) * unit }, unit
}

// Where final values are a line in the values of a step, forecasts are on it,
// and nearly certain; a few outliers, in either, change little.
func TestForecastsOnALine(t *testing.T) {
	for _, outliers := range []int{0, 2} {
		var finished []history.Trial
		for i := range 20 {
			x := float64(i) / 10
			f := reported(9-x, 5+x, 1)
			f.Y = 2*x - 1
			finished = append(finished, f)
		}
		for i := range outliers {
			finished[7*i+3].Y += 8
			finished[7*i+4].Curve[1].Value += 1000
		}
		transform, value, unit := identity(t, finished)
		got := history.Forecasts([]history.Trial{reported(8, 7.5)}, finished, transform)[0]
		if got == nil || math.Abs(value(got.Mean)-4) > 0.3 || math.Sqrt(got.Variance)*unit > 0.5 {
			t.Errorf("%d outliers: forecast %v, want a mean of 4", outliers, got)
		}
	}
}

// Where values of a step tell nothing, the forecast is the average target with
// its spread; where they mislead, it does not follow them.
func TestForecastsOfCrossingCurves(t *testing.T) {
	for _, sign := range []float64{0, -1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var finished []history.Trial
		for range 60 {
			x := rng.NormFloat64()
			f := reported(sign*x + 0.1*rng.NormFloat64())
			f.Y = x
			finished = append(finished, f)
		}
		transform, _, _ := identity(t, finished)
		for _, value := range []float64{-0.1, 0, 0.1} {
			got := history.Forecasts([]history.Trial{reported(value)}, finished, transform)[0]
			if got == nil || math.Abs(got.Mean) > 0.4 || got.Variance < 0.5 || got.Variance > 2 {
				t.Errorf("sign %v: forecast from %v is %v, want the average target, about N(0, 1)", sign, value, got)
			}
		}
	}
}

// A pruned trial looks never better than the best finished one, and further from
// the others it is forecast with less confidence.
func TestForecastsAreBounded(t *testing.T) {
	var finished []history.Trial
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range 30 {
		x := float64(i)/15 - 1
		f := reported(x + 0.2*rng.NormFloat64())
		f.Y = x
		finished = append(finished, f)
	}
	for _, name := range history.TransformNames() {
		var y []float64
		for _, f := range finished {
			y = append(y, f.Y)
		}
		transform, ok := history.NewTransform(name, y)
		if !ok {
			continue
		}
		pruned := []history.Trial{reported(-1e6), reported(0), reported(3), reported(1e9), reported(math.MaxFloat64)}
		got := history.Forecasts(pruned, finished, transform)
		for i, f := range got {
			if f == nil && i < 4 || f != nil && (f.Mean < transform.Target(-1) || math.IsInf(f.Mean, 0) || !(f.Variance > 0) || math.IsInf(f.Variance, 0)) {
				t.Fatalf("%q: forecast %d is %v, want one of at least that of -1", name, i, f)
			}
		}
		if name == "linear" && got[2].Variance <= got[1].Variance {
			t.Errorf("variance %v beyond the finished trials, %v among them", got[2].Variance, got[1].Variance)
		}
	}
}

// There is no forecast from too few finished trials, from none that reached the
// step, and from no values; steps between two reports are interpolated.
func TestForecastsNeedPairs(t *testing.T) {
	var finished []history.Trial
	for i := range 10 {
		x := float64(i) / 9
		finished = append(finished, history.Trial{Curve: []history.Report{{Step: 1, Value: x}, {Step: 5, Value: 3 * x}}, Y: x})
	}
	transform, value, _ := identity(t, finished)
	for _, test := range []struct {
		name   string
		pruned history.Trial
		n      int
		want   float64 // NaN: no forecast
		why    string
	}{
		{"few", history.Trial{Curve: []history.Report{{Step: 1, Value: 0.5}}}, 3, math.NaN(), "three finished trials"},
		{"later", history.Trial{Curve: []history.Report{{Step: 6, Value: 0.5}}}, 10, math.NaN(), "all ended at step 5"},
		{"earlier", history.Trial{Curve: []history.Report{{Step: 0, Value: 0.5}}}, 10, math.NaN(), "all began at step 1"},
		{"silent", history.Trial{}, 10, math.NaN(), "no intermediate values"},
		{"exact", history.Trial{Curve: []history.Report{{Step: 5, Value: 1.5}}}, 10, 0.5, "a third of the value at step 5"},
		{"between", history.Trial{Curve: []history.Report{{Step: 3, Value: 1}}}, 10, 0.5, "half of the value at step 3"},
	} {
		got := history.Forecasts([]history.Trial{test.pruned}, finished[:test.n], transform)[0]
		if (got == nil) != math.IsNaN(test.want) || got != nil && math.Abs(value(got.Mean)-test.want) > 0.01 {
			t.Errorf("%s: forecast %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}
