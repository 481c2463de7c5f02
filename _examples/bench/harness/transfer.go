package harness

import (
	"context"
	"slices"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Transfer makes runs on problems of which related ones were tuned before: the same parameters
// for other data, or on another machine. Make is for a plan with these problems and Methods.
type Transfer struct {
	Problems []*Problem
	Related  func(p, other *Problem) bool
	Earlier  int // trials on each related problem
	Trials   int // of a run
}

// What a run knows of the trials on related problems, by the name of its method. Others know
// nothing of them.
const (
	knowsBest = "fm-best" // the best of each problem, which it tries first
	knowsAll  = "fm-all"  // these, and all: a parameter says which problem a trial was on
	knowsPool = "fm-pool" // all, as if they were on the same problem
)

// Methods are this module's sampler with what it knows of related problems.
func (t *Transfer) Methods() (methods []*Method) {
	for _, name := range []string{knowsBest, knowsAll, knowsPool} {
		methods = append(methods, FM(name, name))
	}
	return methods
}

// Make makes a run.
func (t *Transfer) Make(ctx context.Context, r *Run, sampler goptuna.Sampler) error {
	p := t.Problems[slices.IndexFunc(t.Problems, func(p *Problem) bool { return p.Name == r.Problem })]
	study, _, err := openStudy(nil, "", p.Name, sampler)
	if err != nil {
		return err
	}
	knows := slices.ContainsFunc(t.Methods(), func(m *Method) bool { return m.Name == r.Method })
	for _, other := range t.Problems {
		if !knows || other == p || !t.Related(p, other) {
			continue
		}
		if err := t.learn(ctx, r, study, other); err != nil {
			return err
		}
	}
	earlier, err := study.GetTrials()
	if err != nil {
		return err
	}
	run := job{Run: r, problem: p}
	if r.Method == knowsAll {
		run.problem = asking(p)
	}
	if err := run.optimize(ctx, study, &timed{Sampler: sampler}, t.Trials, func(int) {}); err != nil {
		return err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return err
	}
	known := map[int]bool{}
	for _, e := range earlier {
		known[e.ID] = e.State.IsFinished()
	}
	r.read(slices.DeleteFunc(trials, func(trial goptuna.FrozenTrial) bool { return known[trial.ID] }), p)
	return nil
}

// learn tunes another problem, and adds to the study what its run is to know of that.
func (t *Transfer) learn(ctx context.Context, r *Run, study *goptuna.Study, other *Problem) error {
	sampler := fm.NewSampler(slices.Concat(other.graphOptions(), []fm.SamplerOption{fm.SamplerOptionSeed(r.Seed)})...)
	before, _, err := openStudy(nil, "", other.Name, sampler)
	if err != nil {
		return err
	}
	earlier := job{Run: &Run{Seed: r.Seed}, problem: other}
	if err := earlier.optimize(ctx, before, &timed{Sampler: sampler}, t.Earlier, func(int) {}); err != nil {
		return err
	}
	if r.Method == knowsPool {
		return fm.CopyTrials(study, before)
	}
	if best, err := before.Storage.GetBestTrial(before.ID); err == nil { // unless all have failed
		if err := fm.EnqueueTrial(study, best.Params, best.Distributions); err != nil {
			return err
		}
	}
	if r.Method == knowsBest {
		return nil
	}
	return fm.CopyTrials(study, before, fm.CopyOptionChoice(subject, other.Name))
}

// subject is the parameter that says which problem a trial is on.
const subject = "problem"

// asking returns the problem whose trials ask for its name first.
func asking(p *Problem) *Problem {
	with := *p
	with.Objective = func(trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestCategorical(subject, []string{p.Name}); err != nil {
			return 0, err
		}
		return p.Objective(trial)
	}
	return &with
}
