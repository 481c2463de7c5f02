package observe

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// mostCommon is the share of their values above which two distributions are those of
	// one parameter: one model for both learns more than two do. Where the parent is a number, a
	// range grows with it, and what overlaps at all is one.
	mostCommon = 0.5 + 1e-9
	// maxReturns bounds how often a distribution may come back with the same value of its
	// parent, as a share of all changes.
	maxReturns = 0.1
)

// dependence says how the distribution of a parameter follows from the value of another one
// on a graph, its parent. The maps are by that value, as a text.
type dependence struct {
	name, parent  string
	distributions map[string]sequence
	names         map[string]string // of the variants
	// undecided marks that the present trial asks for the parameter before the parent has a
	// value: it may get any value that it asks for.
	undecided bool
}

// sequence is the distributions that a parameter had, one after the other.
type sequence []any

func (s sequence) add(distribution any) sequence {
	if len(s) > 0 && same(s.latest(), distribution) {
		return s
	}
	return append(s, distribution)
}

func (s sequence) latest() any { return s[len(s)-1] }

// returns is how often a distribution came back.
func (s sequence) returns() int {
	distinct := map[any]bool{}
	for _, d := range s {
		distinct[mapKey(d)] = true
	}
	return len(s) - len(distinct)
}

// findDependences returns, by name, the parameters whose distribution follows from the value
// of another one. The last of the trials is the present one. Such a distribution changes with
// that value, back and forth. An edit of the program changes it whatever the value is, and
// for good. So the parent is a parameter on a graph
//   - that all finished trials with the child have,
//   - for whose values the child has fewer distributions, one after the other for each value,
//     than it changed altogether, and
//   - with the same value of which few distributions come back: many do where an old and a
//     new program run side by side.
//
// Of several such parameters it is the one for whose values the child has the fewest.
func findDependences(trials []goptuna.FrozenTrial) map[string]dependence {
	all := map[string]sequence{}
	for _, t := range trials {
		for name, d := range t.Distributions {
			all[name] = all[name].add(d)
		}
	}
	names := slices.Sorted(maps.Keys(all))
	found := map[string]dependence{}
	for name, s := range all {
		changes := len(s) - 1
		if changes < 2 {
			continue
		}
		best, fewest := dependence{name: name}, changes
		for _, parent := range names {
			if parent == name || !space.OnGraph(all[parent].latest()) {
				continue
			}
			by, n, returns := distributionsBy(parent, name, trials), 0, 0
			for _, s := range by {
				n += len(s)
				returns += s.returns()
			}
			if by != nil && n < fewest && float64(returns) <= maxReturns*float64(changes) {
				best.parent, best.distributions, fewest = parent, by, n
			}
		}
		if fewest == changes {
			continue
		}
		if d, ok := best.withVariants(all, trials[len(trials)-1]); ok {
			found[name] = d
		}
	}
	return found
}

// distributionsBy returns the distributions of a parameter by the values of its parent, nil
// where a finished trial has the parameter and not the parent.
func distributionsBy(parent, name string, trials []goptuna.FrozenTrial) map[string]sequence {
	by := map[string]sequence{}
	for i, t := range trials {
		d, ok := t.Distributions[name]
		if !ok {
			continue
		}
		at, known := valueIn(t, parent)
		if known {
			by[at] = by[at].add(d)
		} else if i < len(trials)-1 { // the present trial may ask for the parent yet
			return nil
		}
	}
	return by
}

// valueIn returns the value of a parameter in a trial as a text, and false where it has none.
func valueIn(t goptuna.FrozenTrial, name string) (at string, ok bool) {
	internal, ok := t.InternalParams[name]
	if !ok {
		return "", false
	}
	return space.ValueText(t.Distributions[name], internal)
}

// withVariants returns the dependence with its variants, one for each group of values of the
// parent. Where all values are in one group, the variant keeps the name of the parameter. ok is
// false where the parameter has the same distribution with all of them, and where another
// parameter has the name of a variant.
func (d dependence) withVariants(all map[string]sequence, present goptuna.FrozenTrial) (_ dependence, ok bool) {
	least := 0.0
	if _, choice := all[d.parent].latest().(goptuna.CategoricalDistribution); choice {
		least = mostCommon
	}
	groups := d.groups(least)
	d.names = map[string]string{}
	for _, values := range groups {
		name := d.name
		if len(groups) > 1 {
			name = d.nameOf(values...)
			if all[name] != nil {
				return d, false
			}
		}
		for _, at := range values {
			d.names[at] = name
		}
	}
	_, asks := present.Distributions[d.name]
	_, known := valueIn(present, d.parent)
	d.undecided = asks && !known
	_, several := d.union(d.name)
	return d, len(groups) > 1 || several
}

// groups returns the values of the parent in groups. Two are in one where more than a share of
// the values of their distributions is common to both, or where others between them link them.
func (d dependence) groups(least float64) (groups [][]string) {
	for at, s := range d.distributions {
		group := []string{at}
		alike := func(other string) bool {
			a, b := s.latest(), d.distributions[other].latest()
			_, ok := space.Union(a, b)
			return ok && space.Common(a, b) > least
		}
		groups = slices.DeleteFunc(groups, func(others []string) bool {
			joins := slices.ContainsFunc(others, alike)
			if joins {
				group = append(group, others...)
			}
			return joins
		})
		groups = append(groups, group)
	}
	return groups
}

// nameOf returns the name of the variant of some values, such as "rate (adam, sgd)". A value
// that could be taken for several is quoted.
func (d dependence) nameOf(values ...string) string {
	sorted := slices.Sorted(slices.Values(values))
	for i, value := range sorted {
		if strings.ContainsAny(value, `,"`) {
			sorted[i] = strconv.Quote(value)
		}
	}
	return d.name + " (" + strings.Join(sorted, ", ") + ")"
}

// nameIn returns the name of the variant that a trial has. With a value of the parent that is
// new, or not known yet, the distribution says which it is.
func (d dependence) nameIn(t goptuna.FrozenTrial) string {
	at, known := valueIn(t, d.parent)
	if name, ok := d.names[at]; known && ok {
		return name
	}
	for at, name := range d.names {
		if name == d.name || same(d.distributions[at].latest(), t.Distributions[d.name]) {
			return name
		}
	}
	if !known {
		at = "unknown " + d.parent
	}
	return d.nameOf(at)
}

// union returns the distribution of the variant of a name whose values lead to several, and
// false for others.
func (d dependence) union(name string) (union any, ok bool) {
	var distinct []any
	for _, at := range slices.Sorted(maps.Keys(d.names)) {
		latest := d.distributions[at].latest()
		if d.names[at] == name && !slices.ContainsFunc(distinct, func(other any) bool { return same(latest, other) }) {
			distinct = append(distinct, latest)
		}
	}
	if len(distinct) < 2 {
		return nil, false
	}
	return space.Union(distinct...)
}
