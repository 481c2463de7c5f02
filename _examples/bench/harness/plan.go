package harness

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/c-bata/goptuna"
)

// Plan is what is to be run: each method on each problem with each seed.
type Plan struct {
	Budget
	Problems []*Problem
	Methods  []*Method
	Python   string // interpreter of peers; "" means python3

	// ProblemsOf returns the problems of a seed, where each has its own; nil means
	// Problems.
	ProblemsOf func(seed int64) ([]*Problem, error)

	// Store has finished runs, and gets those that are made. Keep says of which
	// methods; nil means all. The others are always run.
	Store *Store
	Keep  func(*Method) bool

	// File returns the path of the file of a run, which Open opens. Its trials are
	// there as they end: a run that was interrupted goes on. nil keeps runs in
	// memory.
	File func(p *Problem, m *Method, seed int64) string
	Open Opener

	// Make makes a run that is not one trial after the other in a study; nil means
	// that all are. It sets the values.
	Make func(ctx context.Context, r *Run, sampler goptuna.Sampler) error

	// Prepare is called with a study that has no trials; nil does nothing.
	Prepare func(study *goptuna.Study, p *Problem, seed int64) error

	Log io.Writer // of the progress
}

// job is a run of a plan, with the trials that are known.
type job struct {
	*Run
	problem *Problem
	method  *Method
	file    string // "" means memory
}

// Run returns the runs of the plan, seed by seed, and the methods that are left
// out because they are not installed.
func (p *Plan) Run(ctx context.Context) (runs []*Run, skipped []*Method, err error) {
	jobs, err := p.jobs()
	if err != nil {
		return nil, nil, err
	}
	if skipped, err = p.missing(ctx, jobs); err != nil {
		return nil, nil, err
	}
	var todo []*job
	for _, j := range jobs {
		switch {
		case p.rest(j) == 0:
			runs = append(runs, j.Run)
		case !slices.Contains(skipped, j.method):
			runs, todo = append(runs, j.Run), append(todo, j)
		}
	}
	return runs, skipped, p.runAll(ctx, todo)
}

// jobs returns all runs of the plan. Seeds come first, so that the methods take
// turns, and a slow minute of the machine hits all of them.
func (p *Plan) jobs() (jobs []*job, err error) {
	for i, seed := range p.SeedNumbers() {
		problems := p.Problems
		if p.ProblemsOf != nil {
			if problems, err = p.ProblemsOf(seed); err != nil {
				return nil, err
			}
		}
		for _, problem := range problems {
			for _, m := range p.Methods {
				if m.Seeds > 0 && i >= m.Seeds {
					continue
				}
				j := &job{Run: &Run{Problem: problem.Name, Method: m.Name, Seed: seed}, problem: problem, method: m}
				if p.File != nil {
					j.file = p.File(problem, m, j.Seed)
					err = j.Run.load(p.Open, j.file, problem)
				} else if known := p.Store.Find(j.Problem, j.Method, j.Seed, p.Trials); known != nil && p.keeps(m) {
					j.Run = known
				}
				if err != nil {
					return nil, err
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// rest returns the number of trials that a run lacks.
func (p *Plan) rest(j *job) int { return max(0, p.Trials-len(j.Values)) }

func (p *Plan) setting(j *job) Setting {
	return Setting{Problem: j.problem, Seed: j.Seed, Trials: p.Trials, Python: p.Python, Stderr: p.Log}
}

func (p *Plan) keeps(m *Method) bool { return p.Keep == nil || p.Keep(m) }

// missing returns the methods of jobs to be done that are not installed, and logs
// how to get them.
func (p *Plan) missing(ctx context.Context, jobs []*job) (missing []*Method, err error) {
	var opened []*Method
	for _, j := range jobs {
		if p.rest(j) == 0 || slices.Contains(opened, j.method) {
			continue
		}
		opened = append(opened, j.method)
		switch _, ok, err := j.method.Installed(ctx, p.setting(j), p.Log); {
		case err != nil:
			return nil, err
		case !ok:
			missing = append(missing, j.method)
		}
	}
	return missing, nil
}

// runAll makes the runs, p.Jobs at once.
func (p *Plan) runAll(ctx context.Context, jobs []*job) error {
	trials := 0
	for _, j := range jobs {
		trials += p.rest(j)
	}
	progress := NewProgress(p.Log, trials, "trials")
	defer progress.Close()
	return Do(ctx, p.Jobs, jobs, func(ctx context.Context, j *job) error {
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
