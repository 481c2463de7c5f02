package sampler

import (
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// minObserved is how many observations the model of a space needs, once the study
// as a whole is past its start-up, the trials of others that are running included.
const minObserved = 4

// extend gives a parameter that the plan of the trial does not have a value. One
// that no trial with a value has asked for, of which nothing can be known, is drawn from
// the start-up sequence, and the rest of the plan stands. For any other the rest is
// planned again.
func (s *FMSampler) extend(study *goptuna.Study, trial goptuna.FrozenTrial, previous *plan.Plan, param *space.Param) (*plan.Plan, error) {
	m := s.memory.of(study)
	h, err := m.readHistory(study, trial)
	if err != nil {
		return nil, err
	}
	if previous.Fit != nil && len(previous.Values) > 0 && previous.Follows(trial) && !h.Has(param.Name) {
		next := previous.With(param, param.FromUnit(first(param.Name, s.fitting.Seed, trial.Number)))
		m.keepPlan(trial, next)
		return next, next.Store(study, trial.ID)
	}
	asked := maps.Clone(trial.Distributions)
	if asked == nil {
		asked = map[string]any{}
	}
	asked[param.Name] = param.Distribution
	return s.plan(study, trial, asked)
}

// plan makes the plan of a trial that has asked for the given distributions, and
// stores it.
func (s *FMSampler) plan(study *goptuna.Study, trial goptuna.FrozenTrial, asked map[string]any) (*plan.Plan, error) {
	m := s.memory.of(study)
	h, err := m.readHistory(study, trial)
	if err != nil {
		return nil, err
	}
	newParam := func(name string, distribution any, earlier ...any) (*space.Param, error) {
		return s.memory.param(s.graphs, name, distribution, earlier...)
	}
	problem, err := observe.Observe(h, trial, asked, observe.Settings{NewParam: newParam, RunningTimeout: s.runningTimeout})
	if err != nil {
		return nil, err
	}
	log := logger{study, m}
	log.unusable(problem)
	previous, _ := m.plan(trial)
	first := 0
	if previous != nil && len(previous.Values) > 0 {
		first = previous.Revision + 1
	}
	p, err := store(study, trial, h, problem, first, s.decider(problem, m, study, log))
	if err == nil {
		m.keepPlan(trial, p)
	}
	return p, err
}

// A decision is the values of all parameters that a trial is expected to ask for,
// and the fit behind them, nil where there is none.
type decision struct {
	values map[string]float64
	fit    *plan.Fit
}

// decider returns the function that decides a problem, or the same problem when
// other trials have claimed further configurations: the surrogate is fitted once.
func (s *FMSampler) decider(p *observe.Problem, m *studyMemory, study *goptuna.Study, log logger) func(*observe.Problem) decision {
	if len(p.Regions) == 1 && p.Regions[0].Decided() {
		values, _ := p.Regions[0].Take(nil)
		return func(*observe.Problem) decision { return decision{values: values} }
	}
	random := stream.Trial{Seed: s.fitting.Seed, Number: p.Number}
	fill := func(p *observe.Problem) decision {
		values, exhausted := startup(p, random)
		if exhausted {
			log.exhausted()
		}
		return decision{values: values}
	}
	// What others evaluate fills the space, too: many workers that all wait for
	// values would start up for as many trials more.
	wanted := s.startupTrials
	if wanted == 0 {
		wanted = startupTrials(p)
	}
	if p.StartedWithValue() < wanted || len(p.X) < min(wanted, minObserved) || allEqual(p.Y) {
		return fill
	}
	var model *surrogate.Surrogate
	unskilled := false
	err := guard(func() (err error) {
		if model, err = surrogate.Fit(p, s.fitting, &m.cache, log.warn); err == nil {
			unskilled = model.Skill() < 0
		}
		return err
	})
	if unskilled {
		log.info("the model predicts no better than the mean of the values so far", "until it does, trials fill the space as in the start-up")
	}
	reported := false
	return func(p *observe.Problem) decision {
		if unskilled {
			if values, exhausted := startup(p, random); !exhausted {
				return decision{values: values}
			}
		}
		var next proposal
		if err == nil {
			err = guard(func() error {
				next = propose(p, model, random)
				return nil
			})
		}
		if err != nil {
			log.warn("no model; the trial is drawn from the start-up sequence", err)
			return fill(p)
		}
		if next.exhausted {
			log.exhausted()
		}
		if s.attributes && model.IsNew && !reported {
			reported = true
			report(study, p, model, next, s.fitting.Seed, log)
		}
		return decision{p.Values(next.x), model.Fit}
	}
}

// allEqual reports whether the values say nothing: where a program reports the same
// of whatever fails or takes too long, start-up points may all have it. A model would
// expect most where it knows least, in the corners.
func allEqual(ys []float64) bool { return slices.Min(ys) == slices.Max(ys) }
