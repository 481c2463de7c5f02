package observe

import (
	"maps"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// split parts the finished trials. The whole ones are taken to have asked for all that there is
// to ask: they have a value or a penalty, or no trial has a value. Those without a value that
// failed or had a penalty in an outage are in neither part, since they tell nothing.
func split(h *history.History) (whole, rest []history.Trial) {
	out := outages(h.Finished)
	for i, t := range h.Finished {
		switch {
		case !t.NoValue || h.Observations == 0 || t.Penalty && !out[i]:
			whole = append(whole, t)
		case !out[i]:
			rest = append(rest, t)
		}
	}
	return whole, rest
}

// addWhole adds whole trials, and returns the configurations of those that have one.
func (p *Problem) addWhole(whole []history.Trial) (configurations []configuration) {
	for _, t := range whole {
		x, bad := p.Space.Encode(valuesOf(t))
		if bad != nil {
			if _, ok := p.Unusable[bad.Name]; !ok && t.Has(bad.Name) {
				p.Unusable[bad.Name] = t
			}
			continue
		}
		configurations = append(configurations, configuration{x, t, true})
		p.Tried.Add(x, true)
		if t.NoValue {
			p.Valueless = append(p.Valueless, Valueless{x, t})
		} else {
			p.X, p.Y, p.Trials = append(p.X, x), append(p.Y, t.Y), append(p.Trials, t)
		}
	}
	return configurations
}

// addIncomplete adds a trial without a value, and returns the regions with it. The trial may
// have ended before it asked for all that others ask for: where these have the same
// parameters, it counts as the configuration that it was planned with, though that was not
// tried.
func (p *Problem) addIncomplete(regions []Region, t history.Trial) []Region {
	x, at := p.place(regions, valuesOf(t))
	if at >= 0 {
		p.Tried.Add(x, false)
	} else {
		x, at = p.place(regions, p.valuesWithPlan(t))
	}
	if at < 0 {
		return p.addUnseen(regions, t)
	}
	p.Valueless = append(p.Valueless, Valueless{x, t})
	regions[at].Valueless++
	return regions
}

// addUnseen adds a trial that came to a region where no trial has a value: what it chose
// is a region of its own then. One that ended before it came to any tells nothing.
func (p *Problem) addUnseen(regions []Region, t history.Trial) []Region {
	values := valuesOf(t)
	at := slices.IndexFunc(regions, func(r Region) bool { return r.Trials == 0 && r.Reached(values) })
	if at < 0 {
		return regions
	}
	r := &regions[at]
	chosen, others, ok := r.Isolate(values)
	r.Region = chosen
	r.Valueless++
	if t.Failed() {
		r.Failures++
	}
	if x, bad := p.Space.Encode(values); bad == nil && p.Space.Activity(x).Includes(r.Activity) && r.Domain().Size() > 1 {
		p.Tried.Add(x, false) // of one configuration that may work by now, nothing else would be left
	}
	if ok {
		regions = append(regions, Region{Region: others})
	}
	return regions
}

// place returns the configuration with the values, and which of the regions it is in where
// others have its parameters; -1 for none.
func (p *Problem) place(regions []Region, values space.Values) (x fmkernel.Point, region int) {
	x, bad := p.Space.Encode(values)
	if bad != nil {
		return x, -1
	}
	activity := p.Space.Activity(x)
	return x, slices.IndexFunc(regions, func(r Region) bool { return r.Saw(activity) && r.LedTo(values) })
}

func valuesOf(t history.Trial) space.Values {
	return space.Values{Internal: t.InternalParams, Distributions: t.Distributions}
}

// valuesWithPlan returns the values of a trial, and in the place of those that it ended before
// it asked for, those of its plan. One that has asked for nothing has none.
func (p *Problem) valuesWithPlan(t history.Trial) space.Values {
	values := valuesOf(t)
	missing := slices.DeleteFunc(slices.Clone(p.Space.Params()), func(param *space.Param) bool { return t.Has(param.Name) })
	if len(values.Internal) == 0 || len(missing) == 0 {
		return values
	}
	values.Internal, values.Distributions = maps.Clone(values.Internal), maps.Clone(values.Distributions)
	stored := plan.Decode(t.SystemAttrs)
	for _, param := range missing {
		if value, ok := stored.InSpace(param); ok {
			values.Internal[param.Name], values.Distributions[param.Name] = value, param.Distribution
		}
	}
	return values
}
