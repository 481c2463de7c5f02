package acquisition

import (
	"math"
	"slices"
	"sort"
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
