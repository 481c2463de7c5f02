package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// method is a sampler to compare.
type method struct {
	name   string
	optuna string // its name in the protocol of peers.py, if it is one of Optuna's
	seeds  int    // runs at most; 0 means all that are asked for

	new func(seed int64) goptuna.Sampler // nil for Optuna's
}

var methods = []method{
	{name: "fm", new: func(seed int64) goptuna.Sampler { return fm.NewSampler(fm.SamplerOptionSeed(seed)) }},
	{name: "optuna-tpe", optuna: "tpe"},
	{name: "optuna-gp", optuna: "gp", seeds: 10},
	{name: "tpe", new: func(seed int64) goptuna.Sampler { return tpe.NewSampler(tpe.SamplerOptionSeed(seed)) }},
	{name: "random", new: func(seed int64) goptuna.Sampler { return problems.NewRandomSampler(seed) }},
}

func methodNames() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.name)
	}
	return names
}

// run is one study and what came out.
type run struct {
	problem string
	method  string
	seed    int64

	seconds float64   // spent in the sampler
	values  []float64 // objective value of each trial
	leaves  []string  // leaf of each trial; nil for a run that was read from a file
}

// runAll does every run of cfg that the file of runs does not have, and adds it
// to the file. The runs of a peer that is missing are left out.
func runAll(cfg config, log io.Writer) ([]*run, error) {
	known, err := openRuns(cfg.runsFile)
	if err != nil {
		return nil, err
	}
	defer known.Close()
	var runs []*run
	for _, p := range cfg.problems {
		for _, m := range methods {
			for i := range cfg.seeds {
				if m.seeds > 0 && i >= m.seeds || !cfg.wants(m.name) {
					continue
				}
				r := &run{problem: p.Name, method: m.name, seed: cfg.firstSeed + int64(i)}
				if known.find(r, cfg.trials) {
					runs = append(runs, r)
					continue
				}
				missing, err := r.do(cfg, m, p)
				if missing != "" {
					fmt.Fprintf(log, "%s is skipped: %s\n", m.name, missing)
					break
				}
				if err == nil {
					err = known.add(r)
				}
				if err != nil {
					return nil, fmt.Errorf("%s, %s, seed %d: %w", p.Name, m.name, r.seed, err)
				}
				fmt.Fprintf(log, "%s, %s, seed %d: best %.6g in %.1f s\n", p.Name, m.name, r.seed, r.best(len(r.values)), r.seconds)
				runs = append(runs, r)
			}
		}
	}
	return runs, nil
}

func (cfg config) wants(method string) bool { return slices.Contains(cfg.methods, method) }

// do runs the study. If the sampler cannot run, missing says why.
func (r *run) do(cfg config, m method, p *problems.Conditional) (missing string, err error) {
	var sampler goptuna.Sampler
	if m.new != nil {
		sampler = m.new(r.seed)
	} else {
		peer, missing, err := startOptuna(cfg.python, m.optuna, r.seed)
		if missing != "" || err != nil {
			return missing, err
		}
		defer peer.Close()
		sampler = peer
	}
	study, err := goptuna.CreateStudy(r.problem, goptuna.StudyOptionSampler(sampler), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return "", err
	}
	start := time.Now() // the objectives take no time
	if err := study.Optimize(p.Objective, cfg.trials); err != nil {
		return "", err
	}
	r.seconds = time.Since(start).Seconds()
	trials, err := study.GetTrials()
	if err != nil {
		return "", err
	}
	for _, trial := range trials {
		r.values = append(r.values, trial.Value)
		r.leaves = append(r.leaves, p.Leaf(trial))
	}
	return "", nil
}

// best returns the smallest value of the first n trials.
func (r *run) best(n int) float64 {
	best := math.Inf(1)
	for _, y := range r.values[:n] {
		best = min(best, y)
	}
	return best
}

// reach returns the number of trials after which the value is reached, +Inf if
// it is not.
func (r *run) reach(value float64) float64 {
	for i, y := range r.values {
		if y <= value {
			return float64(i + 1)
		}
	}
	return math.Inf(1)
}
