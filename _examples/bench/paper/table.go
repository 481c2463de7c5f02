package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

// report writes everything that the output directory's studies say: a table in
// Markdown, which is printed too, a CSV file and pictures.
func report(cfg config, p *harness.Problem, rows []row, skipped []*harness.Method, out io.Writer) error {
	base := filepath.Join(cfg.out, cfg.experiment.name)
	var text strings.Builder
	writeTable(&text, cfg, p, rows, skipped)
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(base+".md", []byte(text.String()), 0o666),
		harness.WriteCSV(base+".csv", improvements(rows)),
		writePictures(base, p, rows),
	)
}

// samples returns the rows' runs from their own starts, from the paper's, or
// both.
func samples(rows []row, starts ...string) []harness.Sample {
	var all []harness.Sample
	for _, r := range rows {
		s := harness.Sample{Name: r.Name, Title: r.Title}
		for _, name := range starts {
			s.Runs = append(s.Runs, r.runs[name]...)
		}
		all = append(all, s)
	}
	return all
}

// writeTable writes the table of an experiment.
func writeTable(out io.Writer, cfg config, p *harness.Problem, rows []row, skipped []*harness.Method) {
	e := cfg.experiment
	fmt.Fprintf(out, "# %s\n\n", e.title)
	fmt.Fprintf(out, "Last start: `%s`, %d cores, GOMAXPROCS=%d.", cfg.command, runtime.NumCPU(), runtime.GOMAXPROCS(0))
	if p.Settings != "" {
		fmt.Fprintf(out, " Settings: %s.", p.Settings)
	}
	fmt.Fprintf(out, "\nBest value so far, mean ± standard error over the runs; smaller is better")
	if !math.IsNaN(p.Optimum) {
		fmt.Fprintf(out, ", the optimum is %.*f", e.digits, p.Optimum)
	}
	fmt.Fprintf(out, ". The paper has %d evaluations.\n\n", e.budget)
	fmt.Fprint(out, harness.Markdown(e.table(rows)))
	for _, m := range skipped {
		fmt.Fprintf(out, "\n%s was skipped: it is not installed.\n", m.Title)
	}
	var absent []string
	for _, m := range methods {
		run := slices.ContainsFunc(rows, func(r row) bool { return r.Method == m })
		if q, ok := e.paper[m.Name]; ok && !run {
			absent = append(absent, fmt.Sprintf("%s (%s in the paper)", m.Title, q.text(e.digits)))
		}
	}
	if len(absent) > 0 {
		fmt.Fprintf(out, "\nNot run: %s.\n", strings.Join(absent, ", "))
	}
}

// table returns the rows, with columns for runs from the paper's starts if there
// are any.
func (e *experiment) table(rows []row) [][]string {
	all, own, paper := samples(rows, allStarts...), samples(rows, startsRandom), samples(rows, startsPaper)
	marks := harness.Marks(harness.Longest(all), 50, 100, 200)
	tables := [][][]string{harness.Rows(own, append([]harness.Column{
		harness.Title("method"),
		{Title: fmt.Sprintf("paper, n=%d", e.budget), Cell: func(s harness.Sample) string {
			if q, ok := e.paper[s.Name]; ok {
				return q.text(e.digits)
			}
			return ""
		}},
		harness.Count("runs"),
	}, harness.BestAt(marks, 0, e.digits)...)...)}
	if harness.Longest(paper) > 0 {
		late := slices.DeleteFunc(marks, func(n int) bool { return n < e.budget })
		tables = append(tables, harness.Rows(paper, append([]harness.Column{harness.Count("runs from the paper's starts")},
			harness.BestAt(late, 0, e.digits)...)...))
	}
	tables = append(tables, harness.Rows(all, harness.Column{Title: "failed trials", Cell: failed}, harness.Seconds("s/suggestion")))
	return harness.Join(tables...)
}

func failed(s harness.Sample) string {
	failed := 0
	for _, r := range s.Runs {
		failed += r.Failed()
	}
	return strconv.Itoa(failed)
}

func (q published) text(digits int) string {
	return fmt.Sprintf("%.*f ± %.*f", digits, q.mean, digits, q.sem)
}

// improvements returns the trials that were better than all before them, and
// the last one, of every run: what the tables and pictures are made of. The
// studies have all trials.
func improvements(rows []row) [][]string {
	table := [][]string{{"method", "starts", "run", "trial", "best"}}
	for _, r := range rows {
		for _, starts := range allStarts {
			for i, run := range r.runs[starts] {
				before := math.Inf(1)
				for n, best := range run.Curve() {
					if best < before || n == len(run.Values)-1 {
						table = append(table, []string{r.Name, starts, strconv.Itoa(i), strconv.Itoa(n + 1), harness.Text(best)})
					}
					before = best
				}
			}
		}
	}
	return table
}

// writePictures draws the kernels and variants in one picture, the reference with
// the baselines in a second, and with the peers in a third. There is none where
// there is nothing to compare.
func writePictures(base string, p *harness.Problem, rows []row) error {
	lines := map[string][]harness.Line{}
	zero, known := p.Optimum, !math.IsNaN(p.Optimum)
	if !known {
		zero = 0
	}
	var first []harness.Line // the reference
	for i, s := range samples(rows, startsRandom) {
		if len(s.Runs) == 0 {
			continue
		}
		line := harness.Regret(s, zero)
		if isKernel(rows[i].Method) {
			line.Title = "goptuna-fm (" + s.Title + ")"
		}
		line.Reference = s.Name == reference
		if line.Reference {
			first = []harness.Line{line}
		}
		suffix := pictureOf(rows[i].Method)
		lines[suffix] = append(lines[suffix], line)
	}
	var errs []error
	for suffix, lines := range lines {
		if suffix != pictureKernels {
			lines = append(first, lines...)
		}
		if len(lines) < 2 {
			continue
		}
		picture := harness.Picture{
			Title: p.Name, XLabel: "trials", YLabel: "best value so far (lower is better)", Skip: 10, Lines: lines,
		}
		if known {
			// Closer than the floor, a search has found the optimum.
			picture.YLabel = "best value so far - optimum (lower is better)"
			picture.LogY, picture.Floor = true, 1e-5
		}
		errs = append(errs, picture.Save(base+"-"+suffix+".png"))
	}
	return errors.Join(errs...)
}

// pictureKernels is the end of the name of the picture that has the reference
// among others of its kind.
const pictureKernels = "kernels"

// pictureOf returns the end of the name of the picture that a method is in.
func pictureOf(m *harness.Method) string {
	switch {
	case isKernel(m):
		return pictureKernels
	case m.Group == peers.Group:
		return "peers"
	}
	return "methods"
}
