package main

import (
	"context"
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

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
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

// key returns what no other fit has.
func (f fitted) key() string { return fmt.Sprintf("%s %s %s %d", f.data, f.method, f.fit, f.split) }

// compareRegression scores the kernels on the splits of the three data sets.
func compareRegression(ctx context.Context, cfg config, out, log io.Writer) error {
	path := filepath.Join(cfg.out, "regression.csv")
	for _, m := range cfg.methods {
		if harness.Kernels[m.Name] == nil {
			return fmt.Errorf("%s is no kernel: regression compares kernels", m.Name)
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
	table, err := harness.OpenRecords(path, "data", "kernel", "fit", "split", "rmse", "nll", "nll_with_noise")
	if err != nil {
		return err
	}
	defer table.Close()
	fits, err := readFits(table)
	if err != nil {
		return err
	}
	todo := cfg.missing(fits)
	// What costs least comes first.
	slices.SortStableFunc(todo, func(a, b fitted) int { return len(sets[a.data].Y) - len(sets[b.data].Y) })
	progress := harness.NewProgress(log, len(todo), "fits")
	defer progress.Close()
	var mu sync.Mutex
	err = harness.Do(ctx, cfg.Jobs, todo, func(_ context.Context, f fitted) error {
		split, err := sets[f.data].Split(f.split)
		if err != nil {
			return err
		}
		if f.Score, err = regression.Evaluate(harness.Kernels[f.method], f.fit, split, f.split); err != nil {
			return fmt.Errorf("%s: %w", f.key(), err)
		}
		progress.Step(1)
		mu.Lock()
		defer mu.Unlock()
		fits = append(fits, f)
		return table.Add(f.record())
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	writeRegression(&text, cfg, fits)
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(cfg.out, "regression.md"), []byte(text.String()), 0o666)
}

// missing returns what is to be fitted and is not among the fits.
func (cfg config) missing(fits []fitted) (todo []fitted) {
	for _, d := range cfg.sets {
		for _, seed := range cfg.SeedNumbers() {
			for _, m := range cfg.methods {
				f := fitted{data: d.name, method: m.Name, fit: cfg.fit, split: int(seed)}
				if !slices.ContainsFunc(fits, func(g fitted) bool { return f.key() == g.key() }) {
					todo = append(todo, f)
				}
			}
		}
	}
	return todo
}

// readFits returns the fits of the file, which grows by a line per fit.
func readFits(table *harness.Records) (fits []fitted, err error) {
	numbers := []string{"split", "rmse", "nll", "nll_with_noise"}
	err = table.Scan(append(numbers, "data", "kernel", "fit"), func(record map[string]string) error {
		xs, err := harness.Floats(record, numbers...)
		fits = append(fits, fitted{
			data: record["data"], method: record["kernel"], fit: regression.Fit(record["fit"]), split: int(xs[0]),
			Score: regression.Score{RMSE: xs[1], NLL: xs[2], NLLWithNoise: xs[3]},
		})
		return err
	})
	return fits, err
}

// record is the line of a fit.
func (f fitted) record() map[string]string {
	return map[string]string{
		"data": f.data, "kernel": f.method, "fit": string(f.fit), "split": strconv.Itoa(f.split),
		"rmse": harness.Text(f.RMSE), "nll": harness.Text(f.NLL), "nll_with_noise": harness.Text(f.NLLWithNoise),
	}
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
			fmt.Fprint(out, harness.Markdown(scoreTable(s, some)))
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
		if m.Group != groupKernels {
			continue
		}
		line, splits := []string{m.Title}, []string{}
		for _, d := range dataSets {
			var xs []float64
			for _, f := range fits {
				if f.data == d.name && f.method == m.Name {
					xs = append(xs, s.of(f))
				}
			}
			cell := ""
			if len(xs) > 0 {
				mean, sd := stat.PopMeanStdDev(xs, nil)
				cell = published{mean, stat.StdErr(sd, float64(len(xs)))}.text(4)
			}
			line, splits = append(line, cell), append(splits, strconv.Itoa(len(xs)))
			if s.paper != nil {
				line = append(line, s.paper(d)[m.Name].text(4))
			}
		}
		table = append(table, append(line, strings.Join(splits, ", ")))
	}
	return table
}
