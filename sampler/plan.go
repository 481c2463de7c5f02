package sampler

import (
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
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
		next := previous.With(param, param.FromUnit(firstCoordinate(param.Name, s.fitting.Seed, trial.Number)))
		if err := next.Store(study, trial.ID); err != nil {
			return nil, err
		}
		m.keepPlan(trial, next)
		return next, nil
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
	if asked = space.Stored(asked); history.Shared(study) {
		asked = space.InUTF8(asked) // as the trials before have them
	}
	m := s.memory.of(study)
	h, err := m.readHistory(study, trial)
	if err != nil {
		return nil, err
	}
	problem, err := observe.Observe(h, trial, asked, observe.Settings{NewParam: s.param, RunningTimeout: s.runningTimeout})
	if err != nil {
		return nil, err
	}
	log := logger{study, m}
	log.unusable(problem)
	previous, _ := m.plan(trial)
	revision := 0
	if previous != nil && len(previous.Values) > 0 {
		revision = previous.Revision + 1
	}
	p, err := store(study, trial.ID, h, problem, revision, s.decider(problem, log).decide)
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

// decider decides the problem of a trial, and the same problem when other trials have
// claimed further configurations: the surrogate is fitted once.
type decider struct {
	*FMSampler
	log    logger
	random stream.Trial
	model  *surrogate.Surrogate // nil where there is none: trials fill the space
	// unskilled says that the model predicts no better than the mean: until all is
	// tried, trials fill the space as well.
	unskilled bool
	reported  bool
}

func (s *FMSampler) decider(p *observe.Problem, log logger) *decider {
	d := &decider{FMSampler: s, log: log, random: stream.Trial{Seed: s.fitting.Seed, Number: p.Number}}
	if isDecided(p) || s.startsUp(p) {
		return d
	}
	d.guarded(func() (err error) {
		if d.model, err = surrogate.Fit(p, s.fitting, &log.memory.cache, log.warn); err == nil {
			d.unskilled = d.model.Skill() < 0
			log.outliers(d.model.Fit.Outliers)
		}
		return err
	})
	if d.unskilled {
		log.info("the model predicts no better than the mean of the values so far", "until it does, trials fill the space as in the start-up")
	}
	return d
}

// isDecided reports whether nothing is left to be decided.
func isDecided(p *observe.Problem) bool { return len(p.Regions) == 1 && p.Regions[0].Decided() }

// startsUp reports whether there is not enough to learn from. What others evaluate fills
// the space, too: many workers that all wait for values would start up for as many
// trials more.
func (s *FMSampler) startsUp(p *observe.Problem) bool {
	wanted := s.startupTrials
	if wanted == 0 {
		wanted = defaultStartupTrials(p)
	}
	return p.StartedWithValue() < wanted || len(p.X) < min(wanted, minObserved) || allEqual(p.Y)
}

// decide decides the problem.
func (d *decider) decide(p *observe.Problem) decision {
	if isDecided(p) {
		values, _ := p.Regions[0].Take(nil)
		return decision{values: values}
	}
	if d.unskilled {
		if values, exhausted := startup(p, d.random); !exhausted {
			return decision{values: values}
		}
	}
	var next proposal
	if d.model != nil {
		d.guarded(func() error {
			next = propose(p, d.model, d.random)
			return nil
		})
	}
	if d.model == nil {
		return d.fill(p)
	}
	if next.exhausted {
		d.log.exhausted(p)
	}
	if d.attributes && d.model.IsNew && !d.reported {
		d.reported = true
		report(p, d.model, next, d.fitting.Seed, d.log)
	}
	return decision{p.Values(next.x), d.model.Fit}
}

// guarded does without a model where f fails or panics.
func (d *decider) guarded(f func() error) {
	if err := guard(f); err != nil {
		d.model, d.unskilled = nil, false
		d.log.warn("no model; the trial is drawn from the start-up sequence", err)
	}
}

// fill returns the next point of the start-up sequence.
func (d *decider) fill(p *observe.Problem) decision {
	values, exhausted := startup(p, d.random)
	if exhausted {
		d.log.exhausted(p)
	}
	return decision{values: values}
}

// allEqual reports whether the values say nothing: where a program reports the same
// of whatever fails or takes too long, start-up points may all have it. A model would
// expect most where it knows least, in the corners.
func allEqual(ys []float64) bool { return slices.Min(ys) == slices.Max(ys) }
