package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

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

// sample is all runs of one row of a table.
type sample struct {
	method  string
	workers int
	kills   int
	runs    []*run
}

// team says how many workers there are, and how many of them are killed.
func team(workers, kills int) string {
	if kills == 0 {
		return strconv.Itoa(workers)
	}
	return fmt.Sprintf("%d (%d killed)", workers, kills)
}

// samples returns the rows of the problem's table.
func samples(cfg config, p *problems.Problem, runs []*run) []sample {
	var rows []sample
	for _, method := range cfg.methods {
		for _, workers := range cfg.workers {
			for _, kills := range cfg.allKills() {
				row := sample{method: method, workers: workers, kills: kills}
				for _, r := range runs {
					if r.problem == p && r.method == method && r.workers == workers && r.kills == kills {
						row.runs = append(row.runs, r)
					}
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// printTable prints the table of one problem, and with several workers a second
// one on what they gain and lose.
func printTable(out io.Writer, cfg config, p *problems.Problem, runs []*run) {
	end := cfg.trials
	header := []string{"method", "workers"}
	for _, n := range checkpoints(end) {
		header = append(header, fmt.Sprintf("n=%d", n))
	}
	header = append(header, fmt.Sprintf("median at %d [min, max]", end))
	failures := slices.ContainsFunc(runs, func(r *run) bool {
		return r.problem == p && slices.ContainsFunc(r.values, math.IsNaN)
	})
	if failures {
		header = append(header, fmt.Sprintf("failed from %d", failuresFrom))
	}
	for _, w := range windows(end) {
		header = append(header, fmt.Sprintf("s/trial %d–%d", w.first, w.last))
	}
	rows := [][]string{header}
	all := samples(cfg, p, runs)
	for _, s := range all {
		row := []string{s.method, team(s.workers, s.kills)}
		for _, n := range checkpoints(end) {
			row = append(row, meanAndError(bestAt(s.runs, n)))
		}
		row = append(row, spread(bestAt(s.runs, end)))
		if failures {
			row = append(row, meanAndError(failedShares(s.runs)))
		}
		for _, w := range windows(end) {
			row = append(row, fmt.Sprintf("%.2g", secondsPerTrial(s.runs, w)))
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(out, "\n%s, optimum %.6g: best value so far, mean ± standard error of %d seeds\n\n",
		p.Name, p.Plain(p.Optimum), cfg.seeds)
	printRows(out, cfg.markdown, rows)
	if cfg.kills > 0 {
		fmt.Fprintf(out, "\n%s: area over the curve of the best value so far, the mean distance from the optimum, with workers killed and without\n\n", p.Name)
		printRows(out, cfg.markdown, areaRows(all))
	}
	if slices.Max(cfg.workers) == 1 {
		return
	}
	n := min(referenceTrial, end)
	fmt.Fprintf(out, "\n%s: simulated time for %d trials relative to one worker's, and what it takes to get the mean of one worker after %d trials\n\n",
		p.Name, end, n)
	printRows(out, cfg.markdown, batchRows(all, end, n))
}

// referenceTrial is the trial of one worker whose value others have to reach.
const referenceTrial = 100

// batchRows returns the table that compares numbers of workers. Trials are
// interpolated on the mean of the best values so far; as many of them as there
// are workers make a round.
func batchRows(all []sample, end, reference int) [][]string {
	rows := [][]string{{"method", "workers", "time", "trials", "rounds"}}
	for _, s := range all {
		var time float64
		for _, r := range s.runs {
			time += r.time / sequentialTime(r.seed, end) / float64(len(s.runs))
		}
		row := []string{s.method, team(s.workers, s.kills), fmt.Sprintf("%.3f", time)}
		i := slices.IndexFunc(all, func(other sample) bool {
			return other.method == s.method && other.workers == 1 && other.kills == 0
		})
		if i < 0 {
			row = append(row, "?", "?")
		} else if n, ok := reach(meanBest(s.runs), meanBest(all[i].runs)[reference-1]); ok {
			row = append(row, fmt.Sprintf("%.1f", n), fmt.Sprintf("%.1f", n/float64(s.workers)))
		} else {
			row = append(row, fmt.Sprintf("> %d", end), fmt.Sprintf("> %.1f", float64(end)/float64(s.workers)))
		}
		rows = append(rows, row)
	}
	return rows
}

// areaRows returns the table that compares runs with workers killed to those
// without.
func areaRows(all []sample) [][]string {
	rows := [][]string{{"method", "workers", "killed", "undisturbed", "ratio of the means"}}
	for i, s := range all {
		if s.kills == 0 {
			continue
		}
		calm := areas(all[i-1].runs)
		disturbed := areas(s.runs)
		ratio, se := ratioOfMeans(disturbed, calm)
		text := fmt.Sprintf("%.3f", ratio)
		if len(s.runs) > 1 {
			text += fmt.Sprintf(" ± %.3f", se)
		}
		rows = append(rows, []string{s.method, team(s.workers, s.kills), meanAndError(disturbed), meanAndError(calm), text})
	}
	return rows
}

// areas returns the mean distance of the best value so far from the optimum in
// each run.
func areas(runs []*run) []float64 {
	areas := make([]float64, len(runs))
	for i, r := range runs {
		for _, best := range r.best {
			areas[i] += (best - r.problem.Optimum) / float64(len(r.best))
		}
	}
	return areas
}

// ratioOfMeans returns the ratio of the means of paired numbers, and its standard
// error to first order: that of the mean of x - ratio·y, over the mean of y.
func ratioOfMeans(xs, ys []float64) (ratio, se float64) {
	ratio = stat.Mean(xs, nil) / stat.Mean(ys, nil)
	rest := slices.Clone(xs)
	floats.AddScaled(rest, -ratio, ys)
	return ratio, stat.StdErr(stat.StdDev(rest, nil), float64(len(rest))) / stat.Mean(ys, nil)
}

// meanBest returns the mean of the best value so far after each trial. It is
// +Inf until every run has found something feasible.
func meanBest(runs []*run) []float64 {
	mean := make([]float64, len(runs[0].best))
	for _, r := range runs {
		for i, best := range r.best {
			mean[i] += best / float64(len(runs))
		}
	}
	return mean
}

// reach returns the number of trials after which a curve that never rises gets
// down to the value, interpolated between two trials; ok is false when it does
// not.
func reach(curve []float64, value float64) (trials float64, ok bool) {
	i := slices.IndexFunc(curve, func(y float64) bool { return y <= value })
	switch {
	case i < 0 || math.IsInf(value, 1):
		return 0, false
	case i == 0 || math.IsInf(curve[i-1], 1):
		return float64(i + 1), true
	}
	return float64(i) + (curve[i-1]-value)/(curve[i-1]-curve[i]), true
}

func printRows(out io.Writer, markdown bool, rows [][]string) {
	if markdown {
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

// failuresFrom is the trial from which failures are counted: until then a method
// has to find out where they are.
const failuresFrom = 41

// failedShares returns the share of failed trials of each run.
func failedShares(runs []*run) []float64 {
	shares := make([]float64, len(runs))
	for i, r := range runs {
		late := r.values[min(failuresFrom-1, len(r.values)-1):]
		for _, y := range late {
			if math.IsNaN(y) {
				shares[i] += 1 / float64(len(late))
			}
		}
	}
	return shares
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
