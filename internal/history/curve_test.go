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

// Where final targets are a line in the values of a step, forecasts are on it,
// and nearly certain; a few outliers change little.
func TestForecastsOnALine(t *testing.T) {
	for _, outliers := range []int{0, 2} {
		var finished []history.Trial
		var targets []float64
		for i := range 20 {
			x := float64(i) / 10
			finished, targets = append(finished, reported(9-x, 5+x, 1)), append(targets, x-1)
		}
		for i := range outliers {
			targets[7*i+3] += 8
		}
		got := history.Forecasts([]history.Trial{reported(8, 6.5)}, finished, targets)[0]
		if got == nil || math.Abs(got.Mean-0.5) > 0.2 || math.Sqrt(got.Variance) > 0.1+float64(outliers) {
			t.Errorf("%d outliers: forecast %v, want a mean of 0.5", outliers, got)
		}
	}
}

// Where values of a step tell nothing, the forecast is the average target with
// its spread; where they mislead, it does not follow them.
func TestForecastsOfCrossingCurves(t *testing.T) {
	for _, sign := range []float64{0, -1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var finished []history.Trial
		var targets []float64
		for range 60 {
			x := rng.NormFloat64()
			finished = append(finished, reported(sign*x+0.1*rng.NormFloat64()))
			targets = append(targets, x)
		}
		for _, value := range []float64{-0.1, 0, 0.1} {
			got := history.Forecasts([]history.Trial{reported(value)}, finished, targets)[0]
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
	var targets []float64
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range 30 {
		x := float64(i)/15 - 1
		finished, targets = append(finished, reported(x+0.2*rng.NormFloat64())), append(targets, x)
	}
	pruned := []history.Trial{reported(-1e6), reported(0), reported(3), reported(1e9)}
	got := history.Forecasts(pruned, finished, targets)
	for i, f := range got {
		if f == nil || f.Mean < -1 || math.IsInf(f.Mean, 0) || !(f.Variance > 0) || math.IsInf(f.Variance, 0) {
			t.Fatalf("forecast %d is %v, want one of at least -1", i, f)
		}
	}
	if got[2].Variance <= got[1].Variance {
		t.Errorf("variance %v beyond the finished trials, %v among them", got[2].Variance, got[1].Variance)
	}
}

// There is no forecast from too few finished trials, from none that reached the
// step, and from no values; steps between two reports are interpolated.
func TestForecastsNeedPairs(t *testing.T) {
	var finished []history.Trial
	var targets []float64
	for i := range 10 {
		x := float64(i) / 9
		finished = append(finished, history.Trial{Curve: []history.Report{{Step: 1, Value: x}, {Step: 5, Value: 3 * x}}})
		targets = append(targets, x)
	}
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
		got := history.Forecasts([]history.Trial{test.pruned}, finished[:test.n], targets[:test.n])[0]
		if (got == nil) != math.IsNaN(test.want) || got != nil && math.Abs(got.Mean-test.want) > 0.1 {
			t.Errorf("%s: forecast %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}
