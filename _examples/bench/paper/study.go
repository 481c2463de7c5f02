package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness/sqlite"
)

// compare runs the methods on the problem and writes tables and pictures.
func compare(ctx context.Context, cfg config, out, log io.Writer) error {
	p, workers, err := cfg.experiment.open(ctx, cfg)
	if err != nil {
		return err
	}
	p.Name = cfg.experiment.title
	plan := harness.Plan{
		Budget: cfg.Budget, Problems: []*harness.Problem{p}, Methods: cfg.methods, Python: cfg.python, Log: log,
		Open: sqlite.Open,
		File: func(_ *harness.Problem, m *harness.Method, seed int64) string {
			return cfg.studyPath(m, cfg.starts, strconv.FormatInt(seed, 10))
		},
	}
	if cfg.starts == startsPaper {
		plan.Prepare = func(study *goptuna.Study, p *harness.Problem, seed int64) error {
			return enqueueStarts(study, cfg, p, seed)
		}
	}
	_, skipped, err := plan.Run(ctx)
	if err := errors.Join(err, workers.Close()); err != nil {
		return err
	}
	rows, err := collect(cfg, p)
	if err != nil {
		return err
	}
	return report(cfg, p, rows, skipped, out)
}

// studyPath returns the path of a run's SQLite file. The seed may be a pattern.
func (cfg config) studyPath(m *harness.Method, starts, seed string) string {
	if starts == startsPaper {
		seed = "start" + seed
	}
	return filepath.Join(cfg.out, cfg.experiment.name, m.Name+"-"+seed+".db")
}

// row is what a table says about a method.
type row struct {
	*harness.Method
	runs map[string][]*harness.Run // by -starts, in order of the seeds
}

// collect returns the rows of all methods that the output directory has finished
// trials of, also those of earlier starts.
func collect(cfg config, p *harness.Problem) ([]row, error) {
	var rows []row
	for _, m := range methods {
		r := row{m, map[string][]*harness.Run{}}
		for _, starts := range allStarts {
			for _, seed := range cfg.seeds(m, starts) {
				run, err := harness.ReadStudy(sqlite.Open, cfg.studyPath(m, starts, strconv.Itoa(seed)), p)
				if err != nil {
					return nil, err
				}
				if len(run.Values) > 0 {
					run.Problem, run.Method, run.Seed = p.Name, m.Name, int64(seed)
					r.runs[starts] = append(r.runs[starts], run)
				}
			}
		}
		if len(r.runs) > 0 {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// seeds returns the seeds that the output directory has studies of, in order.
func (cfg config) seeds(m *harness.Method, starts string) []int {
	paths, _ := filepath.Glob(cfg.studyPath(m, starts, "[0-9]*")) // the pattern is well-formed
	before, after, _ := strings.Cut(cfg.studyPath(m, starts, "*"), "*")
	var seeds []int
	for _, path := range paths {
		if seed, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(path, before), after)); err == nil {
			seeds = append(seeds, seed)
		}
	}
	slices.Sort(seeds)
	return seeds
}
