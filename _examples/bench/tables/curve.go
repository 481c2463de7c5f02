package main

import (
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
)

// curveOf returns a run whose values are the best so far, that of the worst row
// before the first success, with the digits that a file has: a run that is read
// is the same as when it was made. With noise they are those of the trial that looks
// best.
func curveOf(t *lookup.Table, run *harness.Run, noise float64) *harness.Run {
	r := run.WithNoise(noise).BestSoFar()
	for i, y := range r.Values {
		r.Values[i], _ = strconv.ParseFloat(harness.Text(min(y, t.Regret(t.Worst))), 64)
	}
	r.Numbers = map[string]float64{"failed": float64(run.Failed()) / float64(len(run.Values))}
	return r
}

// expectedRun returns random search as it is in the mean.
func expectedRun(t *lookup.Table, trials int) *harness.Run {
	r := &harness.Run{Problem: t.Name, Method: expected, Values: expectedCurve(t, trials)}
	r.Numbers = map[string]float64{"failed": 1 - float64(len(t.Values()))/float64(t.Cells())}
	return r
}

// expectedCurve returns the mean regret after 1, 2, ... trials of random search that
// does not repeat a cell. The best of k trials is not among the i best of n cells
// with the probability C(n-i, k) / C(n, k), which is a product over i.
func expectedCurve(t *lookup.Table, trials int) []float64 {
	values, n := t.Values(), float64(t.Cells())
	curve := make([]float64, trials)
	for k := range curve {
		missed := 1.0 // by all k+1 trials: the best cells so far
		for i, y := range values {
			next := missed * max(0, n-float64(i)-float64(k+1)) / (n - float64(i))
			curve[k] += (missed - next) * t.Regret(y)
			missed = next
		}
		curve[k] += missed * t.Regret(t.Worst) // all fail
	}
	return curve
}
