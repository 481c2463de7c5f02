package main

import (
	"context"
	"errors"

	"github.com/goptuna-fm/goptuna-fm/_examples/paper/problem"
)

func openSVM(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	return nil, nil, errors.New("todo")
}

func openXGBoost(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	return nil, nil, errors.New("todo")
}

func openNAS(ctx context.Context, cfg config) (*problem.Problem, func() error, error) {
	return nil, nil, errors.New("todo")
}
