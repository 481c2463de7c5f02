package sampler

import (
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// minObserved is how many observations the model of a space needs, once the study as a whole
// is past its start-up, the trials of others that are running included. One of a constraint
// is an observation, too.
const minObserved = 4

// extend gives a parameter that the plan of the trial does not have a value. One
// that no trial with a value has asked for, of which nothing can be known, is drawn from
// the start-up sequence, and the rest of the plan stands. For any other the rest is
// planned again.
func (s *FMSampler) extend(study *goptuna.Study, trial goptuna.FrozenTrial, param *space.Param) (*plan.Plan, error) {
	m := s.memory.of(study)
	h, err := m.readHistory(study, trial)
	if err != nil {
		return nil, err
	}
	if previous := m.plan(trial); previous.Fit != nil && len(previous.Values) > 0 && previous.Follows(trial) && !h.Has(param.Name) {
		next := previous.With(param, param.FromUnit(firstCoordinate(param.Name, s.fitting.Seed, trial.Number)))
		if err := next.Store(study, trial.ID); err != nil {
			return nil, err
		}
		m.keepPlan(trial, next)
		return next, nil
	}
	return s.plan(study, trial, map[string]any{param.Name: param.Distribution})
}

// plan makes the plan of a trial that asks for the given distributions, beside those
// that it has, and stores it.
func (s *FMSampler) plan(study *goptuna.Study, trial goptuna.FrozenTrial, asked map[string]any) (*plan.Plan, error) {
	distributions := make(map[string]any, len(trial.Distributions)+len(asked))
	maps.Copy(distributions, trial.Distributions)
	maps.Copy(distributions, asked)
	trial.Distributions = space.Stored(distributions)
	if history.Shared(study) {
		trial.Distributions = space.InUTF8(trial.Distributions) // as the trials before have them
	}
	m := s.memory.of(study)
	h, err := m.readHistory(study, trial)
	if err != nil {
		return nil, err
	}
	problem, err := observe.Observe(h, trial, observe.Settings{NewParam: s.param, RunningTimeout: s.runningTimeout})
	if err != nil {
		return nil, err
	}
	log := logger{study, m.logged}
	log.unusable(problem, h)
	log.lost(problem)
	log.suspect(problem)
	log.valuesLeft(problem)
	log.limitEdits(h)
	log.editedNames(h)
	if !s.startsUp(problem) {
		log.unasked(h, s.graphs)
	}
	revision := 0
	if previous := m.plan(trial); len(previous.Values) > 0 {
		revision = previous.Revision + 1
	}
	p, err := store(study, h, problem, revision, s.planner(problem, &m.cache, log).suggest)
	if err == nil {
		m.keepPlan(trial, p)
	}
	return p, err
}

// A suggestion is the values of all parameters that a trial is expected to ask for,
// and the fit behind them, nil where there is none.
type suggestion struct {
	values map[string]float64
	fit    *plan.Fit
}

// planner suggests the values of a trial, and others where another trial has claimed these:
// the surrogate is fitted once.
type planner struct {
	*FMSampler
	log    logger
	random stream.Trial
	model  *surrogate.Surrogate // nil where there is none: trials fill the space
	// unskilled says that the model predicts values no better than the mean: until all is
	// tried, trials fill the space where they are probably feasible. Where draws hardly ever
	// are, the model finds such places all the same.
	unskilled bool
	reported  bool
}

func (s *FMSampler) planner(p *observe.Problem, cache *surrogate.Cache, log logger) *planner {
	pl := &planner{FMSampler: s, log: log, random: stream.Trial{Seed: s.fitting.Seed, Number: p.Number}}
	if isDecided(p) || s.startsUp(p) {
		return pl
	}
	if p.Infeasible {
		log.info("no trial is feasible yet", "trials look for one that violates its constraints least")
	}
	pl.guarded(func() (err error) {
		if pl.model, err = surrogate.Fit(p, s.fitting, cache, log.warn); err == nil {
			pl.unskilled = allEqual(p.Y) || pl.model.Skill() < 0
			log.outliers(pl.model.Fit.Outliers)
			log.alone(p, pl.model)
		}
		return err
	})
	if pl.unskilled {
		of := ""
		if names := p.NamesLeft(); len(names) > 0 { // the others may be predicted well
			of = fmt.Sprintf(" with the value of %q that is left", names)
		}
		log.info("the model predicts no better than the mean of the values so far"+of, "until it does, trials fill the space as in the start-up")
	}
	return pl
}

// isDecided reports whether nothing is left to be decided.
func isDecided(p *observe.Problem) bool { return len(p.Regions) == 1 && p.Regions[0].Decided() }

// startsUp reports whether there is not enough to learn from. What others evaluate fills
// the space, too: many workers that all wait for values would start up for as many
// trials more. Where hardly any trial is feasible, and the others have no value, a start-up
// that waited for values would not end: constraints are learned from all of them.
func (s *FMSampler) startsUp(p *observe.Problem) bool {
	wanted := s.startupTrials
	if wanted == 0 {
		wanted = defaultStartupTrials(p)
	}
	ruledOut := p.RuledOut()
	if p.StartedWithValue()+ruledOut < wanted || len(p.X)+ruledOut < min(wanted, minObserved) {
		return true
	}
	return allEqual(p.Y) && len(p.Constraints()) == 0
}

// suggest solves the problem that the planner was made for, or the same where other trials
// have claimed further configurations.
func (pl *planner) suggest(p *observe.Problem) suggestion {
	if isDecided(p) {
		values, _ := p.Regions[0].Take(nil)
		return suggestion{values: values}
	}
	if pl.model != nil {
		pl.guarded(func() (err error) {
			pl.model, err = pl.model.Beside(p)
			return err
		})
	}
	if pl.model == nil || pl.unskilled {
		feasible := newFailures(p).probability
		if pl.model != nil && !p.Infeasible { // which may know limits and failures, though no values
			valued, modelled := feasible, pl.model.Feasible()
			feasible = func(x fmkernel.Point) float64 { return min(valued(x), modelled(x)) }
		}
		fill := startup(p, pl.random, feasible)
		if pl.model == nil {
			if fill.exhausted {
				pl.log.exhausted(p)
			}
			return suggestion{values: fill.values}
		}
		if !fill.exhausted && fill.probability >= likelyFails {
			return suggestion{values: fill.values}
		}
	}
	var next proposal
	pl.guarded(func() error {
		next = propose(p, pl.model, pl.random)
		return nil
	})
	if pl.model == nil {
		return pl.suggest(p)
	}
	if next.exhausted {
		pl.log.exhausted(p)
	}
	if pl.attributes && pl.model.IsNew && !pl.reported && !p.Infeasible {
		pl.reported = true
		writeAttributes(p, pl.model, next, pl.fitting.Seed, pl.log)
	}
	return suggestion{p.Values(next.x), pl.model.Fit}
}

// guarded does without a model where f fails or panics.
func (pl *planner) guarded(f func() error) {
	if err := guard(f); err != nil {
		pl.model = nil
		pl.log.warn("no model; the trial is drawn from the start-up sequence", err)
	}
}

// allEqual reports whether the values say nothing: where a program reports the same
// of whatever fails or takes too long, start-up points may all have it. A model would
// expect most where it knows least, in the corners.
func allEqual(ys []float64) bool { return slices.Min(ys) == slices.Max(ys) }
