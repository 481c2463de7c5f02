package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Dim is a continuous dimension on [0, 1] or a part of it. Its zero value takes
// any value there.
type Dim struct {
	Levels float64   // number of equally spaced values, both ends included; 0 means a continuum
	Values []float64 // ascending values of a grid that is not equally spaced; overrides Levels

	bounded   bool
	low, high float64 // where bounded
}

// Within returns the dimension with nothing below low or above high.
func (d Dim) Within(low, high float64) Dim {
	d.low, d.high = d.bounds()
	d.bounded, d.low, d.high = true, math.Max(d.low, low), math.Min(d.high, high)
	return d
}

// bounds returns the least and the greatest value that the dimension takes, if
// it is a continuum.
func (d Dim) bounds() (low, high float64) {
	if d.bounded {
		return d.low, d.high
	}
	return 0, 1
}

// grid reports whether the dimension takes finitely many values.
func (d Dim) grid() bool { return d.Values != nil || d.Levels > 0 }

// indices returns the number of the first value of a grid within the bounds, and
// of values there.
func (d Dim) indices() (first, count float64) {
	n := d.Levels
	if d.Values != nil {
		n = float64(len(d.Values))
	}
	if !d.bounded {
		return 0, n
	}
	first = d.firstWhere(n, d.low, func(level float64) bool { return level >= d.low })
	end := d.firstWhere(n, d.high, func(level float64) bool { return level > d.high })
	return first, math.Max(0, end-first)
}

// firstWhere returns the number of the first of n levels that satisfies an
// ascending condition, which changes near a value; n if none does.
func (d Dim) firstWhere(n, near float64, ok func(level float64) bool) float64 {
	if d.Values != nil {
		return float64(sort.Search(len(d.Values), func(i int) bool { return ok(d.Values[i]) }))
	}
	i := math.Min(math.Max(math.Floor(near*(n-1))-1, 0), n)
	for range 3 { // of rounding
		if i < n && !ok(d.level(i)) {
			i++
		}
	}
	return i
}

// Count returns the number of values, +Inf for a continuum.
func (d Dim) Count() float64 {
	switch {
	case d.grid():
		_, n := d.indices()
		return n
	case d.bounded && d.low > d.high:
		return 0
	}
	return math.Inf(1)
}

// at returns value number i of the grid within the bounds.
func (d Dim) at(i float64) float64 {
	first, _ := d.indices()
	return d.level(first + i)
}

// FromUnit returns the value at quantile u in [0, 1]: each of finitely many values has the
// same share.
func (d Dim) FromUnit(u float64) float64 {
	if d.grid() {
		n := d.Count()
		return d.at(math.Min(math.Floor(u*n), n-1))
	}
	low, high := d.bounds()
	return low + u*(high-low)
}

// Contains reports whether c is within the bounds and, of a grid that is not equally
// spaced, one of its values.
func (d Dim) Contains(c float64) bool {
	low, high := d.bounds()
	return low <= c && c <= high && (d.Values == nil || slices.Contains(d.Values, c))
}

// Snap returns the value nearest to c.
func (d Dim) Snap(c float64) float64 {
	low, high := d.bounds()
	c = math.Min(math.Max(c, low), high)
	if !d.grid() {
		return c
	}
	first, n := d.indices()
	return d.level(math.Min(math.Max(d.index(c), first), first+n-1))
}

// level returns value number i of a grid, its bounds aside.
func (d Dim) level(i float64) float64 {
	if d.Values != nil {
		return d.Values[int(i)]
	}
	if d.Levels <= 1 {
		return 0
	}
	return i / (d.Levels - 1)
}

// index returns the number of the grid value nearest to c, its bounds aside.
func (d Dim) index(c float64) float64 {
	if d.Values == nil {
		return math.Round(c * (d.Levels - 1))
	}
	k := sort.SearchFloat64s(d.Values, c)
	if k == len(d.Values) || k > 0 && c-d.Values[k-1] < d.Values[k]-c {
		k--
	}
	return float64(k)
}

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
		case dom.Vertices[p] == nil || slices.Contains(dom.Vertices[p], x.V[p]):
		default:
			if near := dom.neighbors(p, x.V[p]); len(near) > 0 {
				x.V[p] = near[0]
			} else {
				x.V[p] = dom.Vertices[p][0]
			}
		}
	}
	return x
}
