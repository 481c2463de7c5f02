package fmkernel

// Point is (c, v) in R^D × V_1 × … × V_P.
type Point struct {
	C []float64 // continuous coordinates, len D
	V []int     // one vertex per graph, len P
}

// Clone returns a copy that shares nothing with x.
func (x Point) Clone() Point {
	return Point{C: append([]float64(nil), x.C...), V: append([]int(nil), x.V...)}
}
