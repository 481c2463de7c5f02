package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// window is a range of trials, counted from 1, both ends included.
type window struct{ first, last int }

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
	harness.Sample // Name is that of the method
	harness.Team
}

// samples returns the rows of the problem's table.
func samples(rows []*row, problem string, runs []*harness.Run) []sample {
	var all []sample
	for _, r := range rows {
		s := harness.Samples([]*harness.Method{&r.plan}, problem, runs)[0]
		s.Name = r.method.Name
		all = append(all, sample{s, r.Team})
	}
	return all
}

// printTables prints the table of one problem, and with several workers a second
// one on what they gain and lose.
func printTables(out io.Writer, cfg config, p *problems.Problem, all []sample) {
	fmt.Fprintf(out, "\n%s, optimum %.6g: best value so far, mean ± standard error of %d seeds\n\n",
		p.Name, p.Plain(p.Optimum), cfg.Seeds)
	harness.Print(out, bestRows(all, cfg.Trials))
	if slices.ContainsFunc(cfg.teams, func(t harness.Team) bool { return t.Kills > 0 }) {
		fmt.Fprintf(out, "\n%s: area over the curve of the best value so far, the mean distance from the optimum, with workers killed and without\n\n", p.Name)
		harness.Print(out, areaRows(all, p.Optimum))
	}
	if !slices.ContainsFunc(cfg.teams, func(t harness.Team) bool { return t.Workers > 1 }) {
		return
	}
	n := min(referenceTrial, cfg.Trials)
	fmt.Fprintf(out, "\n%s: simulated time for %d trials relative to one worker's, and what it takes to get the mean of one worker after %d trials\n\n",
		p.Name, cfg.Trials, n)
	harness.Print(out, batchRows(all, cfg.Trials, n))
}

// bestRows returns the table of best values. The share of failed trials has a
// column where there are any.
func bestRows(all []sample, end int) [][]string {
	rows, names := make([]harness.Sample, len(all)), [][]string{{"method", "workers"}}
	failures := false
	for i, s := range all {
		rows[i], names = s.Sample, append(names, []string{s.Name, s.Team.String()})
		failures = failures || slices.ContainsFunc(s.Runs, func(r *harness.Run) bool { return r.Failed() > 0 })
	}
	columns := append(harness.BestAt(harness.Marks(end, 30, 50, 75, 100, 150, 200), 0, 4),
		harness.Column{Title: fmt.Sprintf("median at %d [min, max]", end), Cell: func(s harness.Sample) string {
			best := harness.Each(s.Runs, func(r *harness.Run) float64 { return r.Best(end) })
			return fmt.Sprintf("%.4f [%.4f, %.4f]", harness.Median(best), slices.Min(best), slices.Max(best))
		}})
	if failures {
		columns = append(columns, harness.Mean(fmt.Sprintf("failed from %d", failuresFrom), 4, failedShare))
	}
	for _, w := range windows(end) {
		columns = append(columns, harness.Column{Title: fmt.Sprintf("s/trial %d–%d", w.first, w.last), Cell: func(s harness.Sample) string {
			return fmt.Sprintf("%.2g", stat.Mean(harness.Each(s.Runs, func(r *harness.Run) float64 {
				return stat.Mean(r.Suggest[w.first-1:w.last], nil)
			}), nil))
		}})
	}
	return harness.Join(names, harness.Rows(rows, columns...))
}

// failuresFrom is the trial from which failures are counted: until then a method
// has to find out where they are.
const failuresFrom = 41

// failedShare returns the share of the late trials of a run that failed.
func failedShare(r *harness.Run) float64 {
	late := harness.Run{Values: r.Values[min(failuresFrom-1, len(r.Values)-1):]}
	return float64(late.Failed()) / float64(len(late.Values))
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
		for _, r := range s.Runs {
			time += r.Numbers["time"] / sequentialTime(r.Seed, end) / float64(len(s.Runs))
		}
		row := []string{s.Name, s.Team.String(), fmt.Sprintf("%.3f", time)}
		i := slices.IndexFunc(all, func(other sample) bool {
			return other.Name == s.Name && other.Workers == 1 && other.Kills == 0
		})
		if i < 0 {
			row = append(row, "?", "?")
		} else if n, ok := reach(meanBest(s.Runs), meanBest(all[i].Runs)[reference-1]); ok {
			row = append(row, fmt.Sprintf("%.1f", n), fmt.Sprintf("%.1f", n/float64(s.Workers)))
		} else {
			row = append(row, fmt.Sprintf("> %d", end), fmt.Sprintf("> %.1f", float64(end)/float64(s.Workers)))
		}
		rows = append(rows, row)
	}
	return rows
}

// areaRows returns the table that compares runs with workers killed to those
// without.
func areaRows(all []sample, optimum float64) [][]string {
	rows := [][]string{{"method", "workers", "killed", "undisturbed", "ratio of the means"}}
	for i, s := range all {
		if s.Kills == 0 {
			continue
		}
		area := func(r *harness.Run) float64 { return stat.Mean(r.Curve(), nil) - optimum }
		calm, disturbed := harness.Each(all[i-1].Runs, area), harness.Each(s.Runs, area)
		ratio, se := ratioOfMeans(disturbed, calm)
		text := fmt.Sprintf("%.3f", ratio)
		if len(s.Runs) > 1 {
			text += fmt.Sprintf(" ± %.3f", se)
		}
		rows = append(rows, []string{s.Name, s.Team.String(), harness.MeanError(disturbed, 4), harness.MeanError(calm, 4), text})
	}
	return rows
}

// ratioOfMeans returns the ratio of the means of paired numbers, and its standard
// error to first order: that of the mean of x - ratio·y, over the mean of y.
func ratioOfMeans(xs, ys []float64) (ratio, se float64) {
	ratio = stat.Mean(xs, nil) / stat.Mean(ys, nil)
	rest := slices.Clone(xs)
	floats.AddScaled(rest, -ratio, ys)
	return ratio, harness.StdErr(rest) / stat.Mean(ys, nil)
}

// meanBest returns the mean of the best value so far after each trial. It is
// +Inf until every run has found something feasible.
func meanBest(runs []*harness.Run) []float64 {
	mean := make([]float64, len(runs[0].Values))
	for _, r := range runs {
		for i, best := range r.Curve() {
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
