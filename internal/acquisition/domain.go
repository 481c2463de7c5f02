package acquisition

import (
	"math"
	"slices"
	"sort"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Dim is a continuous dimension on [0, 1]. Its zero value takes any value.
type Dim struct {
	Levels float64   // number of equally spaced values, both ends included; 0 means a continuum
	Values []float64 // ascending values of a grid that is not equally spaced; overrides Levels
}

// count returns the number of values, +Inf for a continuum.
func (d Dim) count() float64 {
	switch {
	case d.Values != nil:
		return float64(len(d.Values))
	case d.Levels > 0:
		return d.Levels
	}
	return math.Inf(1)
}

// Snap returns the value nearest to c.
func (d Dim) Snap(c float64) float64 {
	c = math.Min(math.Max(c, 0), 1)
	switch {
	case d.Values != nil:
		i := sort.SearchFloat64s(d.Values, c)
		if i == len(d.Values) || i > 0 && c-d.Values[i-1] < d.Values[i]-c {
			i--
		}
		return d.Values[i]
	case d.Levels > 0:
		return d.level(math.Round(c * (d.Levels - 1)))
	}
	return c
}

// level returns value number i of a grid.
func (d Dim) level(i float64) float64 {
	if d.Values != nil {
		return d.Values[int(i)]
	}
	if d.Levels <= 1 {
		return 0
	}
	return i / (d.Levels - 1)
}

// index returns the number of the grid value at c.
func (d Dim) index(c float64) float64 {
	if d.Values != nil {
		return float64(sort.SearchFloat64s(d.Values, c))
	}
	return math.Round(c * (d.Levels - 1))
}

// Domain is the space to search, given what is fixed already.
type Domain struct {
	Dims   []Dim           // len D
	Graphs []*graphs.Graph // len P

	// Fixed holds the coordinates that must not change, where FixedC or FixedV
	// says so. FixedC has length D, FixedV length P.
	Fixed          fmkernel.Point
	FixedC, FixedV []bool

	// Vertices, where Vertices[p] is not nil, limits the search of graph p to
	// these vertices: on a large complete graph all vertices without data are
	// alike, and one of them stands for all.
	Vertices [][]int

	// Incumbents are the centres of the spray points, best first.
	Incumbents []fmkernel.Point

	// Excluded reports points that must not be proposed. It may be nil.
	Excluded func(fmkernel.Point) bool
}

func (dom *Domain) excluded(x fmkernel.Point) bool {
	return dom.Excluded != nil && dom.Excluded(x)
}

// vertices returns the vertices of graph p that may be proposed.
func (dom *Domain) vertices(p int) []int {
	if dom.Vertices != nil && dom.Vertices[p] != nil {
		return dom.Vertices[p]
	}
	all := make([]int, dom.Graphs[p].Order())
	for v := range all {
		all[v] = v
	}
	return all
}

// neighbors returns the vertices one hop from v that may be proposed. Hops pass
// through vertices that may not.
func (dom *Domain) neighbors(p, v int) []int {
	if dom.Vertices == nil || dom.Vertices[p] == nil {
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

// size returns the number of points, +Inf when a dimension is a continuum.
func (dom *Domain) size() float64 {
	size := 1.0
	for d, dim := range dom.Dims {
		if !dom.FixedC[d] {
			size *= dim.count()
		}
	}
	for p := range dom.Graphs {
		if !dom.FixedV[p] {
			size *= float64(len(dom.vertices(p)))
		}
	}
	return size
}

// each calls f with every point of a finite domain, in the order of the
// coordinates, until f returns false. It reuses x.
func (dom *Domain) each(f func(x fmkernel.Point) bool) {
	x := dom.Fixed.Clone()
	var digits []digit
	for d, dim := range dom.Dims {
		if !dom.FixedC[d] {
			digits = append(digits, digit{dim.count(), func(i float64) { x.C[d] = dim.level(i) }})
		}
	}
	for p := range dom.Graphs {
		if !dom.FixedV[p] {
			vs := dom.vertices(p)
			digits = append(digits, digit{float64(len(vs)), func(i float64) { x.V[p] = vs[int(i)] }})
		}
	}
	at := make([]float64, len(digits))
	for _, d := range digits {
		d.set(0)
	}
	for f(x) {
		i := len(digits) - 1
		for ; i >= 0; i-- { // odometer
			at[i]++
			if at[i] < digits[i].count {
				digits[i].set(at[i])
				break
			}
			at[i] = 0
			digits[i].set(0)
		}
		if i < 0 {
			return
		}
	}
}

// digit is a free coordinate with finitely many values.
type digit struct {
	count float64
	set   func(i float64)
}

// FirstFree returns the first point of a finite domain that is not excluded.
// It looks at one point more than there are excluded ones at most.
func (dom *Domain) FirstFree() (free fmkernel.Point, ok bool) {
	if math.IsInf(dom.size(), 1) {
		return free, false
	}
	dom.each(func(x fmkernel.Point) bool {
		if ok = !dom.excluded(x); ok {
			free = x.Clone()
		}
		return !ok
	})
	return free, ok
}

// Exhausted reports whether every point is excluded.
func (dom *Domain) Exhausted() bool {
	if math.IsInf(dom.size(), 1) {
		return false
	}
	_, ok := dom.FirstFree()
	return !ok
}

// fromUnit stores in x the point at u in the unit cube, one entry per free
// dimension and then per free graph, and returns the number of entries used.
func (dom *Domain) fromUnit(x fmkernel.Point, u []float64) {
	i := 0
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			continue
		}
		c := u[i]
		if n := dim.count(); !math.IsInf(n, 1) {
			c = dim.level(math.Min(math.Floor(c*n), n-1))
		}
		x.C[d] = c
		i++
	}
	for p := range dom.Graphs {
		if dom.FixedV[p] {
			continue
		}
		vs := dom.vertices(p)
		x.V[p] = vs[min(int(u[i]*float64(len(vs))), len(vs)-1)]
		i++
	}
}

// free returns the number of coordinates that may change.
func (dom *Domain) free() int {
	n := 0
	for _, fixed := range dom.FixedC {
		if !fixed {
			n++
		}
	}
	for _, fixed := range dom.FixedV {
		if !fixed {
			n++
		}
	}
	return n
}

// Moved returns x with the fixed coordinates.
func (dom *Domain) Moved(x fmkernel.Point) fmkernel.Point {
	x = x.Clone()
	for d, fixed := range dom.FixedC {
		if fixed {
			x.C[d] = dom.Fixed.C[d]
		}
	}
	for p, fixed := range dom.FixedV {
		if fixed {
			x.V[p] = dom.Fixed.V[p]
		}
	}
	return x
}

// Satisfies reports whether x has the fixed coordinates.
func (dom *Domain) Satisfies(x fmkernel.Point) bool {
	for d, fixed := range dom.FixedC {
		if fixed && x.C[d] != dom.Fixed.C[d] {
			return false
		}
	}
	for p, fixed := range dom.FixedV {
		if fixed && x.V[p] != dom.Fixed.V[p] {
			return false
		}
	}
	return true
}
