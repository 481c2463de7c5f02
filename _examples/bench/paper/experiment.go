package main

import (
	"context"
	"math"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// experiment is a table of the paper.
type experiment struct {
	name, title   string
	methods       string // default of -method
	seeds, trials int    // defaults
	budget        int    // evaluations of a run in the paper
	optimum       float64
	logModel      bool   // methods see the logarithm of the objective
	designs       string // name in the file of the paper's start points
	digits        int    // behind the decimal point in tables
	paper         map[string]published

	// open returns the problem; close ends what it needs. It is nil for
	// regression.
	open func(ctx context.Context, cfg config) (p *problem.Problem, close func() error, err error)
}

// published is a number of the paper: mean and standard error of its runs.
type published struct{ mean, sem float64 }

var experiments = []*experiment{
	function("func2c", problems.Func2C(), paperFunc2C),
	function("func3c", problems.Func3C(), paperFunc3C),
	function("ackley5c", problems.Ackley5C(), paperAckley5C),
	{
		name: "svm", title: "NuSVR on Boston housing", methods: "kernels,baselines,peers", seeds: 5, trials: 200, budget: 100,
		optimum: math.NaN(), designs: "SVMBoston", digits: 4, paper: paperSVM, open: openSVM,
	},
	{
		name: "xgboost", title: "XGBoost on Fashion-MNIST", methods: "kernels,baselines,peers", seeds: 3, trials: 100, budget: 100,
		optimum: math.NaN(), designs: "XGBFashionMNIST", digits: 4, paper: paperXGBoost, open: openXGBoost,
	},
	{
		name: "nas", title: "Architecture and SGD on Fashion-MNIST", methods: "modlap,re", seeds: 2, trials: 100, budget: 200,
		optimum: math.NaN(), logModel: true, digits: 5, paper: paperNAS, open: openNAS,
	},
	{name: "regression", title: "Regression", methods: "kernels", seeds: 20, trials: 1},
}

// function is an experiment on a test function.
func function(name string, f *problems.Problem, paper map[string]published) *experiment {
	return &experiment{
		name: name, title: f.Name, methods: "kernels,baselines,peers", seeds: 20, trials: 200, budget: 100,
		optimum: f.Optimum, designs: f.Name, digits: 4, paper: paper,
		open: func(context.Context, config) (*problem.Problem, func() error, error) {
			return problem.Function(f), func() error { return nil }, nil
		},
	}
}
