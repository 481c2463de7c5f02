package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// printTables prints the tables of one problem.
func printTables(out io.Writer, cfg config, p *problems.Conditional, all []harness.Sample) {
	marks := harness.Marks(cfg.Trials, 20, 30, 50, 75, 100, 150)
	columns := slices.Concat([]harness.Column{{Title: "method", Cell: name}, harness.Count("seeds")},
		harness.BestAt(marks, p.Optimum, 4), []harness.Column{harness.Seconds("s/trial")})
	fmt.Fprintf(out, "\n%s: best value so far above the optimum of %g, mean ± standard error\n\n", p.Name, p.Optimum)
	harness.Print(out, harness.Rows(all, columns...))
	fmt.Fprintf(out, "\n%s: trials to come as near to the optimum, median (runs that did)\n\n", p.Name)
	harness.Print(out, targetRows(p, all, cfg.Trials))
	if rows := leafRows(p, all); len(rows) > 1 {
		fmt.Fprintf(out, "\n%s: share of the trials in a leaf, its best above the optimum (median of the runs) [runs without a trial]\n\n", p.Name)
		harness.Print(out, rows)
	}
}

func name(s harness.Sample) string { return s.Name }

// targetRows has a line for each method, and with fm two more: how many times as
// many trials as fm the best of Optuna's samplers takes, and the best of all
// others.
func targetRows(p *problems.Conditional, all []harness.Sample, trials int) [][]string {
	columns := []harness.Column{{Title: "method", Cell: name}}
	fm := slices.IndexFunc(all, func(s harness.Sample) bool { return s.Name == "fm" })
	byOptuna, byOthers := []string{"best of Optuna / fm"}, []string{"best other / fm"}
	for _, target := range p.Targets {
		reach := func(s harness.Sample) []float64 {
			return harness.Each(s.Runs, func(r *harness.Run) float64 { return r.Reach(p.Optimum + target) })
		}
		columns = append(columns, harness.Column{Title: fmt.Sprintf("%g", target), Cell: func(s harness.Sample) string {
			return reachText(reach(s), trials)
		}})
		if fm < 0 {
			continue
		}
		best := func(prefix string) float64 {
			least := math.NaN()
			for i, s := range all {
				if n := harness.Median(reach(s)); i != fm && strings.HasPrefix(s.Name, prefix) && !(least <= n) {
					least = n
				}
			}
			return least
		}
		own := harness.Median(reach(all[fm]))
		byOptuna = append(byOptuna, ratio(best("optuna-"), own, trials))
		byOthers = append(byOthers, ratio(best(""), own, trials))
	}
	rows := harness.Rows(all, columns...)
	if fm >= 0 && len(all) > 1 {
		rows = append(rows, byOptuna, byOthers)
	}
	return rows
}

// reachText prints the median of the numbers of trials that runs took, and how
// many of them are finite.
func reachText(took []float64, trials int) string {
	reached := 0
	for _, n := range took {
		if !math.IsInf(n, 1) {
			reached++
		}
	}
	text := fmt.Sprintf("%g", harness.Median(took))
	if math.IsInf(harness.Median(took), 1) {
		text = fmt.Sprintf("> %d", trials)
	}
	return fmt.Sprintf("%s (%d/%d)", text, reached, len(took))
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

// leafRows has a line for each leaf and a column for each method whose trials
// are known.
func leafRows(p *problems.Conditional, all []harness.Sample) [][]string {
	names := map[string]bool{}
	rows := [][]string{{"leaf"}}
	var known []harness.Sample
	for _, s := range all {
		if s.Runs[0].Trials == nil {
			continue // read from the file
		}
		known, rows[0] = append(known, s), append(rows[0], s.Name)
		for _, r := range s.Runs {
			for _, trial := range r.Trials {
				names[p.Leaf(trial)] = true
			}
		}
	}
	for _, leaf := range slices.Sorted(maps.Keys(names)) {
		row := []string{leaf}
		for _, s := range known {
			row = append(row, leafCell(p.Optimum, s, leaf, p.Leaf))
		}
		rows = append(rows, row)
	}
	return rows
}

func leafCell(optimum float64, s harness.Sample, leaf string, leafOf func(goptuna.FrozenTrial) string) string {
	var share float64
	var bests []float64
	without := 0
	for _, r := range s.Runs {
		best := math.Inf(1)
		for i, trial := range r.Trials {
			if leafOf(trial) == leaf {
				share += 1 / float64(len(r.Trials)*len(s.Runs))
				best = min(best, r.Values[i]-optimum)
			}
		}
		if bests = append(bests, best); math.IsInf(best, 1) {
			without++
		}
	}
	text := fmt.Sprintf("%.1f%% %.3g", 100*share, harness.Median(bests))
	if without > 0 {
		text += fmt.Sprintf(" [%d]", without)
	}
	return text
}
