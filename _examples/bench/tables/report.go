package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
)

const (
	overGrids = "mean over the grids" // the name of a problem that is the mean of others
	expected  = "expected"            // the name of random search as it is in the mean
)

// report is what the tables and the pictures show. Values of its runs are
// normalised regrets of the best value so far: they fall, and are finite.
type report struct {
	config
	tables  []*lookup.Table
	methods []*harness.Method // that are shown; the first is the reference of the pictures
	runs    []*harness.Run    // and those of overGrids
	common  []string          // tables on which all methods have a run
	grids   []string          // of these, the grids
}

// newReport takes the runs as they were made.
func newReport(cfg config, tables []*lookup.Table, runs []*harness.Run) *report {
	r := &report{config: cfg, tables: tables}
	var problems, names []string
	for _, t := range tables {
		problems = append(problems, t.Name)
		for _, run := range harness.RunsOf(runs, t.Name, "") {
			r.runs = append(r.runs, curveOf(t, run, cfg.noise))
		}
	}
	for _, name := range cfg.shown() { // one that is not installed has no runs
		if len(harness.RunsOf(runs, "", name)) > 0 {
			names = append(names, name)
			r.methods = append(r.methods, &harness.Method{Name: name, Title: name})
		}
	}
	r.common = harness.Common(problems, names, r.runs)
	for _, t := range tables {
		if t.Grid() {
			if !cfg.tree && cfg.idle == 0 && cfg.noise == 0 { // a cell is not as likely as another there, comes again, or looks worse
				r.runs = append(r.runs, expectedRun(t, cfg.Trials))
			}
			if slices.Contains(r.common, t.Name) {
				r.grids = append(r.grids, t.Name)
			}
		}
	}
	if len(r.grids) > 1 {
		r.runs = append(r.runs, harness.MeanRuns(overGrids, r.grids, r.runs)...)
	}
	return r
}

// samples returns the runs on a problem by method, random search in the mean last.
func (r *report) samples(problem string) []harness.Sample {
	return harness.Samples(append(slices.Clone(r.methods), &harness.Method{Name: expected, Title: expected}), problem, r.runs)
}

func (r *report) marks() []int { return harness.Marks(r.Trials, 10, 20, 30, 50, 100) }

// print prints the tables.
func (r *report) print(out io.Writer) {
	for _, t := range r.tables {
		kind := "a sample, looked up by the nearest row"
		if t.Grid() {
			kind = fmt.Sprintf("a grid of %d cells", t.Cells())
		}
		fmt.Fprintf(out, "\n%s: %d parameters, %s\n\n", t.Name, len(t.Params), kind)
		harness.Print(out, r.regretRows(t.Name))
	}
	if len(r.grids) > 1 {
		fmt.Fprintf(out, "\n%s, %d of them\n\n", overGrids, len(r.grids))
		harness.Print(out, r.regretRows(overGrids))
	}
	r.printRanks(out)
	if r.pair != nil {
		fmt.Fprintf(out, "\nDifference %s - %s, paired by seed; negative where %s is better\n\n", r.pair[0], r.pair[1], r.pair[0])
		harness.Print(out, r.pairRows())
	}
}

// regretRows has a line for each method.
func (r *report) regretRows(problem string) [][]string {
	columns := append([]harness.Column{harness.Title("method"), harness.Count("runs")}, harness.BestAt(r.marks(), 0, 4)...)
	columns = append(columns, harness.Column{Title: "failed", Cell: func(s harness.Sample) string {
		return fmt.Sprintf("%.1f%%", 100*stat.Mean(harness.Each(s.Runs, func(r *harness.Run) float64 { return r.Numbers["failed"] }), nil))
	}}, harness.Seconds("s/trial"))
	return harness.Rows(r.samples(problem), columns...)
}

// printRanks prints the mean rank of each method at each mark, by its mean over
// the seeds on each table.
func (r *report) printRanks(out io.Writer) {
	k, n := len(r.methods), len(r.common)
	if k < 2 || n == 0 {
		return
	}
	fmt.Fprintf(out, "\nMean rank over %d tables; critical difference %.2f (5 %%, Nemenyi), p is Friedman's\n\n", n, harness.CriticalDifference(k, n))
	rows := [][]string{{"method"}}
	for _, m := range r.methods {
		rows = append(rows, []string{m.Name})
	}
	rows = append(rows, []string{"p"})
	for _, mark := range r.marks() {
		ranks := harness.MeanRanks(r.scores(mark))
		rows[0] = append(rows[0], fmt.Sprintf("n=%d", mark))
		for j, rank := range ranks {
			rows[j+1] = append(rows[j+1], fmt.Sprintf("%.2f", rank))
		}
		rows[k+1] = append(rows[k+1], fmt.Sprintf("%.2g", harness.Friedman(ranks, n)))
	}
	harness.Print(out, rows)
}

// scores returns the mean regret of each method on each table that all have,
// rounded: whether two methods tie must not depend on the order of sums.
func (r *report) scores(mark int) [][]float64 {
	var scores [][]float64
	for _, problem := range r.common {
		var row []float64
		for _, s := range harness.Samples(r.methods, problem, r.runs) {
			mean := stat.Mean(harness.Each(s.Runs, func(r *harness.Run) float64 { return r.Best(mark) }), nil)
			row = append(row, math.Round(mean*1e7)/1e7)
		}
		scores = append(scores, row)
	}
	return scores
}

// pairRows has a line for each table, and one for the mean over the grids.
func (r *report) pairRows() [][]string {
	rows := [][]string{{"table", "seeds"}}
	for _, mark := range r.marks() {
		rows[0] = append(rows[0], fmt.Sprintf("n=%d", mark))
	}
	var problems []string
	for _, t := range r.tables {
		problems = append(problems, t.Name)
	}
	for _, problem := range append(problems, overGrids) {
		a, b := harness.RunsOf(r.runs, problem, r.pair[0]), harness.RunsOf(r.runs, problem, r.pair[1])
		row := []string{problem, ""}
		for _, mark := range r.marks() {
			differences := harness.Differences(a, b, func(r *harness.Run) float64 { return r.Best(mark) })
			row[1] = fmt.Sprint(len(differences))
			row = append(row, harness.MeanError(differences, 4))
		}
		if row[1] != "0" {
			rows = append(rows, row)
		}
	}
	return rows
}

// draw saves a picture for each table, and one of the mean over the grids.
func (r *report) draw(dir string) error {
	for _, t := range r.tables {
		if err := r.picture(t.Name, t.Name).Save(filepath.Join(dir, t.Name+".png")); err != nil {
			return err
		}
	}
	if len(r.grids) < 2 {
		return nil
	}
	return r.picture(overGrids, fmt.Sprintf("Mean over %d tables", len(r.grids))).Save(filepath.Join(dir, "summary.png"))
}

func (r *report) picture(problem, title string) *harness.Picture {
	p := &harness.Picture{Title: title, XLabel: "trials", YLabel: "normalised regret (lower is better)", LogY: true, Floor: 1e-4}
	for _, s := range r.samples(problem) {
		line := harness.Regret(s, 0)
		if s.Name == "fm" {
			line.Title = "goptuna-fm (ModLap)"
		}
		switch s.Name {
		case expected: // a single run has no band
			line.Title, line.Low, line.High = "random, expected", nil, nil
		case r.methods[0].Name:
			line.Reference = true
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}
