package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// randomPoints is their number in the reference of a problem.
const randomPoints = 4000

// report prints normalised regrets.
type report struct {
	families []family
	seeds    []int64
	methods  []*harness.Method
	marks    []int
}

// print prints the tables. Methods without runs are left out: those of systems that are missing.
func (r *report) print(out io.Writer, runs []*harness.Run) {
	regrets := r.regrets(runs)
	after := func(n int) func(*harness.Run) float64 {
		return func(run *harness.Run) float64 { return run.Values[n-1] }
	}
	each := func(runs []*harness.Run, n int) []float64 { return harness.Each(runs, after(n)) }
	for i, f := range r.families {
		fmt.Fprintf(out, "\n%s: %s\n\n", f.name, f.about)
		r.table(out, harness.Samples(r.methods, f.name, regrets), r.families[i:i+1], each)
	}
	all := harness.Samples(r.methods, "", regrets)
	fmt.Fprint(out, "\nmean over the families\n\n")
	r.table(out, all, r.families, each)
	if len(all) > 1 {
		fmt.Fprintf(out, "\nless that of %s\n\n", all[0].Name)
		r.table(out, all[1:], r.families, func(runs []*harness.Run, n int) []float64 {
			return harness.Differences(runs, all[0].Runs, after(n))
		})
	}
}

// table prints a row per sample: of numbers that runs have after n trials, the mean of the
// means of families and its standard error, which is that of other problems of the same families.
func (r *report) table(out io.Writer, samples []harness.Sample, families []family, numbers func(runs []*harness.Run, n int) []float64) {
	columns := []harness.Column{harness.Title("method")}
	for _, n := range r.marks {
		columns = append(columns, harness.Column{Title: fmt.Sprintf("n=%d", n), Cell: func(s harness.Sample) string {
			count, mean, variance := float64(len(families)), 0.0, 0.0
			for _, f := range families {
				xs := numbers(harness.RunsOf(s.Runs, f.name, ""), n)
				mean += stat.Mean(xs, nil) / count
				variance += sq(harness.StdErr(xs))
			}
			text := fmt.Sprintf("%.3f", mean)
			if len(r.seeds) > 1 {
				text += fmt.Sprintf(" ± %.3f", math.Sqrt(variance)/count)
			}
			return text
		}})
	}
	harness.Print(out, harness.Rows(samples, columns...))
}

// regrets returns runs on families, whatever the problem: their values are the normalised
// regrets of the best values so far, with noise, of the trials that look best, which may rise.
func (r *report) regrets(runs []*harness.Run) (regrets []*harness.Run) {
	for _, f := range r.families {
		for _, seed := range r.seeds {
			of := harness.RunsOf(runs, f.nameOf(seed), "")
			d := f.of(seed)
			least, median, worst := harness.Reference(rand.New(rand.NewPCG(uint64(seed), 0)), d.space, d.value, randomPoints)
			for _, run := range of {
				for _, y := range run.Values {
					if y < least { // not NaN
						least = y
					}
				}
			}
			for _, run := range of {
				regret := &harness.Run{Problem: f.name, Method: run.Method, Seed: seed}
				for _, best := range run.WithNoise(d.noise).Curve() {
					regret.Values = append(regret.Values, (math.Min(worst, best)-least)/(median-least))
				}
				regrets = append(regrets, regret)
			}
		}
	}
	return regrets
}
