package observe

import (
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// variants are the parameters whose distribution follows from the value of another one, as
// the range of a learning rate may from the optimiser, by name. Values that lead to
// distributions with little in common make variants of such a parameter: parameters of
// their own, which are active with these values. The distribution of one is the union of
// what its values lead to.
type variants struct {
	by map[string]dependence
	// asked holds the names that objectives ask by, by those of variants.
	asked map[string]string
}

// findVariants looks at the latest whole trials, and at what the present one asks for.
func findVariants(h *history.History, present goptuna.FrozenTrial) variants {
	var trials []goptuna.FrozenTrial
	whole, _ := split(h)
	for _, t := range whole[max(0, len(whole)-regionHistory):] {
		trials = append(trials, t.FrozenTrial)
	}
	v := variants{findDependences(append(trials, present)), map[string]string{}}
	addNames := func(t goptuna.FrozenTrial) {
		for name, d := range v.by {
			if _, ok := t.Distributions[name]; ok {
				v.asked[d.nameIn(t)] = name
			}
		}
	}
	for _, t := range h.Finished {
		addNames(t.FrozenTrial)
	}
	addNames(present)
	return v
}

// askedName returns the name that objectives ask by for a parameter of the space.
func (v variants) askedName(name string) string {
	if asked, ok := v.asked[name]; ok {
		return asked
	}
	return name
}

// rename returns what is given by name, of a trial with these values and distributions, by
// the names of variants.
func rename[T any](v variants, given map[string]T, t goptuna.FrozenTrial) map[string]T {
	renamed := make(map[string]T, len(given))
	for name, x := range given {
		if d, ok := v.by[name]; ok {
			name = d.nameIn(t)
		}
		renamed[name] = x
	}
	return renamed
}

// trial returns the trial with the names of variants.
func (v variants) trial(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	for name := range v.by {
		if _, ok := t.Distributions[name]; ok {
			t.InternalParams, t.Distributions = rename(v, t.InternalParams, t), rename(v, t.Distributions, t)
			break
		}
	}
	return t
}

// history returns the history with the names of variants.
func (v variants) history(h *history.History) *history.History {
	if len(v.by) == 0 {
		return h
	}
	renamed := *h
	renamed.Finished = slices.Clone(h.Finished)
	for i := range renamed.Finished {
		t := &renamed.Finished[i]
		t.FrozenTrial = v.trial(t.FrozenTrial)
	}
	return &renamed
}

// withForms returns the parameters, of which those whose distribution follows from a parent on a
// graph have all their forms, and the values of all of these, whatever the last trial asked
// for. A parameter with a graph of the user's has one form: the vertices of the graph are the
// values of one distribution.
func (v variants) withForms(params []*space.Param, newParam NewParam, newNamed func(name string, d any) (*space.Param, error)) []*space.Param {
	formed := slices.Clone(params)
	for i, param := range params {
		d := v.by[param.AskedName]
		union, ok := d.union(param.Name)
		if !ok || d.undecided || v.ownAncestor(param.AskedName) || !isOnGraph(params, d.parent) {
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

// forms returns what the values of the parent lead to, and false where two distributions
// would share a graph of the user's.
func (d dependence) forms(param *space.Param, newParam NewParam) (forms space.Forms, ok bool) {
	forms = space.Forms{Parent: d.parent, By: map[string]*space.Param{}}
	known := map[any]*space.Param{}
	for at, s := range d.distributions {
		if d.names[at] != param.Name {
			continue
		}
		key := mapKey(s.latest())
		if known[key] == nil {
			form, err := newParam(d.name, s.latest())
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
func (v variants) ownAncestor(name string) bool {
	at := name
	for range v.by {
		d, ok := v.by[at]
		if !ok {
			return false
		}
		at = d.parent
		if at == name {
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
			found = true
			if p.Graph == nil {
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
		if variant, ok := d.names[d.valueOf(configuration)]; ok {
			return variant
		}
	}
	return name
}

// valueOf returns the value of the parent in a configuration as objectives get it.
func (d dependence) valueOf(configuration map[string]any) string {
	if text, choice := configuration[d.parent].(string); choice {
		return text
	}
	text, _ := space.ValueText(nil, space.Internal(nil, configuration[d.parent]))
	return text
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

// named takes values by the names that objectives ask by, in the representation of what these
// ask for, and returns them by the names in the space, in its own representation. A value that
// the space does not have is NaN.
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
