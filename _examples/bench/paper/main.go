// Paper repeats the experiments of Oh, Gavves, Welling, Mixed Variable Bayesian
// Optimization with Frequency Modulated Kernels (UAI 2021), one table per
// subcommand, with the paper's numbers beside those found here:
//
//	go run ./_examples/bench/paper func2c
//
//	experiment   what is minimised                                     seeds x trials
//	func2c       test function, 2 continuous and 2 nominal parameters     20 x 200
//	func3c       the same with 3 nominal parameters                       20 x 200
//	ackley5c     test function, 1 continuous and 5 nominal parameters     20 x 200
//	svm          test error of NuSVR on Boston housing                     5 x 200
//	xgboost      test error of XGBoost on Fashion-MNIST                    3 x 100
//	nas          error and size of a convolutional network                 2 x 100
//	regression   how well the six kernels predict three data sets         20 splits
//
// Each run is a Goptuna study in an SQLite file of its own: a start that is
// interrupted can be repeated and goes on where it stopped, and finished runs are
// not repeated. Tables and pictures show all runs that the output directory has,
// also those of earlier starts with other methods.
//
//	go run ./_examples/bench/paper draw -out _examples/bench/paper/results
//
// draws the pictures again from the CSV files.
//
// Methods are the six kernels (modlap, moddif, prodlap, proddif, addlap, adddif),
// the baselines (random, tpe, re, cocabo-0.0, cocabo-0.5, cocabo-1.0) and other
// systems in Python (optuna-tpe, optuna-gp, smac, botorch, ax, hebo, bohb, hyperopt).
// Those that are not installed are named and skipped.
//
// The test functions need no data and no Python. The others say what they need.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/regression"
)

// config is what the command line says.
type config struct {
	harness.Budget
	experiment *experiment
	methods    []*harness.Method
	starts     string // random or paper
	data       string
	out        string
	python     string
	fit        regression.Fit
	sets       []dataSet
	images     int
	epochs     int
	full       bool
	command    string // the command line, for the results
}

func main() { harness.Main(run) }

// run does what the arguments say, prints the tables to out and progress to log.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	if len(args) > 0 && args[0] == "draw" {
		return redraw(ctx, args[1:], out, log)
	}
	cfg, err := parse(args, log)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.out, 0o777); err != nil {
		return err
	}
	if cfg.experiment.name == "regression" {
		return compareRegression(ctx, cfg, out, log)
	}
	return compare(ctx, cfg, out, log)
}

// parse reads the command line.
func parse(args []string, log io.Writer) (config, error) {
	var found *experiment
	var names []string
	for _, e := range experiments {
		names = append(names, e.name)
		if len(args) > 0 && strings.EqualFold(args[0], e.name) {
			found = e
		}
	}
	if found == nil {
		return config{}, fmt.Errorf("name an experiment first: %s; with -h after it, its flags are shown", strings.Join(names, ", "))
	}
	cfg := config{experiment: found, command: "go run ./_examples/bench/paper " + strings.Join(args, " ")}
	flags := flag.NewFlagSet("paper "+args[0], flag.ContinueOnError)
	flags.SetOutput(log)
	methodNames := flags.String("method", cfg.experiment.methods, "`names` of methods, separated by commas; kernels, baselines, peers and all are groups")
	cfg.Budget = harness.Budget{Seeds: cfg.experiment.seeds, Trials: cfg.experiment.trials, Jobs: runtime.NumCPU()}
	cfg.Budget.Flags(flags) // for regression, seeds are splits
	flags.StringVar(&cfg.starts, "starts", startsRandom, "paper: runs start with the paper's own 10 points, for seeds 0 to 4; random: each method starts as it likes")
	flags.StringVar(&cfg.data, "data", "data", "`directory` with the data, see README.md")
	flags.StringVar(&cfg.out, "out", "paper-out", "`directory` for studies, tables and pictures")
	flags.StringVar(&cfg.python, "python", "python3", "Python `interpreter` for svm, xgboost, nas and other systems")
	sets := flags.String("sets", "meta,servo,optical", "regression: `names` of data sets, separated by commas")
	fit := flags.String("fit", string(regression.ReferenceFit), "regression: reference, with the priors and starts of the authors' program, or default, with those of this module's sampler")
	flags.BoolVar(&cfg.full, "full", false, "xgboost, nas: the paper's whole data and training instead of the reduced ones")
	flags.IntVar(&cfg.images, "images", 0, "xgboost, nas: `number` of images, in nas to train on and as many to validate; 0 means the default")
	flags.IntVar(&cfg.epochs, "epochs", 0, "nas: `number` of epochs; 0 means the default")
	if err := cfg.Parse(flags, args[1:]); err != nil {
		return cfg, err
	}
	if !slices.Contains(allStarts, cfg.starts) {
		return cfg, fmt.Errorf("-starts is %s or %s, not %q", startsRandom, startsPaper, cfg.starts)
	}
	cfg.fit = regression.Fit(*fit)
	if cfg.fit != regression.ReferenceFit && cfg.fit != regression.DefaultFit {
		return cfg, fmt.Errorf("-fit is %s or %s, not %q", regression.ReferenceFit, regression.DefaultFit, *fit)
	}
	var err error
	if cfg.sets, err = harness.Select(*sets, dataSets, func(d dataSet) string { return d.name }); err != nil {
		return cfg, err
	}
	if cfg.methods, err = harness.SelectMethods(*methodNames, methods); err != nil {
		return cfg, err
	}
	cfg.out = filepath.Clean(cfg.out)
	return cfg, nil
}
