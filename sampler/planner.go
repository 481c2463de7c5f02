package sampler

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// branchTrials is how many observations a combination of parameters needs
// before the model plans it, once the study as a whole is past its start-up.
const branchTrials = 4

// task is the planning of one trial: what it must decide and what it knows.
type task struct {
	*FMSampler
	study *goptuna.Study
	trial goptuna.FrozenTrial
	*history.History

	params []*space.Param // every parameter foreseen, those with one value too
	space  *space.Space
	fixed  map[string]float64 // values decided already
	known  bool               // the parameters were seen together before

	relevant []history.Trial   // finished trials with all parameters asked for
	observed []fmkernel.Point  // of these, the configurations with a value
	y        []float64         // their objective values, to be minimised
	xs       []fmkernel.Point  // of the observed, what the model learns from
	ys       []float64         // their objective values
	censored []fmkernel.Point  // configurations that gave no value
	pending  []fmkernel.Point  // configurations that other workers evaluate
	used     map[string]bool   // keys of all of them
	branches map[string]bool   // keys of those that went on to further parameters, not in used
	prints   map[string]string // fingerprints of the distributions
	rng      *rand.Rand
}

// plan makes the plan of a trial that has asked for the given distributions,
// and stores it.
func (s *FMSampler) plan(study *goptuna.Study, trial goptuna.FrozenTrial, asked map[string]any) (*plan, error) {
	h, err := s.history(study, trial)
	if err != nil {
		return nil, err
	}
	t := &task{
		FMSampler: s, study: study, trial: trial, History: h,
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
	p := &plan{Values: make(map[string]planned, len(t.params)), Fit: fit}
	for _, param := range t.space.Params() {
		value, fixed := t.fixed[param.Name]
		if !fixed {
			value = values[param.Name]
		}
		p.Values[param.Name] = planned{value, t.prints[param.Name]}
	}
	return p
}

// foresee finds the trials that have every parameter asked for, and takes the
// parameters that all complete ones share for those of this trial. Parameters never
// seen before stand alone.
func (t *task) foresee(asked map[string]any) error {
	var seen []string
	for name := range asked {
		if slices.ContainsFunc(t.Finished, func(f history.Trial) bool { return has(f, name) }) {
			seen = append(seen, name)
		}
	}
	distributions := map[string]any{}
	if len(seen) > 0 {
		for _, f := range t.Finished {
			if !slices.ContainsFunc(seen, func(name string) bool { return !has(f, name) }) {
				t.relevant = append(t.relevant, f)
			}
		}
	}
	if len(t.relevant) > 0 {
		// A trial that failed or was pruned may have ended before it asked for
		// all that others ask for.
		whole := slices.DeleteFunc(slices.Clone(t.relevant), func(f history.Trial) bool { return f.Censored })
		if len(whole) == 0 {
			whole = t.relevant
		}
		// The most recent trial has the distributions as they are now.
		distributions = maps.Clone(whole[len(whole)-1].Distributions)
		for _, f := range whole {
			maps.DeleteFunc(distributions, func(name string, _ any) bool { return !has(f, name) })
		}
		t.known = len(seen) == len(asked)
	}
	for name, distribution := range distributions {
		if _, ok := asked[name]; ok {
			continue
		}
		// A parameter that is no longer what it was may not fit the options:
		// that is an error when the trial asks for it.
		if param, err := space.NewParam(name, distribution, t.graphs[name]); err == nil {
			t.params = append(t.params, param)
		}
	}
	for name, distribution := range asked {
		param, err := space.NewParam(name, distribution, t.graphs[name])
		if err != nil {
			return err
		}
		t.params = append(t.params, param)
	}
	t.space = space.New(t.params)
	t.prints = make(map[string]string, len(t.params))
	for _, param := range t.space.Params() {
		t.prints[param.Name] = fingerprint(param.Distribution)
	}
	return nil
}

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

// encode turns trials into points of the space, and leaves out those that have
// none in it.
func (t *task) encode() {
	// Trials that went on to parameters which depend on these: their points are
	// no configurations yet, and may be chosen again.
	t.used, t.branches = map[string]bool{}, map[string]bool{}
	for _, f := range t.relevant {
		x, ok := t.space.Encode(space.Values{Internal: f.InternalParams, Distributions: f.Distributions})
		if !ok {
			continue
		}
		if key := t.space.Key(x); len(f.InternalParams) > len(t.params) {
			t.branches[key] = true
		} else {
			t.used[key] = true
		}
		if f.Censored {
			t.censored = append(t.censored, x)
		} else {
			t.observed = append(t.observed, x)
			t.y = append(t.y, f.Y)
		}
	}
	limit := t.runningLimit()
	for _, r := range t.Running {
		// To the start of this trial, not to now: a suggestion depends on the
		// storage alone.
		if t.trial.DatetimeStart.Sub(r.DatetimeStart) > limit {
			continue
		}
		if x, ok := t.planned(decodePlan(r.SystemAttrs)); ok {
			if key := t.space.Key(x); !t.branches[key] {
				t.used[key] = true
			}
			t.pending = append(t.pending, x)
		}
	}
}

// suggest returns values for the free parameters of the trial, from the model
// when there is enough to learn from and it can be fitted, and the fit.
func (t *task) suggest() (map[string]float64, *storedFit) {
	if len(t.fixed) == len(t.space.Params()) {
		return nil, nil
	}
	if t.Observations >= t.startupTrials && len(t.observed) >= min(t.startupTrials, branchTrials) {
		t.chooseBranch()
		if len(t.fixed) == len(t.space.Params()) {
			return nil, nil
		}
		x, fit, err := t.model()
		if err == nil {
			return t.space.Decode(x), fit
		}
		t.warn(t.study, "no model; the trial is drawn from the start-up sequence", err)
	}
	return t.startup(), nil
}

// dims returns the numbers of dimensions and of graphs.
func (t *task) dims() (d, p int) { return len(t.space.Dims()), len(t.space.Vertices()) }

// domain returns the space to search, given what is fixed and what is used.
func (t *task) domain() *acquisition.Domain {
	dims, vertices := t.space.Dims(), t.space.Vertices()
	dom := &acquisition.Domain{
		Fixed:  fmkernel.Point{C: make([]float64, len(dims)), V: make([]int, len(vertices))},
		FixedC: make([]bool, len(dims)),
		FixedV: make([]bool, len(vertices)),
		Excluded: func(x fmkernel.Point) bool {
			return t.used[t.space.Key(x)]
		},
		Vertices: make([][]int, len(vertices)),
	}
	for i, p := range dims {
		dom.Dims = append(dom.Dims, acquisition.Dim{Levels: p.Levels, Values: p.Positions})
		if value, ok := t.fixed[p.Name]; ok {
			dom.Fixed.C[i], dom.FixedC[i] = p.Encode(value)
		}
	}
	for i, p := range vertices {
		dom.Graphs = append(dom.Graphs, p.Graph)
		if value, ok := t.fixed[p.Name]; ok {
			v, _ := p.Encode(value)
			dom.Fixed.V[i], dom.FixedV[i] = int(v), true
		} else {
			dom.Vertices[i] = t.representatives(i, p)
		}
	}
	return dom
}
