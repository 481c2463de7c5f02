package sampler

import (
	"maps"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// groups returns the optional parameters, those together that come together.
func (t *task) groups(params []*space.Param) []space.Group {
	slices.SortFunc(params, func(a, b *space.Param) int { return strings.Compare(a.Name, b.Name) })
	seen := map[string]bool{} // sets of parameters
	set := make([]byte, len(params))
	for _, f := range t.Finished {
		if !t.isWhole(f) {
			continue
		}
		for i, p := range params {
			set[i] = '0'
			if has(f, p.Name) {
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
			t.findTeller(&groups[i], params)
		}
	}
	return groups
}

// findTeller looks for a parameter on a graph whose value, or absence, has always
// decided whether the group comes: the one with the fewest values. The vertex then
// says all that a presence coordinate would, with a hyperparameter less.
func (t *task) findTeller(g *space.Group, params []*space.Param) {
	fewest := t.Observations / tellerTrials
	for _, p := range params {
		if p.Graph == nil {
			continue
		}
		if vertices, seen, ok := t.tells(p, g.Names); ok && seen <= fewest {
			g.Teller, g.Tells, fewest = p.Name, vertices, seen-1
		}
	}
}

// tellerTrials is the number of trials per value, on average, without which a
// parameter may seem to decide by chance.
const tellerTrials = 3

// tells returns the vertices of parameter p with which trials have the parameters
// of a group, and the number of those with which there are trials, and false where
// some trials with the same vertex have them and others not.
func (t *task) tells(p *space.Param, group []string) (vertices []int, seen int, ok bool) {
	with := map[int]bool{}
	consistent := func(values map[string]float64, distributions map[string]any, has bool) bool {
		v := p.Graph.Order()
		if value, ok := values[p.Name]; ok {
			u, ok := p.EncodeFrom(value, distributions[p.Name])
			if !ok {
				return true // a trial without a point
			}
			v = int(u)
		}
		before, known := with[v]
		with[v] = has
		return !known || before == has
	}
	for _, f := range t.Finished {
		if t.isWhole(f) && !consistent(f.InternalParams, f.Distributions, has(f, group[0])) {
			return nil, 0, false
		}
	}
	if slices.ContainsFunc(group, func(name string) bool { return t.asked[name] }) {
		// This trial may be the first with its value, or the one that shows that
		// something else decides.
		_, decided := t.trial.InternalParams[p.Name]
		if !decided || !consistent(t.trial.InternalParams, t.trial.Distributions, true) {
			return nil, 0, false
		}
	}
	for v, has := range with {
		if has {
			vertices = append(vertices, v)
		}
	}
	slices.Sort(vertices)
	return vertices, len(with), true
}
