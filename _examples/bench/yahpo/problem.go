package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

const (
	// randomConfigs is the number of random configurations whose median regrets are divided by.
	randomConfigs = 1000
	// draws is how many times as many show what is best where no statistics do.
	draws = 20
)

// network predicts targets of a scenario.
type network struct {
	*scenario
	settings *settings
	workers  *bridge.Pool
	best     map[string]float64 // the best values known, by task and target; nil where they are drawn
}

// open starts the network of a scenario in a directory of YAHPO Gym's data.
func open(ctx context.Context, data string, s *scenario, python string, workers int) (*network, error) {
	n := &network{scenario: s}
	directory, err := filepath.Abs(filepath.Join(data, s.name))
	if err != nil {
		return nil, err
	}
	n.settings, err = readSettings(directory, func(name string) bool {
		_, fixed := s.fixed[name]
		return fixed || name == s.task
	})
	if err != nil {
		return nil, err
	}
	if !s.drawn {
		n.best, err = readBest(filepath.Join(data, "global_statistics", "instance_target_statistics.csv"), s.name)
		if err != nil {
			return nil, err
		}
	}
	config := bridge.Python(python, "objective.py", 1, files)
	config.Setup = map[string]any{"directory": directory, "model": s.model, "numbers": s.numbers, "categorical": s.categorical, "targets": s.targets}
	n.workers = bridge.NewPool(workers, config)
	if err := n.workers.Start(ctx, nil); err != nil {
		return nil, errors.Join(err, n.workers.Close())
	}
	return n, nil
}

// readBest reads the best values that were seen in half a million random draws.
func readBest(path, scenario string) (best map[string]float64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll() // metric, statistic, value, scenario, instance
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	best = map[string]float64{}
	for _, row := range rows {
		target, statistic := row[0], "max"
		if minimises(target) {
			statistic = "min"
		}
		if row[3] != scenario || row[1] != statistic {
			continue
		}
		if best[row[4]+" "+target], err = strconv.ParseFloat(row[2], 64); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return best, nil
}

// costs returns a target on a task, to be minimised; NaN where there is no prediction.
func (n *network) costs(ctx context.Context, task, target string, configs ...map[string]any) ([]float64, error) {
	var complete []map[string]any
	for _, config := range configs {
		c := maps.Clone(config)
		maps.Copy(c, n.fixed)
		c[n.task] = task
		complete = append(complete, c)
	}
	var values []*float64
	if err := n.workers.Call(ctx, map[string]any{"configs": complete, "target": target}, &values); err != nil {
		return nil, err
	}
	ys := make([]float64, len(values))
	for i, value := range values {
		switch {
		case value == nil:
			ys[i] = math.NaN()
		case minimises(target):
			ys[i] = *value
		default:
			ys[i] = -*value
		}
	}
	return ys, nil
}

// problem returns a target on a task as a problem whose values are regrets: the distance
// from the best value known, as a share of that of the median of random settings.
func (n *network) problem(ctx context.Context, task, target string) (*harness.Problem, error) {
	p, err := n.costProblem(ctx, task, target)
	if err != nil {
		return nil, err
	}
	cost, regret := p.Objective, p.Plain
	p.Plain = nil
	p.Objective = func(trial goptuna.Trial) (float64, error) {
		y, err := cost(trial)
		return regret(y), err
	}
	return p, nil
}

// costProblem returns the same problem, whose values are those of the target, to be minimised.
func (n *network) costProblem(ctx context.Context, task, target string) (*harness.Problem, error) {
	best, median, err := n.scale(ctx, task, target)
	if err != nil {
		return nil, err
	}
	return &harness.Problem{
		Name:  fmt.Sprintf("%s-%s-%s", n.name, task, target),
		Space: n.settings.params, Conditions: n.settings.conditions,
		Objective: func(trial goptuna.Trial) (float64, error) {
			config, err := n.settings.suggest(&trial)
			if err != nil {
				return 0, err
			}
			ys, err := n.costs(ctx, task, target, config)
			if err != nil {
				return 0, err
			}
			return ys[0], nil
		},
		Plain: func(y float64) float64 { return (y - best) / (median - best) },
	}, nil
}

// scale returns the best cost known, and the median of random settings.
func (n *network) scale(ctx context.Context, task, target string) (best, median float64, err error) {
	best, ok := n.best[task+" "+target]
	if !ok && !n.drawn {
		return 0, 0, fmt.Errorf("%s: no best value of %s on task %s", n.name, target, task)
	}
	if !minimises(target) {
		best = -best
	}
	ys, err := n.random(ctx, task, target, 0)
	if err != nil {
		return 0, 0, err
	}
	median = ys[len(ys)/2]
	if !n.drawn {
		return best, median, nil
	}
	best = ys[0]
	for seed := int64(1); seed < draws; seed++ {
		if ys, err = n.random(ctx, task, target, seed); err != nil {
			return 0, 0, err
		}
		best = min(best, ys[0])
	}
	return best, median, nil
}

// random returns the costs of randomConfigs random settings that have one, from the least.
func (n *network) random(ctx context.Context, task, target string, seed int64) ([]float64, error) {
	study, err := goptuna.CreateStudy("random", goptuna.StudyOptionSampler(problems.NewRandomSampler(seed)), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return nil, err
	}
	var configs []map[string]any
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		config, err := n.settings.suggest(&trial)
		configs = append(configs, config)
		return 0, err
	}, randomConfigs)
	if err != nil {
		return nil, err
	}
	ys, err := n.costs(ctx, task, target, configs...)
	if err != nil {
		return nil, err
	}
	if ys = slices.DeleteFunc(ys, math.IsNaN); len(ys) == 0 {
		return nil, fmt.Errorf("%s: no prediction of %s on task %s", n.name, target, task)
	}
	slices.Sort(ys)
	return ys, nil
}
