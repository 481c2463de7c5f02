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

// Columns holds n points by coordinate, the layout in which kernel rows are
// computed. It must not be appended to while an Evaluator reads it.
type Columns struct {
	c [][]float64 // D × n
	v [][]int32   // P × n
	n int
}

// Columns returns the points xs by coordinate. It panics when a point does not
// have the kernel's dimensions or a vertex is not in its graph.
func (k *Kernel) Columns(xs []Point) *Columns {
	cols := &Columns{c: make([][]float64, k.dims), v: make([][]int32, len(k.graphs))}
	for d := range cols.c {
		cols.c[d] = make([]float64, 0, len(xs))
	}
	for p := range cols.v {
		cols.v[p] = make([]int32, 0, len(xs))
	}
	for _, x := range xs {
		k.check(x)
		for d, c := range x.C {
			cols.c[d] = append(cols.c[d], c)
		}
		for p, v := range x.V {
			cols.v[p] = append(cols.v[p], int32(v))
		}
	}
	cols.n = len(xs)
	return cols
}

// Len returns the number of points.
func (cols *Columns) Len() int { return cols.n }

// Coordinates returns coordinate d of all points, len n, not to be modified.
func (cols *Columns) Coordinates(d int) []float64 { return cols.c[d] }

// PointTo copies point i into dst, whose slices must have the right lengths.
func (cols *Columns) PointTo(dst Point, i int) {
	cols.gather(dst.C, i)
	for p := range cols.v {
		dst.V[p] = int(cols.v[p][i])
	}
}

// gather copies the coordinates of point j into dst and returns it.
func (cols *Columns) gather(dst []float64, j int) []float64 {
	for d, column := range cols.c {
		dst[d] = column[j]
	}
	return dst
}
