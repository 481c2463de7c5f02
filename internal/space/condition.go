package space

import (
	"math"
	"slices"
)

// Condition is what a region demands of one parameter, which is active there:
// one of some vertices of its graph, ascending, or a coordinate of its dimension
// from Lower up to, and without, Upper.
type Condition struct {
	Param        *Param
	Vertices     []int // nil for a dimension
	Lower, Upper float64
}

// Conditions returns what leads into the region, by the names of the parameters;
// parameters of which all values do are left out.
func (r Region) Conditions() []Condition {
	var conditions []Condition
	for _, p := range r.space.params {
		if !r.Active(p) {
			continue
		}
		i := r.space.index[p]
		if p.Graph != nil {
			if vs := r.openVertices(i); len(vs) > 0 && len(vs) < int(p.Count()) {
				conditions = append(conditions, Condition{Param: p, Vertices: vs})
			}
		} else if r.lower[i] > 0 || r.upper[i] <= 1 {
			conditions = append(conditions, Condition{Param: p, Lower: r.lower[i], Upper: r.upper[i]})
		}
	}
	return conditions
}

// Reached reports whether the values lead into the region: each of its conditions has
// one, and none rules it out.
func (r Region) Reached(values Values) bool {
	return r.LedTo(values) && !slices.ContainsFunc(r.Conditions(), func(c Condition) bool {
		_, ok := values.Internal[c.Param.Name]
		return !ok
	})
}

// Ends returns the coordinates of the first and the last value of a dimension
// that satisfy the condition.
func (c Condition) Ends() (first, last float64) {
	dim := c.Param.dim.Within(c.Param.endsWithin(c.Lower, c.Upper))
	return dim.Snap(0), dim.Snap(1)
}

// endsWithin returns the first and the last coordinate of lower ≤ u < upper that is one of
// its value, too: rounding may take an end out of the range, and the trial to another region.
func (p *Param) endsWithin(lower, upper float64) (first, last float64) {
	first, last = lower, math.Nextafter(upper, math.Inf(-1))
	if !math.IsInf(p.Count(), 1) {
		return first, last
	}
	leaves := func(u float64) bool {
		v, _ := p.Encode(p.Decode(u))
		return !(lower <= v && v < upper)
	}
	const ulp = 0x1p-53
	for off := ulp; off < 0x1p-40 && lower > 0 && leaves(first); off *= 2 {
		first = lower + off
	}
	for off := ulp; off < 0x1p-40 && upper <= 1 && leaves(last); off *= 2 {
		last = upper - off
	}
	return first, last
}

// Holds reports whether a coordinate satisfies the condition.
func (c Condition) Holds(u float64) bool {
	if c.Vertices != nil {
		return slices.Contains(c.Vertices, int(u))
	}
	return c.Lower <= u && u < c.Upper
}
