package insight

import (
	"fmt"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// point returns the point of a configuration.
func (m *Model) point(params map[string]any) (x fmkernel.Point, err error) {
	values := map[string]float64{}
	names := m.problem.Names()
	for name, value := range params {
		param, err := m.param(m.problem.NameOf(name, params))
		if err != nil {
			if slices.Contains(names, name) {
				continue // of a single value, which is not modelled
			}
			return x, err
		}
		form := m.problem.FormIn(params, param)
		internal, err := form.Read(value)
		if err != nil {
			return x, err
		}
		if form != param {
			internal, _ = param.Convert(internal, form.Distribution)
		}
		values[param.Name] = internal
	}
	x, ok := m.problem.Point(values)
	for _, param := range m.problem.Space.Params() {
		// Where a vertex shows that a parameter is active, one that is not given would be
		// in the middle of its range.
		active := ok && m.problem.Space.Active(x, param) || !m.problem.Space.Optional(param)
		if _, given := values[param.Name]; active && !given {
			return x, fmt.Errorf("fm: parameter %q is missing from the configuration: give all that are active", param.Name)
		}
	}
	if !ok || len(m.problem.Space.Decode(x)) < len(values) || !m.occurs(x) {
		return x, fmt.Errorf("fm: the configuration %v is in no branch that the trials show: give the parameters that are active with its values, and no others", params)
	}
	return x, nil
}

// occurs reports whether x has the parameters of its branch, as the trials with a value or
// all trials show it, or is a trial's.
func (m *Model) occurs(x fmkernel.Point) bool {
	return slices.ContainsFunc(m.leaves(), func(r space.Region) bool { return r.Contains(x) }) ||
		slices.ContainsFunc(m.regions, func(r observe.Region) bool { return r.Contains(x) }) ||
		m.triedAs(x) >= 0 // up to the last bits, which a coordinate may lose
}

// external returns the value of the internal representation, as goptuna.Trial
// would suggest it.
func external(param *space.Param, internal float64) any {
	if value, ok := space.External(param.Distribution, internal); ok {
		return value
	}
	return internal // no space has a parameter of an unknown distribution
}

// params returns the configuration at x, with the parameters of a single value
// that all trials have.
func (m *Model) params(x fmkernel.Point) map[string]any {
	values := m.problem.Space.Decode(x)
	params := make(map[string]any, len(values))
	for _, param := range m.problem.Space.Params() {
		if value, active := values[param.Name]; active {
			params[param.AskedName] = external(param, value)
		}
	}
	latest := m.problem.Trials[len(m.problem.Trials)-1]
	for name, value := range latest.Params {
		if _, err := m.param(name); err != nil && m.everywhere(name) {
			params[name] = value
		}
	}
	return params
}

// Value returns the value that a configuration has of one of Params, and false where it
// has none. A configuration holds values by the names that the objective asks by, as
// Params of a goptuna.FrozenTrial and of a Recommendation do; those of Params differ where
// the distribution of such a name follows from the value of a choice.
func (m *Model) Value(param string, configuration map[string]any) (value any, ok bool) {
	p, err := m.param(param)
	if err != nil || m.problem.NameOf(p.AskedName, configuration) != param {
		return nil, false
	}
	value, ok = configuration[p.AskedName]
	return value, ok
}

// everywhere reports whether every trial with a value has the parameter.
func (m *Model) everywhere(name string) bool {
	return !slices.ContainsFunc(m.problem.Trials, func(t history.Trial) bool { return !t.Has(name) })
}
