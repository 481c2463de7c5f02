package kernel

// Columns holds n points by coordinate, the layout in which kernel rows are
// computed. It is immutable.
type Columns struct {
	c [][]float64 // D × n
	v [][]int32   // P × n
	n int
}

// NewColumns returns the points xs by coordinate. It panics when a point does
// not have the kernel's dimensions or a vertex is not in its graph.
func NewColumns[P ~Point](k *Kernel, xs []P) *Columns {
	cols := &Columns{c: make([][]float64, k.dims), v: make([][]int32, len(k.graphs)), n: len(xs)}
	for d := range cols.c {
		cols.c[d] = make([]float64, len(xs))
	}
	for p := range cols.v {
		cols.v[p] = make([]int32, len(xs))
	}
	for i := range xs {
		x := Point(xs[i])
		k.CheckPoint(x)
		for d, c := range x.C {
			cols.c[d][i] = c
		}
		for p, v := range x.V {
			cols.v[p][i] = int32(v)
		}
	}
	return cols
}

// gather copies the coordinates of point j into dst and returns it.
func (cols *Columns) gather(dst []float64, j int) []float64 {
	for d, column := range cols.c {
		dst[d] = column[j]
	}
	return dst
}
