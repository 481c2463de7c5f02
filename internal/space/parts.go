package space

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// maxParts bounds the parts of a region: each is searched by itself.
const maxParts = 64

// Parts returns the region in parts of which each has one form of every parameter: what a
// decider leaves of another parameter holds for all configurations of a part. Without such
// parameters it is the region. Of more than maxParts, not all are told apart; and where
// what is fixed does not come together, there is one.
func (r Region) Parts() []Region {
	s := r.space
	if len(s.formed) == 0 {
		return []Region{r}
	}
	parts := []Region{r}
	for _, f := range s.formed {
		if !r.Active(f.param) {
			continue
		}
		for _, d := range f.deciders {
			if _, fixed := r.fixed[d.param.Name]; fixed || !r.Active(d.param) {
				continue
			}
			var split []Region
			for _, part := range parts {
				split = append(split, part.by(d)...)
			}
			if len(split) <= maxParts {
				parts = split
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(part Region) bool { return !part.followsFixed() || part.Domain().Size() == 0 })
	if len(parts) == 0 {
		return []Region{r}
	}
	return parts
}

// by parts the region by what the values of a decider leave.
func (r Region) by(d decider) (parts []Region) {
	index := map[string]int{}
	for _, v := range r.valuesOf(d) {
		key := ""
		if l := d.limits[v]; l != nil {
			key = l.key
		}
		i, known := index[key]
		if !known {
			i = len(parts)
			index[key] = i
			parts = append(parts, r.clone())
			parts[i].vertices[d.graph] = nil
		}
		parts[i].vertices[d.graph] = append(parts[i].vertices[d.graph], v)
	}
	if len(parts) == 1 {
		return []Region{r}
	}
	return parts
}

// valuesOf returns the vertices of a decider in the region.
func (r Region) valuesOf(d decider) []int {
	if value, fixed := r.fixed[d.param.Name]; fixed {
		u, _ := d.param.Encode(value)
		return []int{int(u)}
	}
	return listed(r.openVertices(d.graph), len(d.limits))
}

// limit returns what the region leaves of a parameter, nil for all of it: also where its
// values leave several things.
func (r Region) limit(p *Param) (only *limit) {
	f := r.space.formedBy[p]
	if f == nil {
		return nil
	}
	for _, d := range f.deciders {
		if !r.Active(d.param) {
			continue
		}
		for _, v := range r.valuesOf(d) {
			l := d.limits[v]
			if l == nil || only != nil && l.key != only.key {
				return nil
			}
			only = l
		}
	}
	return only
}

// limitedVertices returns those of openVertices that the region leaves.
func (r Region) limitedVertices(i int) []int {
	if l := r.limit(r.space.graphs[i]); l != nil {
		return inBoth(r.openVertices(i), l.open)
	}
	return r.openVertices(i)
}

// followsFixed reports whether the region leaves the values that are fixed.
func (r Region) followsFixed() bool {
	for _, f := range r.space.formed {
		if value, fixed := r.fixed[f.param.Name]; fixed && r.Active(f.param) {
			if l := r.limit(f.param); l != nil {
				if u, ok := f.param.Encode(value); !ok || !l.contains(u) {
					return false
				}
			}
		}
	}
	return true
}

// holdsDeciders reports whether the region has the values at x of what decides about others.
func (r Region) holdsDeciders(x fmkernel.Point) bool {
	for _, f := range r.space.formed {
		for _, d := range f.deciders {
			if r.Active(d.param) && !slices.Contains(r.valuesOf(d), x.V[d.graph]) {
				return false
			}
		}
	}
	return true
}
