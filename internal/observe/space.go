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
func buildSpace(whole []history.Trial, trial goptuna.FrozenTrial, asked map[string]any, v variants, newParam NewParam) (*space.Space, error) {
	latest := maps.Clone(asked)
	for _, t := range slices.Backward(whole) {
		for name, d := range t.Distributions {
			if _, known := latest[name]; !known {
				latest[name] = d
			}
		}
	}
	newNamed := func(name string, d any) (*space.Param, error) {
		of := name
		if asked, ok := v.asked[name]; ok {
			of = asked
		}
		param, err := newParam(of, d, earlierDistributions(whole, name, d)...)
		if err != nil {
			return nil, err
		}
		return param.As(name), nil
	}
	var params []*space.Param
	for name, d := range latest {
		param, err := newNamed(name, d)
		_, now := asked[name]
		if _, answered := trial.InternalParams[name]; err != nil && now && !answered {
			return nil, err
		}
		if err == nil {
			params = append(params, param)
		}
		// A parameter that is no longer what it was may not fit the options, and the
		// values that a trial is enqueued with need not please the sampler: that is an
		// error when a trial asks the sampler for it.
	}
	slices.SortFunc(params, func(a, b *space.Param) int { return strings.Compare(a.Name, b.Name) })
	params = v.withForms(params, newParam, newNamed)
	for _, t := range whole {
		if len(t.InternalParams) < len(latest) {
			return space.New(params, groups(whole, trial, asked, params)...)
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
func groups(whole []history.Trial, trial goptuna.FrozenTrial, asked map[string]any, params []*space.Param) []space.Group {
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
		groups = append(groups, space.Group{Names: names})
	}
	slices.SortFunc(groups, func(a, b space.Group) int { return strings.Compare(a.Names[0], b.Names[0]) })
	for i, g := range groups {
		// The absence of a member on a graph shows by itself.
		if !slices.ContainsFunc(params, func(p *space.Param) bool { return p.Graph != nil && slices.Contains(g.Names, p.Name) }) {
			setParent(&groups[i], whole, trial, asked, params)
		}
	}
	return groups
}

// parentTrials is the number of trials per value, on average, without which a
// parameter may seem to decide by chance.
const parentTrials = 3

// setParent looks for a parameter on a graph whose value, or absence, has always
// decided whether the group is active: the one with the fewest values. The vertex
// then shows all that a presence coordinate would, with a hyperparameter less.
func setParent(g *space.Group, whole []history.Trial, trial goptuna.FrozenTrial, asked map[string]any, params []*space.Param) {
	observations := 0
	for _, t := range whole {
		if !t.NoValue {
			observations++
		}
	}
	fewest := observations / parentTrials
	for _, p := range params {
		if p.Graph == nil {
			continue
		}
		a := activation{param: p, active: map[int]bool{}}
		if a.decides(g.Names, whole, trial, asked) && len(a.active) <= fewest {
			g.Parent, g.Activating, fewest = p.Name, a.activating(), len(a.active)-1
		}
	}
}

// activation says with which vertices of a parameter, or its apex, a group is
// active.
type activation struct {
	param  *space.Param
	active map[int]bool
}

// decides notes every trial, and reports whether no two with the same vertex
// differ.
func (a activation) decides(group []string, whole []history.Trial, trial goptuna.FrozenTrial, asked map[string]any) bool {
	for _, t := range whole {
		if !a.note(t.FrozenTrial, t.Has(group[0])) {
			return false
		}
	}
	if slices.ContainsFunc(group, func(name string) bool { _, ok := asked[name]; return ok }) {
		// This trial may be the first with its value, or the one that shows that
		// something else decides.
		_, decided := trial.InternalParams[a.param.Name]
		return decided && a.note(trial, true)
	}
	return true
}

// note notes whether the group is active in a trial, and reports whether that
// agrees with what is known.
func (a activation) note(t goptuna.FrozenTrial, active bool) bool {
	v := a.param.Graph.Order()
	if value, ok := t.InternalParams[a.param.Name]; ok {
		u, ok := a.param.EncodeFrom(value, t.Distributions[a.param.Name])
		if !ok {
			return true // a trial without a point
		}
		v = int(u)
	}
	before, known := a.active[v]
	a.active[v] = active
	return !known || before == active
}

// activating returns the vertices with which the group is active.
func (a activation) activating() []int {
	var vertices []int
	for v, active := range a.active {
		if active {
			vertices = append(vertices, v)
		}
	}
	slices.Sort(vertices)
	return vertices
}
