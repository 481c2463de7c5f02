package sampler

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// minObserved is how many observations the model of a space needs, once the study
// as a whole is past its start-up, the trials of others that are running included.
const minObserved = 4

// task is the planning of one trial: what it must decide and what it knows.
type task struct {
	*FMSampler
	study *goptuna.Study
	trial goptuna.FrozenTrial
	*history.History

	space    *space.Space       // every parameter of the history, and those asked for
	asked    map[string]bool    // the parameters that the trial has asked for
	fixed    map[string]float64 // values decided already
	branches []branch           // what the trial may turn out to ask for

	observed []fmkernel.Point // configurations with a value
	y        []float64        // their objective values, to be minimised
	finals   []history.Trial  // their trials
	xs       []fmkernel.Point // of the observed, what the model learns from
	ys       []float64        // their objective values
	// transform takes objective values to targets.
	transform *history.Transform
	censored  []fmkernel.Point  // configurations that gave no value
	ended     []history.Trial   // their trials
	forecasts forecasts         // what is expected of some of them
	pending   []fmkernel.Point  // configurations that other workers evaluate
	used      map[string]bool   // keys of all of them
	prints    map[string]string // fingerprints of the distributions
	rng       *rand.Rand
	plans     map[int]*plan // by trial id: those that have been decoded
}

// planOf returns the plan stored with a trial of the history.
func (t *task) planOf(of history.Trial) *plan {
	p, ok := t.plans[of.ID]
	if !ok {
		p = decodePlan(of.SystemAttrs)
		t.plans[of.ID] = p
	}
	return p
}

// plan makes the plan of a trial that has asked for the given distributions,
// and stores it.
func (s *FMSampler) plan(study *goptuna.Study, trial goptuna.FrozenTrial, asked map[string]any) (*plan, error) {
	h, err := s.history(study, trial)
	if err != nil {
		return nil, err
	}
	t := &task{
		FMSampler: s, study: study, trial: trial, History: h, plans: map[int]*plan{},
		rng: rand.New(rand.NewPCG(s.seed, qmc.Mix(s.seed, uint64(trial.Number)))),
	}
	if err := t.foresee(asked); err != nil {
		return nil, err
	}
	t.fix()
	t.encode()

	for {
		p := t.decide()
		if err := storePlan(study, trial.ID, p); err != nil {
			return nil, err
		}
		if taken, err := t.taken(p); err != nil || !taken {
			return p, err
		}
	}
}

// decide makes the plan.
func (t *task) decide() *plan {
	values, fit := t.suggest()
	p := &plan{Values: make(map[string]planned, len(values)), Fit: fit}
	for name, value := range values {
		p.Values[name] = planned{value, t.prints[name]}
	}
	return p
}

// foresee sets the space: every parameter that a trial with a value has asked
// for, and those that this one asks for, with the distributions they had last.
// What some such trial did without is optional.
func (t *task) foresee(asked map[string]any) error {
	distributions := map[string][]any{} // the latest first
	t.asked = make(map[string]bool, len(asked))
	for name, d := range asked {
		t.asked[name] = true
		distributions[name] = []any{d}
	}
	for _, f := range slices.Backward(t.Finished) {
		if !t.isWhole(f) {
			continue
		}
		for name, d := range f.Distributions {
			if ds := distributions[name]; !slices.ContainsFunc(ds, func(e any) bool { return sameDistribution(d, e) }) {
				distributions[name] = append(ds, d)
			}
		}
	}
	flat := true
	ordered := t.ordered()
	var params []*space.Param
	for name, ds := range distributions {
		param, err := t.param(name, ds[0], ds[1:]...)
		if err == nil && ordered[name] && t.mayBeOrdered(param) {
			param, err = inOrder(param)
		}
		switch {
		case err == nil:
			params = append(params, param)
		case t.asked[name]:
			return err
		default:
			// A parameter that is no longer what it was may not fit the options:
			// that is an error when a trial asks for it.
		}
	}
	for _, f := range t.Finished {
		flat = flat && (!t.isWhole(f) || len(f.InternalParams) == len(distributions))
	}
	var groups []space.Group
	if !flat {
		groups = t.groups(params)
	}
	var err error
	if t.space, err = space.New(params, groups...); err != nil {
		return err
	}
	t.prints = make(map[string]string, len(params))
	for _, param := range params {
		t.prints[param.Name] = fingerprint(param.Distribution)
	}
	return nil
}

// sameDistribution reports whether two distributions are equal.
func sameDistribution(a, b any) bool {
	x, ok := a.(goptuna.CategoricalDistribution)
	if !ok {
		return a == b
	}
	y, ok := b.(goptuna.CategoricalDistribution)
	return ok && slices.Equal(x.Choices, y.Choices)
}

// isWhole reports whether a trial is taken to have asked for all that there is to
// ask: it has a value, or no trial has one.
func (t *task) isWhole(f history.Trial) bool { return !f.Censored || t.Observations == 0 }

func has(f history.Trial, name string) bool {
	_, ok := f.InternalParams[name]
	return ok
}

// fix collects the values that are decided: the answers this trial has had, and
// those that Goptuna will give it because the trial was enqueued with them.
func (t *task) fix() {
	enqueued := map[string]float64{}
	if text, ok := t.trial.SystemAttrs["fixed_params"]; ok {
		if err := json.Unmarshal([]byte(text), &enqueued); err != nil {
			t.warn(t.study, "cannot read the values of an enqueued trial", err)
		}
	}
	t.fixed = map[string]float64{}
	for _, param := range t.space.Params() {
		value, ok := t.trial.InternalParams[param.Name]
		if !ok {
			value, ok = enqueued[param.Name]
		}
		if ok && param.Contains(value) {
			if _, ok := param.Encode(value); ok {
				t.fixed[param.Name] = value
			}
		}
	}
}

// encode turns trials into points of the space, leaves out those that have none
// in it, and learns the branches.
func (t *task) encode() {
	t.used = map[string]bool{}
	var whole []fmkernel.Point
	var numbers []int
	var failed []history.Trial
	for _, f := range t.Finished {
		if !t.isWhole(f) {
			failed = append(failed, f)
			continue
		}
		x, bad := t.space.Encode(space.Values{Internal: f.InternalParams, Distributions: f.Distributions})
		if bad != nil {
			t.noteUnused(f, bad)
			continue
		}
		whole, numbers = append(whole, x), append(numbers, f.Number)
		t.used[t.space.Key(x)] = true
		if f.Censored {
			t.censored, t.ended = append(t.censored, x), append(t.ended, f)
		} else {
			t.observed = append(t.observed, x)
			t.y, t.finals = append(t.y, f.Y), append(t.finals, f)
		}
	}
	for _, b := range t.space.Branches(recent(whole), recent(numbers)) {
		t.branches = append(t.branches, branch{Branch: b})
	}
	for _, f := range failed {
		t.encodeFailed(f)
	}
	t.narrow()

	limit := t.runningLimit()
	for _, r := range t.Running {
		// To the start of this trial, not to now: a suggestion depends on the
		// storage alone.
		if t.trial.DatetimeStart.Sub(r.DatetimeStart) > limit {
			continue
		}
		if x, ok := t.planned(t.planOf(r)); ok {
			t.used[t.space.Key(x)] = true
			t.pending = append(t.pending, x)
		}
	}
}

// suggest returns values of the parameters that the trial is expected to ask
// for, from the model when there is enough to learn from and it can be fitted,
// and the fit.
func (t *task) suggest() (map[string]float64, *storedFit) {
	if len(t.branches) == 1 && !t.open(t.branches[0]) {
		return t.in(t.branches[0], nil), nil
	}
	// What others evaluate fills the space, too: many workers that all wait for
	// values would start up for as many trials more.
	if t.Observations+len(t.pending) >= t.startupTrials && len(t.observed) >= min(t.startupTrials, minObserved) {
		x, fit, err := t.model()
		if err == nil {
			return t.values(x), fit
		}
		t.warn(t.study, "no model; the trial is drawn from the start-up sequence", err)
	}
	return t.startup(), nil
}
