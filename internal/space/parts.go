package space

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// maxParts bounds the parts of a region: each is searched by itself.
const maxParts = 64

// Parts returns the region in parts of which each has one form of every parameter: what its
// parent leaves of a parameter holds for all configurations of a part. Without such
// parameters it is the region. Of more than maxParts, not all are told apart; and where
// what is fixed does not come together, there is one.
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
				split = append(split, part.by(q)...)
			}
			if len(split) <= maxParts {
				parts = split
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(part Region) bool { return !part.leavesFixed() || part.Domain().Size() == 0 })
	if len(parts) == 0 {
		return []Region{r}
	}
	return parts
}

// by parts the region by what the values of a parent leave.
func (r Region) by(q parent) (parts []Region) {
	index := map[string]int{}
	var sets [][]int
	for _, v := range r.verticesOf(q) {
		key := ""
		if l := q.limits[v]; l != nil {
			key = l.key
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
	return listed(r.openVertices(q.graph), len(q.limits))
}

// limit returns what the region leaves of a parameter, nil for all of it: also where its
// values leave several things.
func (r Region) limit(p *Param) (only *limit) {
	for _, q := range r.space.parents[p] {
		if !r.Active(q.param) {
			continue
		}
		for _, v := range r.verticesOf(q) {
			l := q.limits[v]
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

// leavesFixed reports whether the region leaves the values that are fixed.
func (r Region) leavesFixed() bool {
	for _, p := range r.space.multiform {
		if value, fixed := r.fixed[p.Name]; fixed && r.Active(p) {
			if l := r.limit(p); l != nil {
				if u, ok := p.Encode(value); !ok || !l.contains(u) {
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
