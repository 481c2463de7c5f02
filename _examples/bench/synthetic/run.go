package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// run is one study: a problem, a method, a team of workers, and a seed, and what
// came out, in the order in which the trials ended.
type run struct {
	harness.Run
	team
	problem *problems.Problem
	method  *harness.Method
	flaky   float64 // share of the trials that fail at random
	noise   float64 // standard deviation of the noise on values

	time    float64   // simulated time of the last end
	suggest []float64 // seconds spent in the sampler by each trial
}

// team is a number of workers, and of those of them that are killed and replaced.
type team struct{ workers, kills int }

func (t team) String() string {
	if t.kills == 0 {
		return strconv.Itoa(t.workers)
	}
	return fmt.Sprintf("%d (%d killed)", t.workers, t.kills)
}

// teams returns the teams that are compared.
func (cfg config) teams() []team {
	var teams []team
	for _, workers := range cfg.workers {
		teams = append(teams, team{workers, 0})
		if cfg.kills > 0 {
			teams = append(teams, team{workers, cfg.kills})
		}
	}
	return teams
}

// String tells runs apart.
func (r *run) String() string {
	return fmt.Sprintf("%s, %s, workers %s, seed %d", r.Problem, r.Method, r.team, r.Seed)
}

func newRun(cfg config, p *problems.Problem, m *harness.Method, t team, seed int64) *run {
	return &run{
		Run: harness.Run{Problem: p.Name, Method: m.Name, Seed: seed}, team: t,
		problem: p, method: m, flaky: cfg.flaky, noise: cfg.noise,
	}
}

// runAll does every run of cfg. The order lets methods and numbers of workers
// take turns, so that a slow minute of the machine hits all of them.
func runAll(ctx context.Context, cfg config, log io.Writer) ([]*run, error) {
	var runs []*run
	for i := range cfg.Seeds {
		for _, p := range cfg.problems {
			for _, m := range cfg.methods {
				for _, t := range cfg.teams() {
					runs = append(runs, newRun(cfg, p, m, t, cfg.FirstSeed+int64(i)))
				}
			}
		}
	}
	if cfg.csvFile != "" {
		if err := os.RemoveAll(cfg.csvFile); err != nil {
			return nil, err
		}
	}
	table, err := harness.OpenRecords(cfg.csvFile, "problem", "method", "workers", "killed", "seed", "trial", "value", "best", "suggest_seconds")
	if err != nil {
		return nil, err
	}
	defer table.Close()
	var mu sync.Mutex // keeps the trials of a run together
	progress := harness.NewProgress(log, len(runs), "runs")
	defer progress.Close()
	return runs, harness.Do(ctx, cfg.Jobs, runs, func(ctx context.Context, r *run) error {
		if err := r.do(ctx, cfg.Trials); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
		progress.Step()
		progress.Printf("%s: best %.6g, %.1f s in the sampler", r, r.Best(len(r.Values)), r.Seconds)
		mu.Lock()
		defer mu.Unlock()
		return r.write(table)
	})
}

// do runs the study.
func (r *run) do(ctx context.Context, trials int) error {
	instance, err := r.method.Open(ctx, harness.Setting{Problem: harness.Function(r.problem), Seed: r.Seed, Trials: trials})
	if err != nil {
		return err
	}
	study, err := goptuna.CreateStudy(
		r.String(),
		goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()),
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(instance),
	)
	if err != nil {
		return err
	}
	return r.simulate(ctx, study, trials)
}

// record appends the outcome of one trial: its value without noise, and with it.
func (r *run) record(value, told, seconds float64, err error) {
	if err != nil {
		value = math.NaN()
	}
	r.Values, r.Told = append(r.Values, value), append(r.Told, told)
	r.suggest = append(r.suggest, seconds)
	r.Seconds += seconds
}

// write adds all trials, counted from 1 as they ended. Runs come in the order in
// which they end, too.
func (r *run) write(table *harness.Records) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i, best := range r.Curve() {
		err := table.Add(map[string]string{
			"problem": r.Problem, "method": r.Method, "workers": strconv.Itoa(r.workers), "killed": strconv.Itoa(r.kills),
			"seed": strconv.FormatInt(r.Seed, 10), "trial": strconv.Itoa(i + 1),
			"value": number(r.Values[i]), "best": number(best), "suggest_seconds": number(r.suggest[i]),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
