package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// report prints normalised regrets.
type report struct {
	families []family
	seeds    []int64
	methods  []*harness.Method
	marks    []int
	markdown bool
}

// print prints the tables. Methods without runs are left out: those of systems that are missing.
func (r *report) print(out io.Writer, runs []*harness.Run) {
	r.methods = slices.DeleteFunc(r.methods, func(m *harness.Method) bool {
		return !slices.ContainsFunc(runs, func(run *harness.Run) bool { return run.Method == m.Name })
	})
	regrets := r.regrets(runs)
	for _, f := range r.families {
		fmt.Fprintf(out, "\n%s: %s\n\n", f.name, f.about)
		r.table(out, func(m *harness.Method, mark int) (float64, float64) {
			xs := regrets[key{f.name, m.Name, mark}]
			return stat.Mean(xs, nil), harness.StdErr(xs)
		}, r.methods)
	}
	fmt.Fprint(out, "\nmean over the families\n\n")
	r.table(out, func(m *harness.Method, mark int) (float64, float64) {
		return r.overFamilies(func(f family) []float64 { return regrets[key{f.name, m.Name, mark}] })
	}, r.methods)
	if len(r.methods) < 2 {
		return
	}
	first := r.methods[0]
	fmt.Fprintf(out, "\nless that of %s\n\n", first.Name)
	r.table(out, func(m *harness.Method, mark int) (float64, float64) {
		return r.overFamilies(func(f family) []float64 {
			return differences(regrets[key{f.name, m.Name, mark}], regrets[key{f.name, first.Name, mark}])
		})
	}, r.methods[1:])
}

// table prints a row per method of means and standard errors.
func (r *report) table(out io.Writer, cell func(m *harness.Method, mark int) (mean, stdErr float64), methods []*harness.Method) {
	rows := [][]string{{"method"}}
	for _, mark := range r.marks {
		rows[0] = append(rows[0], fmt.Sprintf("n=%d", mark))
	}
	for _, m := range methods {
		row := []string{m.Title}
		for _, mark := range r.marks {
			mean, stdErr := cell(m, mark)
			text := fmt.Sprintf("%.3f", mean)
			if len(r.seeds) > 1 {
				text += fmt.Sprintf(" ± %.3f", stdErr)
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	harness.Print(out, r.markdown, rows)
}

// key is of regrets, one for each seed.
type key struct {
	family, method string
	mark           int // number of trials
}

// regrets returns the normalised regrets of runs: with noise, of the trials that look best.
func (r *report) regrets(runs []*harness.Run) map[key][]float64 {
	byProblem := map[string][]*harness.Run{}
	for _, run := range runs {
		byProblem[run.Problem] = append(byProblem[run.Problem], run)
	}
	regrets := map[key][]float64{}
	for _, f := range r.families {
		for _, seed := range r.seeds {
			of := byProblem[f.nameOf(seed)]
			d := f.of(seed)
			least, usual, worst := d.reference(rand.New(rand.NewPCG(uint64(seed), 0)))
			for _, run := range of {
				for _, y := range run.Values {
					if y < least { // not NaN
						least = y
					}
				}
			}
			for _, run := range of {
				curve := run.WithNoise(d.noise).Curve()
				for _, mark := range r.marks {
					best := math.Min(worst, curve[mark-1])
					k := key{f.name, run.Method, mark}
					regrets[k] = append(regrets[k], (best-least)/(usual-least))
				}
			}
		}
	}
	return regrets
}

// overFamilies returns the mean of the means of families and its standard error, which is that
// of other problems of the same families.
func (r *report) overFamilies(of func(f family) []float64) (mean, stdErr float64) {
	n, variance := float64(len(r.families)), 0.0
	for _, f := range r.families {
		xs := of(f)
		mean += stat.Mean(xs, nil) / n
		variance += sq(harness.StdErr(xs))
	}
	return mean, math.Sqrt(variance) / n
}

func differences(as, bs []float64) []float64 {
	ds := make([]float64, len(as))
	for i, a := range as {
		ds[i] = a - bs[i]
	}
	return ds
}
