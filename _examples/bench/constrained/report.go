package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

const (
	// worstRegret is the regret of a run without a feasible trial, and the largest that counts.
	worstRegret = 2

	// randomPoints is their number in the reference of a problem: of the reducer's, 0.2 % are
	// feasible.
	randomPoints = 100_000

	first = "first" // the number of a run: the trials until one was feasible
)

// report prints tables of the regrets on formulas, of those on what was drawn, and of runs
// without a feasible trial.
func report(out io.Writer, kinds []kind, methods []*harness.Method, b *harness.Budget, runs []*harness.Run) {
	regrets := regretsOf(kinds, b.SeedNumbers(), runs)
	marks := harness.Marks(b.Trials, 10, 15, 20, 30, 50)
	for _, drawn := range []bool{false, true} {
		var names []string
		for _, k := range kinds {
			if k.drawn == drawn {
				names = append(names, k.name)
			}
		}
		if len(names) > 0 {
			harness.Compare(out, methods, names, regrets, marks)
		}
	}
	early := min(20, b.Trials)
	columns := []harness.Column{harness.Title("method"), harness.Count("runs")}
	for _, k := range kinds {
		columns = append(columns, harness.Column{Title: k.name, Cell: func(s harness.Sample) string {
			xs := harness.Each(harness.RunsOf(s.Runs, k.name, ""), func(r *harness.Run) float64 { return r.Numbers[first] })
			return fmt.Sprintf("%d, %d", above(xs, early), above(xs, b.Trials))
		}})
	}
	fmt.Fprintf(out, "\nruns without a feasible trial in %d trials, and in %d\n\n", early, b.Trials)
	harness.Print(out, harness.Rows(harness.Samples(methods, "", regrets), columns...))
}

// above returns how many numbers are above n.
func above(xs []float64, n int) int {
	return len(slices.DeleteFunc(xs, func(x float64) bool { return x <= float64(n) }))
}

// regretsOf returns runs on kinds, whatever the problem: their values are the regrets of the
// best feasible values so far.
func regretsOf(kinds []kind, seeds []int64, runs []*harness.Run) (regrets []*harness.Run) {
	for _, k := range kinds {
		var least, median float64
		for i, seed := range seeds {
			p := k.draw(seed)
			of := harness.RunsOf(runs, p.Name, "")
			if i == 0 || k.drawn {
				least, median = reference(p, of)
			}
			for _, run := range of {
				if run.Seed != seed {
					continue
				}
				regret := &harness.Run{Problem: k.name, Method: run.Method, Seed: seed, Numbers: map[string]float64{first: run.Reach(math.Inf(1))}}
				for _, best := range run.Curve() {
					regret.Values = append(regret.Values, math.Min(worstRegret, (best-least)/(median-least)))
				}
				regrets = append(regrets, regret)
			}
		}
	}
	return regrets
}

// reference returns the least feasible value that is known, and the median of random feasible
// points.
func reference(p *problems.Constrained, runs []*harness.Run) (least, median float64) {
	least, median, _ = harness.Reference(rand.New(rand.NewPCG(1, 0)), p.Params, func(x []float64) float64 {
		y, violations := p.Eval(x)
		if slices.Max(violations) > 0 {
			return math.NaN()
		}
		return y
	}, randomPoints)
	known := []float64{p.Optimum}
	for _, run := range runs {
		known = append(known, run.Values...)
	}
	for _, y := range known {
		if y < least { // not NaN
			least = y
		}
	}
	return least, median
}
