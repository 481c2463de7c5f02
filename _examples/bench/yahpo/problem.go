package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// randomConfigs is how many random configurations tell what is usual on a task.
const randomConfigs = 1000

// network predicts targets of a scenario.
type network struct {
	*scenario
	settings *settings
	workers  *bridge.Pool
	best     map[string]float64 // the best values known, by task and target
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
	if n.best, err = readBest(filepath.Join(data, "global_statistics", "instance_target_statistics.csv"), s.name); err != nil {
		return nil, err
	}
	config := bridge.Python(python, "objective.py", 1, files)
	config.Setup = map[string]any{"directory": directory, "numbers": s.numbers, "categorical": s.categorical, "targets": s.targets}
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

// costs returns a target on a task, to be minimised.
func (n *network) costs(ctx context.Context, task, target string, configs ...map[string]any) ([]float64, error) {
	var complete []map[string]any
	for _, config := range configs {
		c := maps.Clone(config)
		maps.Copy(c, n.fixed)
		c[n.task] = task
		complete = append(complete, c)
	}
	var ys []float64
	if err := n.workers.Call(ctx, map[string]any{"configs": complete, "target": target}, &ys); err != nil {
		return nil, err
	}
	if !minimises(target) {
		for i := range ys {
			ys[i] = -ys[i]
		}
	}
	return ys, nil
}

// problem returns a target on a task as a problem whose values are regrets: the distance
// from the best value known, as a share of that of the median of random settings.
func (n *network) problem(ctx context.Context, task, target string) (*harness.Problem, error) {
	best, ok := n.best[task+" "+target]
	if !ok {
		return nil, fmt.Errorf("%s: no best value of %s on task %s", n.name, target, task)
	}
	if !minimises(target) {
		best = -best
	}
	usual, err := n.usual(ctx, task, target)
	if err != nil {
		return nil, err
	}
	p := &harness.Problem{Name: fmt.Sprintf("%s-%s-%s", n.name, task, target)}
	if len(n.settings.conditions) == 0 {
		p.Space = n.settings.params
	}
	p.Objective = func(trial goptuna.Trial) (float64, error) {
		config, err := n.settings.suggest(&trial)
		if err != nil {
			return 0, err
		}
		ys, err := n.costs(ctx, task, target, config)
		if err != nil {
			return 0, err
		}
		return (ys[0] - best) / (usual - best), nil
	}
	return p, nil
}

// usual returns the median of random settings.
func (n *network) usual(ctx context.Context, task, target string) (float64, error) {
	study, err := goptuna.CreateStudy("random", goptuna.StudyOptionSampler(problems.NewRandomSampler(0)), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return 0, err
	}
	var configs []map[string]any
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		config, err := n.settings.suggest(&trial)
		configs = append(configs, config)
		return 0, err
	}, randomConfigs)
	if err != nil {
		return 0, err
	}
	ys, err := n.costs(ctx, task, target, configs...)
	if err != nil {
		return 0, err
	}
	slices.Sort(ys)
	return ys[len(ys)/2], nil
}
