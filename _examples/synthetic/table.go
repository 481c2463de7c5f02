package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// window is a range of trials, counted from 1, both ends included.
type window struct{ first, last int }

// checkpoints returns the numbers of trials after which the table shows the
// best value: the usual ones, and the end.
func checkpoints(trials int) []int {
	var ns []int
	for _, n := range []int{30, 50, 75, 100, 150, 200} {
		if n < trials {
			ns = append(ns, n)
		}
	}
	return append(ns, trials)
}

// windows returns the trials over which the table averages the seconds: the
// usual ones, or the last third of a run that is too short for them.
func windows(trials int) []window {
	var ws []window
	for _, w := range []window{{90, 110}, {180, 200}} {
		if w.last <= trials {
			ws = append(ws, w)
		}
	}
	if ws == nil {
		ws = append(ws, window{trials - trials/3, trials})
	}
	return ws
}

// printTable prints the table of one problem.
func printTable(out io.Writer, cfg config, p *problems.Problem, runs []*run) {
	end := cfg.trials
	header := []string{"method"}
	for _, n := range checkpoints(end) {
		header = append(header, fmt.Sprintf("n=%d", n))
	}
	header = append(header, fmt.Sprintf("median at %d [min, max]", end))
	for _, w := range windows(end) {
		header = append(header, fmt.Sprintf("s/trial %d–%d", w.first, w.last))
	}
	rows := [][]string{header}
	for _, method := range cfg.methods {
		var mine []*run
		for _, r := range runs {
			if r.problem == p && r.method == method {
				mine = append(mine, r)
			}
		}
		row := []string{method}
		for _, n := range checkpoints(end) {
			row = append(row, meanAndError(bestAt(mine, n)))
		}
		row = append(row, spread(bestAt(mine, end)))
		for _, w := range windows(end) {
			row = append(row, fmt.Sprintf("%.2g", secondsPerTrial(mine, w)))
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(out, "\n%s, optimum %.6g: best value so far, mean ± standard error of %d seeds\n\n",
		p.Name, p.Optimum, cfg.seeds)
	if cfg.markdown {
		printMarkdown(out, rows)
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
}

func printMarkdown(out io.Writer, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(out, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
}

// bestAt returns the best value of each run after n trials.
func bestAt(runs []*run, n int) []float64 {
	best := make([]float64, len(runs))
	for i, r := range runs {
		best[i] = r.best[n-1]
	}
	return best
}

// meanAndError prints the mean of xs and its standard error. Runs that have
// found nothing feasible are left out, and then the others are counted.
func meanAndError(xs []float64) string {
	finite := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return math.IsInf(x, 1) })
	n := float64(len(finite))
	if n == 0 {
		return "none feasible"
	}
	var mean, squares float64
	for _, x := range finite {
		mean += x / n
	}
	for _, x := range finite {
		squares += (x - mean) * (x - mean)
	}
	text := fmt.Sprintf("%.4f", mean)
	if n > 1 {
		text += fmt.Sprintf(" ± %.4f", math.Sqrt(squares/(n-1)/n))
	}
	if len(finite) < len(xs) {
		text += fmt.Sprintf(" (%d of %d)", len(finite), len(xs))
	}
	return text
}

// spread prints the median of xs, the smallest and the largest.
func spread(xs []float64) string {
	sorted := slices.Sorted(slices.Values(xs))
	half := len(sorted) / 2
	median := sorted[half]
	if len(sorted)%2 == 0 {
		median = (sorted[half-1] + median) / 2
	}
	return fmt.Sprintf("%.4f [%.4f, %.4f]", median, sorted[0], sorted[len(sorted)-1])
}

// secondsPerTrial returns the mean time that the sampler took for a trial of
// the window.
func secondsPerTrial(runs []*run, w window) float64 {
	var sum float64
	for _, r := range runs {
		for _, seconds := range r.suggest[w.first-1 : w.last] {
			sum += seconds
		}
	}
	return sum / float64(len(runs)*(w.last-w.first+1))
}
