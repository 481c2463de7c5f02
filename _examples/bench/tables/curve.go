package main

import (
	"slices"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// curveOf returns a run whose values are the best so far, that of the worst row
// before the first success, with the digits that a file has: a run that is read
// is the same as when it was made.
func (t *table) curveOf(run *harness.Run) *harness.Run {
	r := *run
	r.Values = run.Curve()
	for i, y := range r.Values {
		r.Values[i], _ = strconv.ParseFloat(harness.Text(min(y, t.regret(t.worst))), 64)
	}
	r.Numbers = map[string]float64{"failed": float64(run.Failed()) / float64(len(run.Values))}
	return &r
}

// expectedRun returns random search as it is in the mean.
func (t *table) expectedRun(trials int) *harness.Run {
	r := &harness.Run{Problem: t.Name, Method: expected, Values: t.expected(trials)}
	r.Numbers = map[string]float64{"failed": 1 - float64(len(t.sorted()))/float64(t.cells())}
	return r
}

// expected returns the mean regret after 1, 2, ... trials of random search that
// does not repeat a cell. The best of k trials is not among the i best of n cells
// with the probability C(n-i, k) / C(n, k), which is a product over i.
func (t *table) expected(trials int) []float64 {
	values, n := t.sorted(), float64(t.cells())
	curve := make([]float64, trials)
	for k := range curve {
		missed := 1.0 // by all k+1 trials: the best cells so far
		for i, y := range values {
			next := missed * max(0, n-float64(i)-float64(k+1)) / (n - float64(i))
			curve[k] += (missed - next) * t.regret(y)
			missed = next
		}
		curve[k] += missed * t.regret(t.worst) // all fail
	}
	return curve
}

// meanRuns returns a run for each method and seed that has a run on each of the
// problems: the mean of their values.
func meanRuns(problems []string, runs []*harness.Run) []*harness.Run {
	type key struct {
		method string
		seed   int64
	}
	groups := map[key][]*harness.Run{}
	var keys []key
	for _, r := range runs {
		if !slices.Contains(problems, r.Problem) {
			continue
		}
		k := key{r.Method, r.Seed}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	var means []*harness.Run
	for _, k := range keys {
		if len(groups[k]) < len(problems) {
			continue
		}
		mean := &harness.Run{Problem: overGrids, Method: k.method, Seed: k.seed, Numbers: map[string]float64{}}
		mean.Values = make([]float64, len(groups[k][0].Values))
		for _, r := range groups[k] {
			share := 1 / float64(len(problems))
			for i, y := range r.Values {
				mean.Values[i] += share * y
			}
			mean.Seconds += share * r.Seconds
			mean.Numbers["failed"] += share * r.Numbers["failed"]
		}
		means = append(means, mean)
	}
	return means
}
