package observe

import (
	"cmp"
	"maps"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// IsFeasible reports whether a trial of the problem violates no constraint. As long as all do,
// all count as feasible. A trial at another level is not known to be: see setElsewhere.
func (p *Problem) IsFeasible(t history.Trial) bool {
	return p.Infeasible || !t.Violates() && !p.elsewhere[t.ID]
}

// Promised returns the running trials whose predicted values the trial has to improve on.
// With constraints it is none: one that is expected to be far better than all that is
// feasible mostly lies beyond a limit, and nothing within would improve on it.
func (p *Problem) Promised() []fmkernel.Point {
	if len(p.Constraints()) > 0 {
		return nil
	}
	return p.Pending
}

// StartedWithValue returns the number of trials that have a value or may get one.
func (p *Problem) StartedWithValue() int { return p.history.Observations + len(p.Pending) }

// RuledOut returns the number of trials without a value that violate a constraint.
func (p *Problem) RuledOut() (n int) {
	for _, v := range p.Valueless {
		if v.Trial.Violates() {
			n++
		}
	}
	return n
}

// Turn returns the number of trials before this one that have, or may have, the
// parameter.
func (p *Problem) Turn(param *space.Param) int {
	n := p.Number
	for _, t := range p.history.Finished {
		if !t.Has(param.Name) {
			n--
		}
	}
	for _, x := range p.Pending {
		if !p.Space.Active(x, param) {
			n--
		}
	}
	return max(n, 0)
}

// Values returns the values of the active parameters at x, those that are fixed as
// they were given.
func (p *Problem) Values(x fmkernel.Point) map[string]float64 {
	values := p.Space.Decode(x)
	for name := range values {
		if value, ok := p.Fixed[name]; ok {
			values[name] = value
		}
	}
	return values
}

// Point returns the point of values of the present distributions, and false when
// they are not all that a configuration has.
func (p *Problem) Point(values map[string]float64) (fmkernel.Point, bool) {
	x, bad := p.Space.Encode(p.Space.Values(values))
	return x, bad == nil
}

// FromUnits returns the values of the parameters at quantiles, by name: of what is asked
// for beside the values that are fixed, or those at the other quantiles.
func (p *Problem) FromUnits(quantiles map[string]float64) map[string]float64 {
	values := make(map[string]float64, len(quantiles))
	for _, param := range p.Space.ParentsFirst() {
		form := p.Form(values, param)
		value := form.FromUnit(quantiles[param.Name])
		if form != param {
			value, _ = param.Convert(value, form.Distribution)
		}
		values[param.Name] = value
	}
	return values
}

// Form returns what the trial asks for by the name of a parameter, when it gets the values,
// or what is fixed.
func (p *Problem) Form(values map[string]float64, param *space.Param) *space.Param {
	if param.Forms.By == nil {
		return param
	}
	decided := maps.Clone(p.Fixed)
	for name, value := range values {
		if _, fixed := decided[name]; !fixed {
			decided[name] = value
		}
	}
	return p.Space.Form(decided, param)
}

// RegionOf returns the open region that x lies in.
func (p *Problem) RegionOf(x fmkernel.Point) (r Region, ok bool) {
	for _, r := range p.Regions {
		if r.Contains(x) {
			return r, true
		}
	}
	return r, false
}

// Possible reports whether the trial may have the configuration x.
func (p *Problem) Possible(x fmkernel.Point) bool {
	return slices.ContainsFunc(p.Regions, func(r Region) bool { return r.MayHave(x) })
}

// Untried returns a configuration that no trial has, and false where there is none.
// exhausted then says whether finished trials have them all: what running ones will
// ask for is not known.
func (p *Problem) Untried() (x fmkernel.Point, ok, exhausted bool) {
	if x, ok := p.untried(p.Tried); ok {
		return x, true, false
	}
	_, ok = p.untried(p.Tried.Finished())
	return x, false, !ok
}

func (p *Problem) untried(tried *space.Tried) (x fmkernel.Point, ok bool) {
	for _, r := range p.Regions {
		if x, ok = tried.FirstUntried(r.Region); ok {
			return x, true
		}
	}
	return x, false
}

// WithPlanned returns the problem with further configurations that other trials
// are about to have. Those that are pending already count once.
func (p *Problem) WithPlanned(xs []fmkernel.Point) *Problem {
	q := *p
	q.Tried = p.Tried.WithPlanned(xs)
	q.Pending = slices.Clone(p.Pending)
	for _, x := range xs {
		if !slices.ContainsFunc(q.Pending, x.Equal) {
			q.Pending = append(q.Pending, x)
		}
	}
	return &q
}

// Constraints returns the names of the constraints that were measured, sorted.
func (p *Problem) Constraints() []string { return p.constraints }

// constraintsOf returns the names of the constraints that trials have measured, sorted.
func constraintsOf(finished []history.Trial) []string {
	names := map[string]bool{}
	for _, t := range finished {
		for name := range t.Violations {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Names returns the names that the finished trials asked by, in the order of their first
// appearance, those of one trial by name.
func (p *Problem) Names() []string {
	var names []string
	known := map[string]bool{}
	for _, t := range p.history.Finished {
		at := len(names)
		for name := range t.InternalParams {
			asked := p.variants.askedName(name)
			if !known[asked] {
				known[asked] = true
				names = append(names, asked)
			}
		}
		slices.SortFunc(names[at:], cmp.Compare[string])
	}
	return names
}

// LastFit returns the fit of that kernel stored with the latest finished trial that
// has one, or with a running one that saw more: of many workers that ask at once,
// not all need to fit. Those of another kernel mean something else, and count as
// none. One that knows of other trials than the problem has is taken where there is no other. It
// returns nil when there is none.
func (p *Problem) LastFit(kernel string) *plan.Fit {
	var last, other *plan.Fit
	for _, t := range slices.Backward(p.history.Finished) {
		fit := plan.Decode(t.SystemAttrs).Fit
		if fit == nil || fit.Kernel != kernel {
			continue
		}
		if fit.Alone == p.isAlone {
			last = fit
			break
		}
		other = cmp.Or(other, fit)
	}
	for _, running := range p.plans {
		if fit := running.Fit; fit != nil && fit.Kernel == kernel && fit.Alone == p.isAlone && (last == nil || fit.Trials > last.Trials) {
			last = fit
		}
	}
	return cmp.Or(last, other)
}
