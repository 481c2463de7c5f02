package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// Region is what a trial may still become: a part of the space whose
// configurations have the same active parameters, with bounds, the vertices that
// are left, and what is fixed. Its methods return changed copies.
type Region struct {
	// Seen holds the configurations that were seen in it, by index. Where there are
	// none, a choice was never made, and nobody knows what follows it: then the active
	// parameters are those that are active in all sibling regions.
	Seen []int
	// Activity is that of each of its configurations.
	Activity Activity

	space        *Space
	activities   map[Activity]bool  // those of the configurations that were seen
	unmade       int                // graph of which no trial has these vertices, -1 for none
	vertices     [][]int            // by graph: values that lead here, nil for all
	lower, upper []float64          // by dimension: values that lead here, upper not included
	fixed        map[string]float64 // values that are decided, as they were given
}

// Root returns the region of all configurations, with no optional parameter
// active.
func (s *Space) Root() Region {
	r := Region{
		space: s, Activity: s.none, unmade: -1, vertices: make([][]int, len(s.graphs)),
		lower: make([]float64, len(s.dims)), upper: make([]float64, len(s.dims)),
	}
	for d := range s.dims {
		r.lower[d], r.upper[d] = math.Inf(-1), math.Inf(1)
	}
	return r
}

// withVertices returns the region with other vertices of graph i.
func (r Region) withVertices(i int, vertices []int) Region {
	r.vertices = slices.Clone(r.vertices)
	r.vertices[i] = vertices
	return r
}

// cutAt returns the parts of the region below a coordinate of a parameter, and from it on.
func (r Region) cutAt(p *Param, threshold float64) []Region {
	below, above := r, r
	i := r.space.index[p]
	if p.Graph == nil {
		below.upper, above.lower = slices.Clone(r.upper), slices.Clone(r.lower)
		below.upper[i], above.lower[i] = threshold, threshold
		return []Region{below, above}
	}
	vertices := r.listedVertices(i)
	k := sort.Search(len(vertices), func(k int) bool { return float64(vertices[k]) >= threshold })
	return []Region{r.withVertices(i, vertices[:k:k]), r.withVertices(i, vertices[k:])}
}

// Active reports whether configurations of the region have the parameter.
func (r Region) Active(p *Param) bool { return r.space.activeIn(r.Activity, p) }

// Activate returns the region with the parameters active, and all that are active
// together with them.
func (r Region) Activate(params ...*Param) Region {
	for _, p := range params {
		if g, optional := r.space.groupOf[p.Name]; optional {
			r.Activity = r.Activity.with(g)
		}
	}
	return r
}

// Fix returns the region with the given values fixed, which must be values of
// their distributions. ok is false where one of them leads elsewhere.
func (r Region) Fix(values map[string]float64) (fixed Region, ok bool) {
	ok = r.LedTo(r.space.Values(values))
	r.fixed = make(map[string]float64, len(values))
	for _, p := range r.space.params {
		if value, given := values[p.Name]; given {
			r.fixed[p.Name] = value
		}
	}
	return r, ok
}

// LedTo reports whether no value, of the distributions that it comes from, rules
// out the region.
func (r Region) LedTo(values Values) bool {
	for _, p := range r.space.params {
		if value, ok := values.Internal[p.Name]; ok {
			if u, ok := p.EncodeFrom(value, values.Distributions[p.Name]); !ok || !r.allows(p, u) {
				return false
			}
		}
	}
	return true
}

// allows reports whether the coordinate of a parameter leads into the region.
func (r Region) allows(p *Param, u float64) bool {
	i := r.space.index[p]
	if p.Graph != nil {
		return r.vertices[i] == nil || slices.Contains(r.vertices[i], int(u))
	}
	return r.lower[i] <= u && u < r.upper[i]
}

// Isolate parts a region of a choice that was never made, which the values lead to: into
// that of the value chosen, and that of the other values. ok is false where there are
// none, or where the region is no such one.
func (r Region) Isolate(values Values) (chosen, rest Region, ok bool) {
	if r.unmade < 0 {
		return r, rest, false
	}
	p := r.space.graphs[r.unmade]
	v, _ := p.EncodeFrom(values.Internal[p.Name], values.Distributions[p.Name])
	others := slices.DeleteFunc(slices.Clone(r.vertices[r.unmade]), func(other int) bool { return other == int(v) })
	return r.withVertices(r.unmade, []int{int(v)}), r.withVertices(r.unmade, others), len(others) > 0
}

// Decided reports whether nothing in the region is left to be decided.
func (r Region) Decided() bool {
	for _, p := range r.space.params {
		if _, fixed := r.fixed[p.Name]; !fixed && r.Active(p) {
			return false
		}
	}
	return true
}

// NumActive returns the number of the given parameters that are active.
func (r Region) NumActive(params []*Param) int {
	n := 0
	for _, p := range params {
		if r.Active(p) {
			n++
		}
	}
	return n
}

// Saw reports whether a configuration that was seen in the region has the activity. Where
// values do not explain which parameters are active, several were seen.
func (r Region) Saw(a Activity) bool { return r.activities[a] }

// Contains reports whether x is a configuration of the region: it has its active
// parameters, values that lead here, that are values of the present distributions, and
// what is fixed.
func (r Region) Contains(x fmkernel.Point) bool {
	return r.space.Activity(x) == r.Activity && r.holds(x)
}

// MayHave reports whether a trial that comes to the region may have the configuration x:
// one that it contains, or with the active parameters of another one that was seen here.
func (r Region) MayHave(x fmkernel.Point) bool {
	a := r.space.Activity(x)
	return (a == r.Activity || r.Saw(a)) && r.holds(x)
}

// holds reports whether the values at x lead here, are values of the present
// distributions, and what is fixed.
func (r Region) holds(x fmkernel.Point) bool {
	s := r.space
	astray := func(p *Param) bool { return s.Active(x, p) && !r.allows(p, s.Coordinate(x, p)) }
	return !slices.ContainsFunc(s.params, astray) && s.attainable(x) && s.hasValues(x, r.fixed)
}

// MoveInto returns the configuration of the region that is nearest to x, one
// coordinate after the other: what is fixed in its place, bounds for what lies
// beyond them, and the nearest open vertex for one that is not. ok is false where
// x lacks a parameter that the region has.
func (r Region) MoveInto(x fmkernel.Point) (y fmkernel.Point, ok bool) { return r.Mover()(x) }

// Mover returns MoveInto as a function for many points: the domain is made once.
func (r Region) Mover() func(x fmkernel.Point) (y fmkernel.Point, ok bool) {
	dom := r.Domain()
	return func(x fmkernel.Point) (y fmkernel.Point, ok bool) {
		if !r.space.Activity(x).Includes(r.Activity) {
			return x, false
		}
		y = dom.Nearest(x)
		if !r.space.FitsForms(y) {
			for _, part := range r.Parts() {
				if part.holdsParents(y) {
					return part.Domain().Nearest(y), true
				}
			}
		}
		return y, true
	}
}

// Domain returns the region as a domain of the acquisition function. One that has Parts is
// larger than they are: values in it need not come together.
func (r Region) Domain() *acquisition.Domain {
	s := r.space
	x := s.newPoint()
	dom := &acquisition.Domain{
		Dims: make([]acquisition.Dim, len(x.C)), Graphs: make([]*graphs.Graph, len(x.V)),
		Fixed: x, FixedC: make([]bool, len(x.C)), FixedV: make([]bool, len(x.V)), Vertices: make([][]int, len(x.V)),
	}
	for g := range s.groups {
		if c := s.groups[g].presence; c >= 0 {
			dom.FixedC[c] = true
			if r.Activity.has(g) {
				x.C[c] = 1
			}
		}
	}
	for d, p := range s.dims {
		dom.Dims[d] = p.dim
		value, fixed := r.fixed[p.Name]
		switch {
		case !r.Active(p):
			x.C[d], dom.FixedC[d] = p.absent(), true
		case fixed:
			x.C[d], dom.FixedC[d] = p.Encode(value)
		default:
			if f := r.form(p); f != nil {
				dom.Dims[d] = f.dim
			}
			if r.lower[d] > 0 || r.upper[d] <= 1 {
				dom.Dims[d] = dom.Dims[d].Within(p.endsWithin(r.lower[d], r.upper[d]))
			}
		}
	}
	for i, p := range s.graphs {
		dom.Graphs[i] = p.Graph
		value, fixed := r.fixed[p.Name]
		switch {
		case !r.Active(p):
			x.V[i], dom.FixedV[i] = int(p.absent()), true
		case fixed:
			u, _ := p.Encode(value)
			x.V[i], dom.FixedV[i] = int(u), true
		default:
			dom.Vertices[i] = r.formVertices(i)
		}
	}
	return dom
}

// openVertices returns the vertices of graph i that a trial may have, nil for all, in any form
// of the parameter.
func (r Region) openVertices(i int) []int {
	return inBoth(r.vertices[i], r.space.graphs[i].Open)
}

// inBoth returns the vertices that two sets have in common, of which nil is that of all.
func inBoth(a, b []int) []int {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(v int) bool { return !slices.Contains(b, v) })
}

// listedVertices returns the vertices of graph i that a trial may have, in ascending order.
func (r Region) listedVertices(i int) []int {
	return listed(r.formVertices(i), r.space.graphs[i].Graph.Order())
}

// listed returns the vertices of a set, which is nil for all n.
func listed(set []int, n int) []int {
	if set != nil {
		return set
	}
	all := make([]int, n)
	for v := range all {
		all[v] = v
	}
	return all
}

// Empty reports whether no configuration is left.
func (r Region) Empty() bool {
	return !slices.ContainsFunc(r.Parts(), func(part Region) bool { return part.Domain().Size() > 0 })
}

// Take returns those of the values that the region's configurations have, with
// what is fixed in its place, and false when they lead elsewhere.
func (r Region) Take(values map[string]float64) (taken map[string]float64, ok bool) {
	taken = make(map[string]float64, len(values))
	for _, p := range r.space.params {
		if !r.Active(p) {
			continue
		}
		if value, ok := r.fixed[p.Name]; ok {
			taken[p.Name] = value
		} else if value, ok := values[p.Name]; ok {
			taken[p.Name] = value
		}
	}
	return taken, r.LedTo(r.space.Values(taken))
}

// Draw returns a random configuration of the region, which is not empty.
func (r Region) Draw(rng *rand.Rand) fmkernel.Point {
	parts := r.Parts()
	if len(parts) > 1 {
		r = parts[rng.IntN(len(parts))]
	}
	return r.Domain().Draw(rng)
}
