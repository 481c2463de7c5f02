package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// row is a row of the tables: a method by a team, which is a method to a plan.
type row struct {
	harness.Team
	method *harness.Method
	plan   harness.Method
}

// runAll does every run of cfg.
func runAll(ctx context.Context, cfg config, log io.Writer) (rows []*row, runs []*harness.Run, err error) {
	if cfg.csvFile != "" {
		if err := os.WriteFile(cfg.csvFile, nil, 0o666); err != nil {
			return nil, nil, err
		}
	}
	table, err := harness.OpenRecords(cfg.csvFile, "problem", "method", "workers", "killed", "seed", "trial", "value", "best", "suggest_seconds")
	if err != nil {
		return nil, nil, err
	}
	defer table.Close()
	plan := harness.Plan{Budget: cfg.Budget, Python: cfg.python, Log: log}
	functions, byName := map[string]*problems.Problem{}, map[string]*row{}
	for _, p := range cfg.problems {
		functions[p.Name] = p
		plan.Problems = append(plan.Problems, harness.Function(p))
	}
	for _, m := range cfg.methods {
		for _, t := range cfg.teams {
			r := &row{t, m, *m}
			r.plan.Name = fmt.Sprintf("%s, workers %s", m.Name, t)
			rows, plan.Methods, byName[r.plan.Name] = append(rows, r), append(plan.Methods, &r.plan), r
		}
	}
	plan.Make = func(ctx context.Context, r *harness.Run, sampler goptuna.Sampler) error {
		row := byName[r.Method]
		s := &simulation{Run: r, Team: row.Team, disturbance: cfg.disturbance, problem: functions[r.Problem]}
		if err := s.do(ctx, sampler, cfg.Trials); err != nil {
			return err
		}
		return write(table, r, row)
	}
	runs, _, err = plan.Run(ctx)
	return rows, runs, err
}

// write adds all trials of a run, counted from 1 as they ended.
func write(table *harness.Records, r *harness.Run, row *row) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i, best := range r.Curve() {
		err := table.Add(map[string]string{
			"problem": r.Problem, "method": row.method.Name, "workers": strconv.Itoa(row.Workers), "killed": strconv.Itoa(row.Kills),
			"seed": strconv.FormatInt(r.Seed, 10), "trial": strconv.Itoa(i + 1),
			"value": number(r.Values[i]), "best": number(best), "suggest_seconds": number(r.Suggest[i]),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
