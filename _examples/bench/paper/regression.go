package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/regression"
)

// dataSet is one of the paper's UCI sets, in the files of -data.
type dataSet struct {
	name, title string
	nll, rmse   map[string]published // by method
}

// fitted is the score of a kernel on a split.
type fitted struct {
	data, method string
	fit          regression.Fit
	split        int
	regression.Score
}

// key tells fits apart.
func (f fitted) key() string { return fmt.Sprintf("%s %s %s %d", f.data, f.method, f.fit, f.split) }

// compareRegression scores the kernels on the splits of the three data sets.
func compareRegression(ctx context.Context, cfg config, out, log io.Writer) error {
	path := filepath.Join(cfg.out, "regression.csv")
	for _, m := range cfg.methods {
		if m.kernel == nil {
			return fmt.Errorf("%s is no kernel: regression compares kernels", m.name)
		}
	}
	sets := map[string]*regression.Data{}
	for _, d := range cfg.sets {
		dir := filepath.Join(cfg.data, "uci")
		var err error
		if sets[d.name], err = regression.Read(dir, d.name); err != nil {
			return fmt.Errorf("regression needs the UCI sets %s.csv and their splits: %w; see README.md and name their directory by -data", d.name, err)
		}
	}
	table, err := openFits(path)
	if err != nil {
		return err
	}
	defer table.file.Close()
	var todo []fitted
	for _, d := range cfg.sets {
		for i := range cfg.seeds {
			for _, m := range cfg.methods {
				if f := (fitted{data: d.name, method: m.name, fit: cfg.fit, split: cfg.firstSeed + i}); !table.has(f) {
					todo = append(todo, f)
				}
			}
		}
	}
	// What costs least comes first.
	slices.SortStableFunc(todo, func(a, b fitted) int { return len(sets[a.data].Y) - len(sets[b.data].Y) })
	bar := newBar(log, len(todo), "regression", "fits")
	err = each(ctx, cfg.jobs, todo, func(_ context.Context, f fitted) error {
		split, err := sets[f.data].Split(f.split)
		if err != nil {
			return err
		}
		m, err := methodsByName(f.method)
		if err != nil {
			return err
		}
		if f.Score, err = regression.Evaluate(m[0].kernel, f.fit, split, f.split); err != nil {
			return fmt.Errorf("%s: %w", f.key(), err)
		}
		bar.Add(1)
		return table.add(f)
	})
	bar.Finish()
	if err != nil {
		return err
	}
	var text strings.Builder
	writeRegression(&text, cfg, table.fits)
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(cfg.out, "regression.md"), []byte(text.String()), 0o666)
}

// fitTable is the file of all fits, which grows by a line per fit.
type fitTable struct {
	mu   sync.Mutex
	file *os.File
	fits []fitted
	keys map[string]bool
}

var fitHeader = []string{"data", "kernel", "fit", "split", "rmse", "nll", "nll_with_noise"}

func openFits(path string) (*fitTable, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	t := &fitTable{file: file, keys: map[string]bool{}}
	records, err := csv.NewReader(file).ReadAll()
	if err == nil && len(records) == 0 {
		return t, t.write(fitHeader)
	}
	for _, r := range records[min(1, len(records)):] {
		f := fitted{data: r[0], method: r[1], fit: regression.Fit(r[2])}
		var errs [4]error
		f.split, errs[0] = strconv.Atoi(r[3])
		f.RMSE, errs[1] = strconv.ParseFloat(r[4], 64)
		f.NLL, errs[2] = strconv.ParseFloat(r[5], 64)
		f.NLLWithNoise, errs[3] = strconv.ParseFloat(r[6], 64)
		err = errors.Join(err, errors.Join(errs[:]...))
		t.fits, t.keys[f.key()] = append(t.fits, f), true
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return t, nil
}

func (t *fitTable) has(f fitted) bool { return t.keys[f.key()] }

func (t *fitTable) add(f fitted) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fits, t.keys[f.key()] = append(t.fits, f), true
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
	return t.write([]string{f.data, f.method, string(f.fit), strconv.Itoa(f.split), number(f.RMSE), number(f.NLL), number(f.NLLWithNoise)})
}

func (t *fitTable) write(record []string) error {
	w := csv.NewWriter(t.file)
	if err := w.Write(record); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// writeRegression writes one table per fit and score, as the paper does.
func writeRegression(out io.Writer, cfg config, fits []fitted) {
	fmt.Fprintf(out, "# Regression\n\nLast start: `%s`, %d cores, GOMAXPROCS=%d.\n", cfg.command, runtime.NumCPU(), runtime.GOMAXPROCS(0))
	fmt.Fprintf(out, "Mean and standard error over the splits (the population standard deviation over the square root of their number, as in the paper), in units of the standardised target; smaller is better.\n")
	for _, fit := range []regression.Fit{regression.ReferenceFit, regression.DefaultFit} {
		var some []fitted
		for _, f := range fits {
			if f.fit == fit {
				some = append(some, f)
			}
		}
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n## %s\n", fitTitles[fit])
		for _, s := range scores {
			fmt.Fprintf(out, "\n### %s\n\n", s.title)
			printMarkdown(out, scoreTable(s, some))
		}
	}
}

var fitTitles = map[regression.Fit]string{
	regression.ReferenceFit: "Fitted with the priors and starts of the authors' program",
	regression.DefaultFit:   "Fitted with the priors of this module's sampler",
}

// scoreKind is one of the scores of a fit.
type scoreKind struct {
	title string
	of    func(fitted) float64
	paper func(dataSet) map[string]published // nil where the paper has none
}

var scores = []scoreKind{
	{"RMSE", func(f fitted) float64 { return f.RMSE }, func(d dataSet) map[string]published { return d.rmse }},
	{"NLL with the variance of the latent function, as in the paper", func(f fitted) float64 { return f.NLL }, func(d dataSet) map[string]published { return d.nll }},
	{"NLL with the variance of the noise included (not in the paper)", func(f fitted) float64 { return f.NLLWithNoise }, nil},
}

// scoreTable returns a row per kernel, a column per data set, and the paper's
// numbers beside them.
func scoreTable(s scoreKind, fits []fitted) [][]string {
	header := []string{"kernel"}
	for _, d := range dataSets {
		header = append(header, d.title)
		if s.paper != nil {
			header = append(header, "paper")
		}
	}
	table := [][]string{append(header, "splits")}
	for _, m := range methods {
		if m.group != groupKernels {
			continue
		}
		line, splits := []string{m.title}, []string{}
		for _, d := range dataSets {
			var xs []float64
			for _, f := range fits {
				if f.data == d.name && f.method == m.name {
					xs = append(xs, s.of(f))
				}
			}
			cell := ""
			if len(xs) > 0 {
				mean, sd := stat.PopMeanStdDev(xs, nil)
				cell = fmt.Sprintf("%.4f ± %.4f", mean, stat.StdErr(sd, float64(len(xs))))
			}
			line, splits = append(line, cell), append(splits, strconv.Itoa(len(xs)))
			if s.paper != nil {
				q := s.paper(d)[m.name]
				line = append(line, fmt.Sprintf("%.4f ± %.4f", q.mean, q.sem))
			}
		}
		table = append(table, append(line, strings.Join(splits, ", ")))
	}
	return table
}
