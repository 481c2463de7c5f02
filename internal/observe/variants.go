package observe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
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

// variants are the parameters whose distribution follows from the value of another one, as
// the range of a learning rate may from the optimiser, by name. Values that lead to
// distributions with little in common make variants of such a parameter: parameters of
// their own, which are active with these values. The distribution of one is the union of
// what its values lead to; where that is one parameter for all values, it keeps its name.
type variants struct {
	by map[string]dependence
	// asked holds the names that objectives ask by, by those of variants.
	asked map[string]string
}

// dependence says how the distribution of a parameter follows from the value of another one
// on a graph, its parent: which it has by each value of the parent, as a text.
type dependence struct {
	parent  string
	numeric bool
	values  map[string]*sequence
	unions  map[string]any // by variant, of those whose values lead to several distributions
}

func newDependence(parent string, distribution any) dependence {
	_, choice := distribution.(goptuna.CategoricalDistribution)
	return dependence{parent, !choice, map[string]*sequence{}, map[string]any{}}
}

// sequence is the distributions that a parameter had, one after the other.
type sequence struct {
	latest  any
	seen    map[any]bool
	changes int
	returns int // changes to one that was there before
	variant string
}

func (s *sequence) add(distribution any) {
	if s.seen != nil && same(s.latest, distribution) {
		return
	}
	if s.seen == nil {
		s.seen = map[any]bool{}
	} else {
		s.changes++
	}
	key := mapKey(distribution)
	if s.seen[key] {
		s.returns++
	}
	s.seen[key], s.latest = true, distribution
}

// findVariants looks at the latest whole trials, and at what the present one asks for. A
// distribution that follows from another parameter changes with its value, and one that
// was edited does not come back: that parameter is the parent where there are fewer
// distributions, one after the other for each of its values, than changes altogether, and is
// in all trials that have the child. Of several such parameters the one with the fewest counts.
func findVariants(whole []history.Trial, trial goptuna.FrozenTrial) *variants {
	var trials []goptuna.FrozenTrial
	for _, t := range whole[max(0, len(whole)-regionHistory):] {
		trials = append(trials, t.FrozenTrial)
	}
	trials = append(trials, trial)
	all := map[string]*sequence{}
	for _, t := range trials {
		for name, d := range t.Distributions {
			if all[name] == nil {
				all[name] = &sequence{}
			}
			all[name].add(d)
		}
	}
	names := slices.Sorted(maps.Keys(all))
	v := &variants{map[string]dependence{}, map[string]string{}}
	for name, s := range all {
		fewest := s.changes
		for _, parent := range names {
			if fewest < 2 || parent == name || !space.OnGraph(all[parent].latest) {
				continue
			}
			d := newDependence(parent, all[parent].latest)
			if n, returns, ok := d.observe(name, trials); ok && n < fewest && float64(returns) <= maxReturns*float64(s.changes) {
				v.by[name], fewest = d, n
			}
		}
		if d, ok := v.by[name]; ok && !d.setVariants(name, all) {
			delete(v.by, name)
		}
	}
	for name, d := range v.by {
		for _, s := range d.values {
			v.asked[s.variant] = name
		}
	}
	return v
}

// observe notes the distributions of the parameter by the values of the parent. It returns
// how many there are, one after the other, and how many of them came back. ok is false where
// a finished trial has the parameter, and not the parent.
func (d dependence) observe(name string, trials []goptuna.FrozenTrial) (n, returns int, ok bool) {
	for i, t := range trials {
		distribution, asked := t.Distributions[name]
		if !asked {
			continue
		}
		at, known := d.valueIn(t)
		if !known {
			if i == len(trials)-1 { // the present trial may ask for the parent yet
				break
			}
			return 0, 0, false
		}
		if d.values[at] == nil {
			d.values[at] = &sequence{}
		}
		d.values[at].add(distribution)
	}
	for _, s := range d.values {
		n += 1 + s.changes
		returns += s.returns
	}
	return n, returns, true
}

// valueIn returns the value of the parent in a trial, and false where it has none.
func (d dependence) valueIn(t goptuna.FrozenTrial) (at string, ok bool) {
	internal, ok := t.InternalParams[d.parent]
	if !ok {
		return "", false
	}
	return space.ValueText(t.Distributions[d.parent], internal)
}

// alike reports whether two distributions are those of one parameter.
func (d dependence) alike(a, b any) bool {
	least := mostCommon
	if d.numeric {
		least = 0
	}
	_, ok := space.Union(a, b)
	return ok && space.Common(a, b) > least
}

// setVariants names the variants by the values that lead to them, and reports whether
// there are several, with names that no parameter has, or one of several distributions.
func (d dependence) setVariants(name string, known map[string]*sequence) bool {
	var together [][]string
	for at, s := range d.values {
		joined := []string{at}
		together = slices.DeleteFunc(together, func(others []string) bool {
			alike := slices.ContainsFunc(others, func(other string) bool { return d.alike(s.latest, d.values[other].latest) })
			if alike {
				joined = append(joined, others...)
			}
			return alike
		})
		together = append(together, joined)
	}
	if len(together) == 1 {
		d.setVariant(name, together[0])
		return len(d.unions) > 0
	}
	ok := true
	for _, values := range together {
		variant := d.name(name, values...)
		ok = ok && known[variant] == nil
		d.setVariant(variant, values)
	}
	return ok
}

// setVariant names the variant of some values.
func (d dependence) setVariant(variant string, values []string) {
	var all []any
	for _, at := range slices.Sorted(slices.Values(values)) {
		d.values[at].variant = variant
		if latest := d.values[at].latest; !slices.ContainsFunc(all, func(other any) bool { return same(latest, other) }) {
			all = append(all, latest)
		}
	}
	if len(all) > 1 {
		if union, ok := space.Union(all...); ok {
			d.unions[variant] = union
		}
	}
}

// name returns the name of the variant for some values, such as "rate (adam, sgd)".
func (d dependence) name(name string, values ...string) string {
	return name + " (" + strings.Join(slices.Sorted(slices.Values(values)), ", ") + ")"
}

// nameIn returns the name of the variant that a trial has. With a value of the parent that
// is new, or not known yet, the distribution says which it is, nil for an unknown one.
func (d dependence) nameIn(name string, distribution any, t goptuna.FrozenTrial) string {
	at, known := d.valueIn(t)
	if s := d.values[at]; known && s != nil {
		return s.variant
	}
	for _, s := range d.values {
		if s.variant == name || distribution != nil && same(s.latest, distribution) {
			return s.variant
		}
	}
	if !known {
		at = "unknown " + d.parent
	}
	return d.name(name, at)
}

// with returns the trial with what it asks for among its distributions.
func with(t goptuna.FrozenTrial, asked map[string]any) goptuna.FrozenTrial {
	distributions := make(map[string]any, len(asked))
	maps.Copy(distributions, t.Distributions)
	maps.Copy(distributions, asked)
	t.Distributions = distributions
	return t
}

// rename returns what is given by name, of a trial with these values and distributions, by
// the names of variants.
func rename[T any](v *variants, given map[string]T, t goptuna.FrozenTrial) map[string]T {
	renamed := make(map[string]T, len(given))
	for name, x := range given {
		if d, ok := v.by[name]; ok {
			variant := d.nameIn(name, t.Distributions[name], t)
			v.asked[variant] = name
			name = variant
		}
		renamed[name] = x
	}
	return renamed
}

// trial returns the trial with the names of variants.
func (v *variants) trial(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	for name := range v.by {
		if _, ok := t.Distributions[name]; ok {
			t.InternalParams, t.Distributions = rename(v, t.InternalParams, t), rename(v, t.Distributions, t)
			break
		}
	}
	return t
}

// history returns the history with the names of variants.
func (v *variants) history(h *history.History) *history.History {
	renamed := *h
	renamed.Finished = slices.Clone(h.Finished)
	for i := range renamed.Finished {
		t := &renamed.Finished[i]
		t.FrozenTrial = v.trial(t.FrozenTrial)
	}
	return &renamed
}

// newParam makes parameters by the names of variants.
func (v *variants) newParam(newParam NewParam) NewParam {
	return func(name string, distribution any, earlier ...any) (*space.Param, error) {
		asked, ok := v.asked[name]
		if !ok {
			return newParam(name, distribution, earlier...)
		}
		param, err := newParam(asked, distribution, earlier...)
		if err != nil {
			return nil, err
		}
		return param.As(name), nil
	}
}

// forgetForms forgets the unions of what a trial asks for before it has a value of the
// parent: it may get any value that it asks for.
func (v *variants) forgetForms(asked map[string]any, trial goptuna.FrozenTrial) {
	for name := range asked {
		if d, ok := v.by[name]; ok {
			if _, known := d.valueIn(trial); !known {
				clear(d.unions)
			}
		}
	}
}

// withForms returns the parameters with those which follow from values on a graph in all
// their forms: with the values that any of them has, whatever the last trial asked for.
// Where the user has given a graph, it is one of the values of a distribution.
func (v *variants) withForms(params []*space.Param, newParam NewParam, newNamed func(name string, d any) (*space.Param, error)) []*space.Param {
	formed := slices.Clone(params)
	for i, param := range params {
		d := v.by[param.AskedName]
		union, ok := d.unions[param.Name]
		if !ok || v.ownAncestor(param.AskedName) || !isOnGraph(params, d.parent) {
			continue
		}
		if forms, ok := d.forms(param, newParam); ok {
			if whole, err := newNamed(param.Name, union); err == nil {
				formed[i] = whole.WithForms(forms)
			}
		}
	}
	return formed
}

// forms returns what the values of the parent lead to, and false where that is on a graph
// of the user's.
func (d dependence) forms(param *space.Param, newParam NewParam) (forms space.Forms, ok bool) {
	forms = space.Forms{Parent: d.parent, By: map[string]*space.Param{}}
	known := map[any]*space.Param{}
	for at, s := range d.values {
		if s.variant != param.Name {
			continue
		}
		key := mapKey(s.latest)
		if known[key] == nil {
			form, err := newParam(param.AskedName, s.latest)
			if err != nil {
				return forms, false
			}
			for _, other := range known {
				if form.Graph != nil && form.Graph == other.Graph {
					return forms, false
				}
			}
			known[key] = form
		}
		forms.By[at] = known[key]
	}
	return forms, true
}

// ownAncestor reports whether the parents of parents of a parameter come back to it.
func (v *variants) ownAncestor(name string) bool {
	at := name
	for range v.by {
		d, ok := v.by[at]
		if !ok {
			return false
		}
		if at = d.parent; at == name {
			return true
		}
	}
	return false
}

// isOnGraph reports whether all parameters that are asked for by the name have a graph.
func isOnGraph(params []*space.Param, name string) bool {
	found := false
	for _, p := range params {
		if p.AskedName == name {
			if found = true; p.Graph == nil {
				return false
			}
		}
	}
	return found
}

// NameOf returns the name in the space of the parameter that objectives ask for by a name,
// in a configuration of values as objectives get them.
func (p *Problem) NameOf(name string, configuration map[string]any) string {
	if d, ok := p.variants.by[name]; ok {
		if s := d.values[d.valueOf(configuration)]; s != nil {
			return s.variant
		}
	}
	return name
}

// valueOf returns the value of the parent in a configuration as objectives get it.
func (d dependence) valueOf(configuration map[string]any) string {
	if text, choice := configuration[d.parent].(string); choice {
		return text
	}
	return fmt.Sprint(space.Internal(nil, configuration[d.parent]))
}

// FormIn returns what a trial with a configuration, as objectives get it, asks for by the
// name of a parameter: the parameter itself where it has one form, or that is not known.
func (p *Problem) FormIn(configuration map[string]any, param *space.Param) *space.Param {
	if param.Forms.By != nil {
		if form := param.Forms.By[p.variants.by[param.AskedName].valueOf(configuration)]; form != nil {
			return form
		}
	}
	return param
}

// named returns values that are given by the names that objectives ask by, in the
// representation of what these ask for, by the names in the space, as it has them. What is
// no value is NaN.
func (p *Problem) named(values map[string]float64) map[string]float64 {
	t := goptuna.FrozenTrial{InternalParams: values, Distributions: map[string]any{}}
	for _, param := range p.Space.Params() {
		if param.Name == param.AskedName {
			t.Distributions[param.Name] = param.Distribution
		}
	}
	named := rename(p.variants, values, t)
	for _, param := range p.Space.ParentsFirst() {
		if value, ok := named[param.Name]; ok && param.Forms.By != nil {
			if named[param.Name], ok = p.Space.FromForm(named, param, value); !ok {
				named[param.Name] = math.NaN()
			}
		}
	}
	return named
}
