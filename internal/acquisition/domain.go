package acquisition

import (
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Domain is the space to search, given what is fixed already.
type Domain struct {
	Dims   []Dim           // len D
	Graphs []*graphs.Graph // len P

	// Fixed holds the coordinates that must not change, where FixedC or FixedV
	// says so. FixedC has length D, FixedV length P.
	Fixed          fmkernel.Point
	FixedC, FixedV []bool

	// Vertices[p] holds the vertices of graph p that may be proposed; nil means all.
	Vertices [][]int // len P

	// Incumbents are what the spray points are drawn around, best first.
	Incumbents []fmkernel.Point

	// Excluded reports points that must not be proposed. It may be nil.
	Excluded func(fmkernel.Point) bool
}

func (dom *Domain) excluded(x fmkernel.Point) bool {
	return dom.Excluded != nil && dom.Excluded(x)
}

// Allowed returns the vertices of graph p that may be proposed, not to be modified.
func (dom *Domain) Allowed(p int) []int {
	if dom.Vertices[p] != nil {
		return dom.Vertices[p]
	}
	all := make([]int, dom.Graphs[p].Order())
	for v := range all {
		all[v] = v
	}
	return all
}

// KeepVertices leaves, of the vertices of graph p that may be proposed, those that satisfy
// a condition.
func (dom *Domain) KeepVertices(p int, keep func(v int) bool) {
	dom.Vertices[p] = slices.DeleteFunc(slices.Clone(dom.Allowed(p)), func(v int) bool { return !keep(v) })
}

// neighbors returns the vertices one hop from v that may be proposed. Hops pass
// through vertices that may not.
func (dom *Domain) neighbors(p, v int) []int {
	if dom.Vertices[p] == nil {
		return dom.Graphs[p].Neighbors(v)
	}
	if dom.Graphs[p].Shape() == graphs.ShapeComplete {
		return slices.DeleteFunc(slices.Clone(dom.Vertices[p]), func(w int) bool { return w == v })
	}
	var near []int
	seen := map[int]bool{v: true}
	for from := []int{v}; len(from) > 0; from = from[1:] {
		for _, w := range dom.Graphs[p].Neighbors(from[0]) {
			switch {
			case seen[w]:
			case slices.Contains(dom.Vertices[p], w):
				near = append(near, w)
			default:
				from = append(from, w)
			}
			seen[w] = true
		}
	}
	slices.Sort(near)
	return near
}

// Size returns the number of points, +Inf when a dimension is a continuum.
func (dom *Domain) Size() float64 {
	size := 1.0
	for _, c := range dom.Free() {
		if c.Count == 0 {
			return 0
		}
		size *= c.Count
	}
	return size
}

// A Coordinate is a free coordinate of a domain.
type Coordinate struct {
	Dim, Graph int     // which one; the other is -1
	Count      float64 // number of values, +Inf for a continuum
	// Set moves a point to value number i, of finitely many.
	Set func(x fmkernel.Point, i float64)
}

// Free returns the coordinates that may change, in order.
func (dom *Domain) Free() []Coordinate {
	var free []Coordinate
	for d, dim := range dom.Dims {
		if !dom.FixedC[d] {
			free = append(free, Coordinate{d, -1, dim.Count(), func(x fmkernel.Point, i float64) { x.C[d] = dim.at(i) }})
		}
	}
	for p := range dom.Graphs {
		if !dom.FixedV[p] {
			vs := dom.Allowed(p)
			free = append(free, Coordinate{-1, p, float64(len(vs)), func(x fmkernel.Point, i float64) { x.V[p] = vs[int(i)] }})
		}
	}
	return free
}

// each calls f with every point of a finite domain that is not empty, in the order
// of the coordinates. It reuses x.
func (dom *Domain) each(f func(x fmkernel.Point)) {
	x, free := dom.Fixed.Clone(), dom.Free()
	at := make([]float64, len(free))
	for _, c := range free {
		c.Set(x, 0)
	}
	for {
		f(x)
		i := len(free) - 1
		for ; i >= 0; i-- { // odometer
			if at[i]++; at[i] < free[i].Count {
				free[i].Set(x, at[i])
				break
			}
			at[i] = 0
			free[i].Set(x, 0)
		}
		if i < 0 {
			return
		}
	}
}

// fromUnit stores in x the point at u in the unit cube, one entry per free
// dimension and then per free graph.
func (dom *Domain) fromUnit(x fmkernel.Point, u []float64) {
	i := 0
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			continue
		}
		x.C[d] = dim.FromUnit(u[i])
		i++
	}
	for p := range dom.Graphs {
		if dom.FixedV[p] {
			continue
		}
		vs := dom.Allowed(p)
		x.V[p] = vs[min(int(u[i]*float64(len(vs))), len(vs)-1)]
		i++
	}
}

// Draw returns a random point of a domain that is not empty.
func (dom *Domain) Draw(rng *rand.Rand) fmkernel.Point {
	x, u := dom.Fixed.Clone(), make([]float64, len(dom.Free()))
	for i := range u {
		u[i] = rng.Float64()
	}
	dom.fromUnit(x, u)
	return x
}

// Nearest returns the point of a domain that is not empty which is nearest to x,
// one coordinate after the other: of several vertices the first.
func (dom *Domain) Nearest(x fmkernel.Point) fmkernel.Point {
	x = x.Clone()
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			x.C[d] = dom.Fixed.C[d]
		} else {
			x.C[d] = dim.Snap(x.C[d])
		}
	}
	for p := range dom.Graphs {
		switch {
		case dom.FixedV[p]:
			x.V[p] = dom.Fixed.V[p]
		case dom.Vertices[p] != nil && !slices.Contains(dom.Vertices[p], x.V[p]):
			x.V[p] = dom.neighbors(p, x.V[p])[0] // graphs are connected
		}
	}
	return x
}
