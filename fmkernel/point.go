package fmkernel

import "slices"

// Point is (c, v) in R^D × V_1 × … × V_P.
type Point struct {
	C []float64 // continuous coordinates, len D
	V []int     // one vertex per graph, len P
}

// Clone returns a copy that shares nothing with x.
func (x Point) Clone() Point {
	return Point{C: slices.Clone(x.C), V: slices.Clone(x.V)}
}

// Equal reports whether two points have the same coordinates.
func (x Point) Equal(y Point) bool { return slices.Equal(x.C, y.C) && slices.Equal(x.V, y.V) }
