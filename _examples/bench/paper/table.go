package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
)

// report writes everything that the output directory's studies say: a table in
// Markdown, which is printed too, a CSV file and pictures.
func report(cfg config, p *problem.Problem, skipped []*method, out io.Writer) error {
	rows, err := collect(cfg)
	if err != nil {
		return err
	}
	base := filepath.Join(cfg.out, cfg.experiment.name)
	var text strings.Builder
	writeTable(&text, cfg, p, rows, skipped)
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(base+".md", []byte(text.String()), 0o666),
		writeImprovements(base+".csv", rows),
		writePlots(base, cfg.experiment, rows),
	)
}

// checkpoints returns the numbers of trials that the table shows: the usual
// ones, and the end.
func checkpoints(end int) []int {
	var ns []int
	for _, n := range []int{50, 100, 200} {
		if n < end {
			ns = append(ns, n)
		}
	}
	return append(ns, end)
}

// writeTable writes the table of an experiment.
func writeTable(out io.Writer, cfg config, p *problem.Problem, rows []row, skipped []*method) {
	e := cfg.experiment
	end := longest(rows)
	fmt.Fprintf(out, "# %s\n\n", e.title)
	fmt.Fprintf(out, "Last start: `%s`, %d cores, GOMAXPROCS=%d.", cfg.command, runtime.NumCPU(), runtime.GOMAXPROCS(0))
	if p.Settings != "" {
		fmt.Fprintf(out, " Settings: %s.", p.Settings)
	}
	fmt.Fprintf(out, "\nBest value so far, mean ± standard error over the runs; smaller is better")
	if !math.IsNaN(e.optimum) {
		fmt.Fprintf(out, ", the optimum is %.*f", e.digits, e.optimum)
	}
	fmt.Fprintf(out, ". The paper has %d evaluations.\n\n", e.budget)

	withStarts := false
	for _, r := range rows {
		withStarts = withStarts || len(r.runs[startsPaper]) > 0
	}
	header := []string{"method", fmt.Sprintf("paper, n=%d", e.budget), "runs"}
	for _, n := range checkpoints(end) {
		header = append(header, fmt.Sprintf("n=%d", n))
	}
	if withStarts {
		header = append(header, "runs from the paper's starts")
		for _, n := range checkpoints(end) {
			if n >= e.budget {
				header = append(header, fmt.Sprintf("n=%d", n))
			}
		}
	}
	header = append(header, "failed trials", "s/suggestion")
	table := [][]string{header}
	for _, r := range rows {
		line := []string{r.method.title, "", strconv.Itoa(len(r.runs[startsRandom]))}
		if q, ok := e.paper[r.method.name]; ok {
			line[1] = fmt.Sprintf("%.*f ± %.*f", e.digits, q.mean, e.digits, q.sem)
		}
		for _, n := range checkpoints(end) {
			line = append(line, meanAndError(r.best(startsRandom, n), len(r.runs[startsRandom]), e.digits))
		}
		if withStarts {
			line = append(line, strconv.Itoa(len(r.runs[startsPaper])))
			for _, n := range checkpoints(end) {
				if n >= e.budget {
					line = append(line, meanAndError(r.best(startsPaper, n), len(r.runs[startsPaper]), e.digits))
				}
			}
		}
		line = append(line, strconv.Itoa(r.failed()), fmt.Sprintf("%.2g", r.seconds()))
		table = append(table, line)
	}
	printMarkdown(out, table)
	for _, m := range skipped {
		fmt.Fprintf(out, "\n%s was skipped: it is not installed.\n", m.title)
	}
	var absent []string
	for _, m := range methods {
		if q, ok := e.paper[m.name]; ok && !hasRow(rows, m) {
			absent = append(absent, fmt.Sprintf("%s (%.*f ± %.*f in the paper)", m.title, e.digits, q.mean, e.digits, q.sem))
		}
	}
	if len(absent) > 0 {
		fmt.Fprintf(out, "\nNot run: %s.\n", strings.Join(absent, ", "))
	}
}

func hasRow(rows []row, m *method) bool {
	for _, r := range rows {
		if r.method == m {
			return true
		}
	}
	return false
}

func printMarkdown(out io.Writer, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(out, "|%s\n", strings.Repeat("---|", len(row)))
		}
	}
}

// meanAndError prints the mean and its standard error, and how many of the runs
// they are of, if not all.
func meanAndError(xs []float64, runs, digits int) string {
	if len(xs) == 0 {
		return ""
	}
	mean, sem := meanError(xs)
	text := fmt.Sprintf("%.*f", digits, mean)
	if len(xs) > 1 {
		text += fmt.Sprintf(" ± %.*f", digits, sem)
	}
	if len(xs) < runs {
		text += fmt.Sprintf(" (%d)", len(xs))
	}
	return text
}

// meanError returns the mean and its standard error, 0 for a single number.
func meanError(xs []float64) (mean, sem float64) {
	if len(xs) == 1 {
		return xs[0], 0
	}
	mean, sd := stat.MeanStdDev(xs, nil)
	return mean, sd / math.Sqrt(float64(len(xs)))
}

// writeImprovements writes the trials that were better than all before them, and
// the last one, of every run: what the tables and pictures are made of. The
// studies have all trials.
func writeImprovements(path string, rows []row) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := csv.NewWriter(file)
	if err := w.Write([]string{"method", "starts", "run", "trial", "best"}); err != nil {
		return err
	}
	for _, r := range rows {
		for _, starts := range []string{startsRandom, startsPaper} {
			for run, outcomes := range r.runs[starts] {
				best := math.Inf(1)
				for i, o := range outcomes {
					better := o.value < best
					if better {
						best = o.value
					}
					if better || i == len(outcomes)-1 {
						err := w.Write([]string{r.method.name, starts, strconv.Itoa(run), strconv.Itoa(i + 1), strconv.FormatFloat(best, 'g', 8, 64)})
						if err != nil {
							return err
						}
					}
				}
			}
		}
	}
	w.Flush()
	return errors.Join(w.Error(), file.Close())
}
