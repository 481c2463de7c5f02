package sampler

import (
	"maps"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// store stores the plan that is suggested for the problem of the trial that the history was
// read for, again until no other trial has the same configuration.
//
// Workers of a shared storage may be suggested the same at once, or nearly the same. Each stores
// its plan, looks at those of the others, settles on it and looks once more. The trial
// with the lower ID keeps its plan, unless the other one had settled when it
// looked first: then that one may not look again.
func store(study *goptuna.Study, h *history.History, alone *observe.Problem, revision int, suggest func(*observe.Problem) suggestion) (*plan.Plan, error) {
	for p := alone; ; revision++ {
		next := planOf(p, suggest(p), revision)
		if err := next.Store(study, h.Self); err != nil {
			return nil, err
		}
		x, ok := p.Planned(next)
		if !ok || !history.Shared(study) || p.Tried.Covers(x) || !knowsActivity(p, x) {
			return next, nil
		}
		others, claimed, err := lookAround(study, h, p, x, true)
		if err != nil {
			return nil, err
		}
		if !claimed {
			if err := next.Settle(study, h.Self); err != nil {
				return nil, err
			}
			if others, claimed, err = lookAround(study, h, p, x, false); err != nil {
				return nil, err
			}
		}
		if !claimed {
			return next, nil
		}
		p = alone.WithPlanned(others)
	}
}

// planOf returns the plan of a suggestion: each value in the form that the trial asks for.
func planOf(p *observe.Problem, s suggestion, revision int) *plan.Plan {
	next := &plan.Plan{Values: make(map[string]plan.Value, len(s.values)), Fit: s.fit, Revision: revision}
	for _, param := range p.Space.Params() {
		value, ok := s.values[param.Name]
		form := p.Form(s.values, param)
		if ok && form != param {
			value, ok = form.Convert(value, param.Distribution)
		}
		if ok {
			next.Set(form, value)
		}
	}
	return next
}

// knowsActivity reports whether trials in the region of x had the active parameters that x
// has. Otherwise it is not known what else a trial with these values asks for.
func knowsActivity(p *observe.Problem, x fmkernel.Point) bool {
	r, ok := p.RegionOf(x)
	return ok && r.Saw(p.Space.Activity(x))
}

// lookAround returns the configurations that other trials have planned since the
// history was read, and whether one that has precedence has claimed x, or what is alike and was
// not known when x was planned: a lower one, at the first look a settled one, or one that was
// enqueued with it, which does not look.
func lookAround(study *goptuna.Study, h *history.History, p *observe.Problem, x fmkernel.Point, firstLook bool) (others []fmkernel.Point, claimed bool, err error) {
	later, err := h.Later(study)
	if err != nil {
		return nil, false, err
	}
	key := p.Space.Key(x)
	for _, id := range slices.Sorted(maps.Keys(later)) {
		if p.Lost(id) {
			continue
		}
		other := plan.Decode(later[id])
		y, ok := p.Claimed(other, later[id])
		if !ok {
			continue
		}
		known := slices.ContainsFunc(p.Pending, y.Equal)
		if p.Space.Key(y) == key || space.Alike(x, y) && !known {
			enqueued := len(other.Values) == 0
			if id > h.Self && !enqueued && !(firstLook && other.Settled(later[id])) {
				continue
			}
			claimed = true
		}
		others = append(others, y)
	}
	return others, claimed, nil
}
