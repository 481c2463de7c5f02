package space

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// maxParts bounds the parts of a region: each is searched by itself.
const maxParts = 64

// Parts returns the region in parts, in each of which every parameter has one form. Where no
// parameter has several, the region is the only part. Beyond maxParts, a part has the values
// of several forms; and where the values that are fixed fit no part, the region is the only
// one.
func (r Region) Parts() []Region {
	s := r.space
	if len(s.multiform) == 0 {
		return []Region{r}
	}
	parts := []Region{r}
	for _, p := range s.multiform {
		if !r.Active(p) {
			continue
		}
		for _, q := range s.parents[p] {
			if _, fixed := r.fixed[q.param.Name]; fixed || !r.Active(q.param) {
				continue
			}
			var split []Region
			for _, part := range parts {
				split = append(split, part.splitBy(q)...)
			}
			if len(split) <= maxParts {
				parts = split
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(part Region) bool { return !part.fitsFixed() || part.Domain().Size() == 0 })
	if len(parts) == 0 {
		return []Region{r}
	}
	return parts
}

// splitBy returns the parts of the region in each of which the values of a parent lead to one
// form.
func (r Region) splitBy(q parent) (parts []Region) {
	index := map[string]int{}
	var sets [][]int
	for _, v := range r.verticesOf(q) {
		key := ""
		if f := q.forms[v]; f != nil {
			key = f.key
		}
		i, known := index[key]
		if !known {
			i = len(sets)
			index[key] = i
			sets = append(sets, nil)
		}
		sets[i] = append(sets[i], v)
	}
	if len(sets) == 1 {
		return []Region{r}
	}
	for _, set := range sets {
		parts = append(parts, r.withVertices(q.graph, set))
	}
	return parts
}

// verticesOf returns the vertices of a parent in the region.
func (r Region) verticesOf(q parent) []int {
	if value, fixed := r.fixed[q.param.Name]; fixed {
		u, _ := q.param.Encode(value)
		return []int{int(u)}
	}
	return listed(r.openVertices(q.graph), len(q.forms))
}

// form returns the form that a parameter has in all of the region; nil where that has several,
// or all values of the parameter.
func (r Region) form(p *Param) (only *form) {
	for _, q := range r.space.parents[p] {
		if !r.Active(q.param) {
			continue
		}
		for _, v := range r.verticesOf(q) {
			f := q.forms[v]
			if f == nil || only != nil && f.key != only.key {
				return nil
			}
			only = f
		}
	}
	return only
}

// formVertices returns those of openVertices that the form of the parameter has.
func (r Region) formVertices(i int) []int {
	if f := r.form(r.space.graphs[i]); f != nil {
		return inBoth(r.openVertices(i), f.open)
	}
	return r.openVertices(i)
}

// fitsFixed reports whether each value that is fixed is one of the form that its parameter has
// in the region.
func (r Region) fitsFixed() bool {
	for _, p := range r.space.multiform {
		if value, fixed := r.fixed[p.Name]; fixed && r.Active(p) {
			if f := r.form(p); f != nil {
				if u, ok := p.Encode(value); !ok || !f.contains(u) {
					return false
				}
			}
		}
	}
	return true
}

// holdsParents reports whether the region has the values at x of all parents.
func (r Region) holdsParents(x fmkernel.Point) bool {
	for _, parents := range r.space.parents {
		for _, q := range parents {
			if r.Active(q.param) && !slices.Contains(r.verticesOf(q), x.V[q.graph]) {
				return false
			}
		}
	}
	return true
}
