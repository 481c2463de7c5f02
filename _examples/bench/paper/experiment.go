package main

import (
	"cmp"
	"context"
	"io"
	"math"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/objectives"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// experiment is a table of the paper.
type experiment struct {
	name, title   string
	methods       string  // default of -method
	seeds, trials int     // defaults
	budget        int     // evaluations of a run in the paper
	optimum       float64 // NaN if it is not known
	designs       string  // name in the file of the paper's start points
	digits        int     // behind the decimal point in tables
	paper         map[string]published

	// open returns the problem, and what it needs and is to be closed. It is nil
	// for regression.
	open func(ctx context.Context, cfg config) (*harness.Problem, io.Closer, error)
}

// published is a number of the paper: mean and standard error of its runs.
type published struct{ mean, sem float64 }

var experiments = []*experiment{
	function("func2c", problems.Func2C(), paperFunc2C),
	function("func3c", problems.Func3C(), paperFunc3C),
	function("ackley5c", problems.Ackley5C(), paperAckley5C),
	{
		name: "svm", title: "NuSVR on Boston housing", methods: "kernels,baselines,peers", seeds: 5, trials: 200, budget: 100, optimum: math.NaN(),
		designs: "SVMBoston", digits: 4, paper: paperSVM, open: openSVM,
	},
	{
		name: "xgboost", title: "XGBoost on Fashion-MNIST", methods: "kernels,baselines,peers", seeds: 3, trials: 100, budget: 100, optimum: math.NaN(),
		designs: "XGBFashionMNIST", digits: 4, paper: paperXGBoost, open: openXGBoost,
	},
	{
		name: "nas", title: "Architecture and SGD on Fashion-MNIST", methods: "modlap,re", seeds: 2, trials: 100, budget: 200, optimum: math.NaN(),
		digits: 5, paper: paperNAS, open: openNAS,
	},
	{name: "regression", title: "Regression", methods: "kernels", seeds: 20, trials: 1},
}

// function is an experiment on a test function.
func function(name string, f *problems.Problem, paper map[string]published) *experiment {
	return &experiment{
		name: name, title: f.Name, methods: "kernels,baselines,peers", seeds: 20, trials: 200, budget: 100, optimum: f.Optimum,
		designs: f.Name, digits: 4, paper: paper,
		open: func(context.Context, config) (*harness.Problem, io.Closer, error) {
			return harness.Function(f), io.NopCloser(nil), nil
		},
	}
}

// The experiments whose objectives are in Python: one process per run at once.

func openSVM(ctx context.Context, cfg config) (*harness.Problem, io.Closer, error) {
	return objectives.SVM(ctx, cfg.workers())
}

func openXGBoost(ctx context.Context, cfg config) (*harness.Problem, io.Closer, error) {
	settings := objectives.ReducedXGBoost
	if cfg.full {
		settings = objectives.PaperXGBoost
	}
	settings.Images = cmp.Or(cfg.images, settings.Images)
	return objectives.XGBoost(ctx, cfg.workers(), settings)
}

// openNAS returns the problem of the logarithm, which the paper's model sees.
func openNAS(ctx context.Context, cfg config) (*harness.Problem, io.Closer, error) {
	settings := objectives.ReducedNAS
	if cfg.full {
		settings = objectives.PaperNAS
	}
	settings.Train = cmp.Or(cfg.images, settings.Train)
	settings.Valid = cmp.Or(cfg.images, settings.Valid)
	settings.Epochs = cmp.Or(cfg.epochs, settings.Epochs)
	p, workers, err := objectives.NAS(ctx, cfg.workers(), settings)
	if err != nil {
		return nil, nil, err
	}
	objective := p.Objective
	p.Plain = math.Exp
	p.Objective = func(trial goptuna.Trial) (float64, error) {
		value, err := objective(trial)
		return math.Log(value), err
	}
	return p, workers, nil
}

func (cfg config) workers() objectives.Options {
	return objectives.Options{Python: cfg.python, Data: cfg.data, Workers: cfg.Jobs}
}
