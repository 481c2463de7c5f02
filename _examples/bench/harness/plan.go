package harness

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
)

// Plan is what is to be run: each method on each problem with each seed.
type Plan struct {
	Budget
	Problems []*Problem
	Methods  []*Method
	Python   string // interpreter of peers; "" means python3

	// Store has finished runs, and gets those that are made. Keep says of which
	// methods; nil means all. The others are always run.
	Store *Store
	Keep  func(*Method) bool

	// File returns the path of the file of a run, which Open opens. Its trials are
	// there as they end: a run that was interrupted goes on. nil keeps runs in
	// memory.
	File func(p *Problem, m *Method, seed int64) string
	Open Opener

	// Prepare is called with a study that has no trials; nil does nothing.
	Prepare func(study *goptuna.Study, p *Problem, seed int64) error

	Log io.Writer // of the progress
}

// job is a run to be made.
type job struct {
	*Run
	problem *Problem
	method  *Method
	file    string // "" means memory
}

// Run returns the runs of the plan, seed by seed, and the methods that are
// skipped because they are not installed. Seeds come first so that the methods
// take turns, and a slow minute of the machine hits all of them.
func (p *Plan) Run(ctx context.Context) (runs []*Run, skipped []*Method, err error) {
	var jobs []*job
	missing := map[*Method]bool{} // whether a method that has something to do is not installed
	for i := range p.Seeds {
		for _, problem := range p.Problems {
			for _, m := range p.Methods {
				seed := p.FirstSeed + int64(i)
				if m.Seeds > 0 && i >= m.Seeds {
					continue
				}
				if p.keeps(m) {
					if known := p.Store.Find(problem.Name, m.Name, seed, p.Trials); known != nil {
						runs = append(runs, known)
						continue
					}
				}
				if _, known := missing[m]; !known {
					if missing[m], err = p.isMissing(ctx, m); err != nil {
						return nil, nil, err
					}
					if missing[m] {
						skipped = append(skipped, m)
					}
				}
				if missing[m] {
					continue
				}
				j := &job{Run: &Run{Problem: problem.Name, Method: m.Name, Seed: seed}, problem: problem, method: m}
				if p.File != nil {
					j.file = p.File(problem, m, seed)
				}
				runs, jobs = append(runs, j.Run), append(jobs, j)
			}
		}
	}
	return runs, skipped, p.runAll(ctx, jobs)
}

func (p *Plan) keeps(m *Method) bool { return p.Store != nil && (p.Keep == nil || p.Keep(m)) }

// isMissing tells whether a method is not installed, and logs how to get it.
func (p *Plan) isMissing(ctx context.Context, m *Method) (bool, error) {
	instance, err := m.Open(ctx, Setting{Problem: p.Problems[0], Trials: p.Trials, Python: p.Python, Stderr: p.Log})
	if missing := (*bridge.MissingError)(nil); errors.As(err, &missing) {
		fmt.Fprintf(p.Log, "%s is skipped: %v\n", m.Name, missing)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, instance.Close()
}

// runAll makes the runs, p.Jobs at once.
func (p *Plan) runAll(ctx context.Context, jobs []*job) error {
	trials := 0
	var todo []*job
	for _, j := range jobs {
		have := 0
		if j.file != "" {
			known, err := ReadStudy(p.Open, j.file, j.problem)
			if err != nil {
				return err
			}
			known.Problem, known.Method, known.Seed = j.Problem, j.Method, j.Seed
			*j.Run, have = *known, len(known.Values)
		}
		if have < p.Trials {
			trials += p.Trials - have
			todo = append(todo, j)
		}
	}
	progress := NewProgress(p.Log, trials, "trials")
	defer progress.Close()
	return Do(ctx, p.Jobs, todo, func(ctx context.Context, j *job) error {
		err := p.run(ctx, j, progress.Step)
		if err == nil && p.keeps(j.method) {
			err = p.Store.Add(j.Run)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", j, err)
		}
		progress.Printf("%s: best %.6g, %.1f s in the sampler", j, j.Best(len(j.Values)), j.Seconds)
		return nil
	})
}
