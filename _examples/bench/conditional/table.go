package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// checkpoints returns the numbers of trials after which the table shows the
// best value: the usual ones, and the end.
func checkpoints(trials int) []int {
	var ns []int
	for _, n := range []int{20, 30, 50, 75, 100, 150} {
		if n < trials {
			ns = append(ns, n)
		}
	}
	return append(ns, trials)
}

// sample is the runs of one method on a problem.
type sample struct {
	method string
	runs   []*run
}

// samples returns the runs of the problem by method. Methods without are left
// out.
func samples(p *problems.Conditional, runs []*run) []sample {
	var all []sample
	for _, m := range methods {
		s := sample{method: m.name}
		for _, r := range runs {
			if r.problem == p.Name && r.method == m.name {
				s.runs = append(s.runs, r)
			}
		}
		if len(s.runs) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// printTables prints the tables of one problem.
func printTables(out io.Writer, cfg config, p *problems.Conditional, runs []*run) {
	all := samples(p, runs)
	fmt.Fprintf(out, "\n%s: best value so far above the optimum of %g, mean ± standard error\n\n", p.Name, p.Optimum)
	printRows(out, cfg.markdown, progressRows(p, all, cfg.trials))
	fmt.Fprintf(out, "\n%s: trials to come as near to the optimum, median (runs that did)\n\n", p.Name)
	printRows(out, cfg.markdown, targetRows(p, all, cfg.trials))
	if rows := leafRows(p, all); len(rows) > 1 {
		fmt.Fprintf(out, "\n%s: share of the trials in a leaf, its best above the optimum (median of the runs) [runs without a trial]\n\n", p.Name)
		printRows(out, cfg.markdown, rows)
	}
}

func progressRows(p *problems.Conditional, all []sample, trials int) [][]string {
	header := []string{"method", "seeds"}
	for _, n := range checkpoints(trials) {
		header = append(header, fmt.Sprintf("n=%d", n))
	}
	rows := [][]string{append(header, "s/trial")}
	for _, s := range all {
		row := []string{s.method, fmt.Sprint(len(s.runs))}
		for _, n := range checkpoints(trials) {
			var above []float64
			for _, r := range s.runs {
				above = append(above, r.best(n)-p.Optimum)
			}
			row = append(row, meanAndError(above))
		}
		var seconds float64
		for _, r := range s.runs {
			seconds += r.seconds / float64(len(s.runs)*trials)
		}
		rows = append(rows, append(row, fmt.Sprintf("%.2g", seconds)))
	}
	return rows
}

// targetRows has a line for each method, and with fm two more: how many times as
// many trials as fm the best of Optuna's samplers takes, and the best of all
// others.
func targetRows(p *problems.Conditional, all []sample, trials int) [][]string {
	header := []string{"method"}
	for _, target := range p.Targets {
		header = append(header, fmt.Sprintf("%g", target))
	}
	rows := [][]string{header}
	fm := slices.IndexFunc(all, func(s sample) bool { return s.method == "fm" })
	byOptuna, byOthers := []string{"best of Optuna / fm"}, []string{"best other / fm"}
	for _, s := range all {
		rows = append(rows, []string{s.method})
	}
	for _, target := range p.Targets {
		optuna, others := math.NaN(), math.NaN()
		for i, s := range all {
			var took []float64
			reached := 0
			for _, r := range s.runs {
				n := r.reach(p.Optimum + target)
				if took = append(took, n); !math.IsInf(n, 1) {
					reached++
				}
			}
			n := median(took)
			text := fmt.Sprintf("%g", n)
			if math.IsInf(n, 1) {
				text = fmt.Sprintf("> %d", trials)
			}
			rows[i+1] = append(rows[i+1], fmt.Sprintf("%s (%d/%d)", text, reached, len(s.runs)))
			if i == fm {
				continue
			}
			if !(others <= n) {
				others = n
			}
			if strings.HasPrefix(s.method, "optuna-") && !(optuna <= n) {
				optuna = n
			}
		}
		if fm >= 0 {
			var took []float64
			for _, r := range all[fm].runs {
				took = append(took, r.reach(p.Optimum+target))
			}
			byOptuna = append(byOptuna, ratio(optuna, median(took), trials))
			byOthers = append(byOthers, ratio(others, median(took), trials))
		}
	}
	if fm >= 0 && len(all) > 1 {
		rows = append(rows, byOptuna, byOthers)
	}
	return rows
}

// ratio prints a/b. Of numbers of trials that are larger than the end, +Inf, the
// ratio is a bound; NaN is not known.
func ratio(a, b float64, end int) string {
	switch {
	case math.IsNaN(a) || math.IsInf(a, 1) && math.IsInf(b, 1):
		return "?"
	case math.IsInf(a, 1):
		return fmt.Sprintf("> %.2f", float64(end)/b)
	case math.IsInf(b, 1):
		return fmt.Sprintf("< %.2f", a/float64(end))
	}
	return fmt.Sprintf("%.2f", a/b)
}

// leafRows has a line for each leaf and a column for each method whose leaves
// are known.
func leafRows(p *problems.Conditional, all []sample) [][]string {
	all = slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.runs[0].leaves == nil })
	names := map[string]bool{}
	header := []string{"leaf"}
	for _, s := range all {
		header = append(header, s.method)
		for _, r := range s.runs {
			for _, leaf := range r.leaves {
				names[leaf] = true
			}
		}
	}
	rows := [][]string{header}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		row := []string{name}
		for _, s := range all {
			row = append(row, leafCell(p, s, name))
		}
		rows = append(rows, row)
	}
	return rows
}

func leafCell(p *problems.Conditional, s sample, name string) string {
	var share float64
	var bests []float64
	without := 0
	for _, r := range s.runs {
		best := math.Inf(1)
		for i, leaf := range r.leaves {
			if leaf == name {
				share += 1 / float64(len(r.leaves)*len(s.runs))
				best = min(best, r.values[i]-p.Optimum)
			}
		}
		if bests = append(bests, best); math.IsInf(best, 1) {
			without++
		}
	}
	text := fmt.Sprintf("%.1f%% %.3g", 100*share, median(bests))
	if without > 0 {
		text += fmt.Sprintf(" [%d]", without)
	}
	return text
}

func printRows(out io.Writer, markdown bool, rows [][]string) {
	if !markdown {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		w.Flush()
		return
	}
	for i, row := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(out, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
}

// meanAndError prints the mean of xs and its standard error.
func meanAndError(xs []float64) string {
	n := float64(len(xs))
	var mean, squares float64
	for _, x := range xs {
		mean += x / n
	}
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	if n == 1 {
		return fmt.Sprintf("%.4f", mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", mean, math.Sqrt(squares/(n-1)/n))
}

// median returns the median of xs, which may be +Inf.
func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}
