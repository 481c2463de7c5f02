package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/objectives"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
)

// The experiments whose objectives are in Python: one process per run at once.

func openSVM(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	return opened(objectives.SVM(ctx, workers(cfg)))("")
}

func openXGBoost(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	settings := objectives.ReducedXGBoost
	if cfg.full {
		settings = objectives.PaperXGBoost
	}
	settings.Images = cmp.Or(cfg.images, settings.Images)
	return opened(objectives.XGBoost(ctx, workers(cfg), settings))(fmt.Sprintf(
		"%d images of %[2]dx%[2]d pixels, %d rounds", settings.Images, settings.Side, settings.Rounds))
}

func openNAS(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	settings := objectives.ReducedNAS
	if cfg.full {
		settings = objectives.PaperNAS
	}
	settings.Train = cmp.Or(cfg.images, settings.Train)
	settings.Valid = cmp.Or(cfg.images, settings.Valid)
	settings.Epochs = cmp.Or(cfg.epochs, settings.Epochs)
	return opened(objectives.NAS(ctx, workers(cfg), settings))(fmt.Sprintf(
		"trained on %d and validated on %d images of %[3]dx%[3]d pixels, %d epochs, %d initialisations",
		settings.Train, settings.Valid, settings.Side, settings.Epochs, settings.Repeats))
}

func workers(cfg config) objectives.Options {
	return objectives.Options{Python: cfg.python, Data: cfg.data, Workers: cfg.jobs}
}

// opened returns the problem with its settings in words, and what closes it.
func opened(p *problem.Problem, closer io.Closer, err error) func(settings string) (*problem.Problem, func() error, error) {
	return func(settings string) (*problem.Problem, func() error, error) {
		if err != nil {
			return nil, nil, err
		}
		p.Settings = settings
		return p, closer.Close, nil
	}
}
