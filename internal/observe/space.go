package observe

import (
	"maps"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// NewParam makes the parameter of a name and distribution, with places for the
// values that earlier distributions had.
type NewParam func(name string, distribution any, earlier ...any) (*space.Param, error)

// buildSpace returns the space of every parameter that a whole trial has asked
// for, and of those that this one asks for, with the distributions they had last.
// What some whole trial did without is optional.
func buildSpace(whole []history.Trial, trial goptuna.FrozenTrial, v variants, newParam NewParam) (*space.Space, error) {
	latest := map[string]any{}
	maps.Copy(latest, trial.Distributions)
	for _, t := range slices.Backward(whole) {
		for name, d := range t.Distributions {
			if _, known := latest[name]; !known {
				latest[name] = d
			}
		}
	}
	newNamed := func(name string, d any) (*space.Param, error) {
		param, err := newParam(v.askedName(name), d, earlierDistributions(whole, name, d)...)
		if err != nil {
			return nil, err
		}
		return param.As(name), nil
	}
	var params []*space.Param
	for name, d := range latest {
		param, err := newNamed(name, d)
		if err == nil {
			params = append(params, param)
			continue
		}
		// It is an error of the trial that asks the sampler for such a parameter. Others are
		// left out: what a parameter once was may not fit the options, and the values that
		// a trial is enqueued with need not please the sampler.
		_, asked := trial.Distributions[name]
		if _, answered := trial.InternalParams[name]; asked && !answered {
			return nil, err
		}
	}
	slices.SortFunc(params, func(a, b *space.Param) int { return strings.Compare(a.Name, b.Name) })
	params = v.withForms(params, newParam, newNamed)
	for _, t := range whole {
		if len(t.InternalParams) < len(latest) {
			return space.New(params, groups(whole, trial, params)...)
		}
	}
	return space.New(params)
}

// earlierDistributions returns, the latest first, the distributions other than d that
// a parameter had, where values that are gone can have a place: the choices and the
// ranges of whole numbers.
func earlierDistributions(whole []history.Trial, name string, d any) (earlier []any) {
	switch d.(type) {
	case goptuna.UniformDistribution, goptuna.LogUniformDistribution:
		return nil
	}
	seen, before := map[any]bool{mapKey(d): true}, d
	for _, t := range slices.Backward(whole) {
		d, ok := t.Distributions[name]
		if end, has := upperEnd(d, t.InternalParams[name]); has && !seen[end] {
			seen[end] = true
			earlier = append(earlier, end)
		}
		if !ok || same(d, before) {
			continue
		}
		before = d
		if key := mapKey(d); !seen[key] {
			seen[key] = true
			earlier = append(earlier, d)
		}
	}
	return earlier
}

// upperEnd returns the distribution of the value of a step int alone, where that is at the
// upper end, or a step further: Goptuna's TPE returns such values, although Contains leaves
// them out.
func upperEnd(distribution any, internal float64) (end any, has bool) {
	d, ok := distribution.(goptuna.StepIntUniformDistribution)
	if !ok || d.Single() {
		return nil, false
	}
	value := d.ToExternalRepr(internal).(int)
	return goptuna.IntUniformDistribution{Low: value, High: value}, value >= d.High
}

// mapKey returns what stands for a distribution as the key of a map.
func mapKey(distribution any) any {
	if d, ok := distribution.(goptuna.CategoricalDistribution); ok {
		return strings.Join(d.Choices, "\x00")
	}
	return distribution
}

// same reports whether two distributions are equal.
func same(a, b any) bool {
	x, ok := a.(goptuna.CategoricalDistribution)
	if !ok {
		_, categorical := b.(goptuna.CategoricalDistribution)
		return !categorical && a == b
	}
	y, ok := b.(goptuna.CategoricalDistribution)
	return ok && slices.Equal(x.Choices, y.Choices)
}

// groups returns the optional ones of the parameters, those together that are
// active together.
func groups(whole []history.Trial, trial goptuna.FrozenTrial, params []*space.Param) []space.Group {
	seen := map[string]bool{} // sets of parameters
	set := make([]byte, len(params))
	for _, t := range whole {
		for i, p := range params {
			set[i] = '0'
			if t.Has(p.Name) {
				set[i] = '1'
			}
		}
		seen[string(set)] = true
	}
	sets := slices.Sorted(maps.Keys(seen))
	together := map[string][]string{}
	for i, p := range params {
		column := make([]byte, len(sets))
		for k, set := range sets {
			column[k] = set[i]
		}
		if strings.Contains(string(column), "0") {
			together[string(column)] = append(together[string(column)], p.Name)
		}
	}
	var groups []space.Group
	for _, names := range together {
		g := space.Group{Names: names}
		// The absence of a member on a graph shows by itself.
		if !slices.ContainsFunc(params, func(p *space.Param) bool { return p.Graph != nil && slices.Contains(names, p.Name) }) {
			g.Parent, g.Activating = findParent(names, whole, trial, params)
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b space.Group) int { return strings.Compare(a.Names[0], b.Names[0]) })
	return groups
}

// parentTrials is the number of trials per value, on average, without which a
// parameter may seem to decide by chance.
const parentTrials = 3

// findParent looks for a parameter on a graph whose value, or absence, has always
// decided whether the group is active: the one with the fewest values. The vertex
// then shows all that a presence coordinate would, with a hyperparameter less.
func findParent(group []string, whole []history.Trial, trial goptuna.FrozenTrial, params []*space.Param) (parent string, activating []int) {
	observations := 0
	active := make([]bool, len(whole))
	for i, t := range whole {
		active[i] = t.Has(group[0])
		if !t.NoValue {
			observations++
		}
	}
	asks := slices.ContainsFunc(group, func(name string) bool { return trial.Distributions[name] != nil })
	if asks {
		// This trial may be the first with its value, or the one that shows that
		// something else decides.
		whole, active = append(slices.Clip(whole), history.Trial{FrozenTrial: trial}), append(active, true)
	}
	fewest := observations / parentTrials
	for _, p := range params {
		if _, decided := trial.InternalParams[p.Name]; p.Graph == nil || asks && !decided {
			continue
		}
		if by, ok := activation(p, whole, active); ok && len(by) <= fewest {
			parent, fewest = p.Name, len(by)-1
			maps.DeleteFunc(by, func(_ int, active bool) bool { return !active })
			activating = slices.Sorted(maps.Keys(by))
		}
	}
	return parent, activating
}

// activation returns whether a group is active, by the vertex of a parameter, or its apex. ok
// is false where trials with the same vertex differ.
func activation(p *space.Param, trials []history.Trial, active []bool) (by map[int]bool, ok bool) {
	by = map[int]bool{}
	for i, t := range trials {
		v := p.Graph.Order()
		if value, ok := t.InternalParams[p.Name]; ok {
			u, ok := p.EncodeFrom(value, t.Distributions[p.Name])
			if !ok {
				continue // a trial without a point
			}
			v = int(u)
		}
		if before, known := by[v]; known && before != active[i] {
			return nil, false
		}
		by[v] = active[i]
	}
	return by, true
}
