package kernel

import (
	"math"
	"slices"
)

// Columns holds n points by coordinate, the layout in which kernel rows are
// computed. It is immutable.
type Columns struct {
	c [][]float64 // D × n
	v [][]int32   // P × n; 1 × n zeros without graphs, for the empty product
	n int
	// usual is a value of each dimension, and rest the ascending indices of the points
	// with another, nil where these are many. Few points have another where a parameter
	// is absent from most configurations: these share the coordinate of its absence.
	usual []float64
	rest  [][]int32
}

// maxRest is up to what share of the points may have another value than the usual one.
const maxRest = 0.25

// NewColumns returns the points xs by coordinate. It panics when a point does
// not have the kernel's dimensions or a vertex is not in its graph.
func NewColumns[P ~Point](k *Kernel, xs []P) *Columns {
	cols := &Columns{c: make([][]float64, k.dims), v: make([][]int32, max(1, len(k.graphs))), n: len(xs)}
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
	cols.setUsual()
	return cols
}

// setUsual sets the usual values, and the points that have others.
func (cols *Columns) setUsual() {
	cols.usual, cols.rest = make([]float64, len(cols.c)), make([][]int32, len(cols.c))
	most := int(maxRest * float64(cols.n))
	for d, column := range cols.c {
		usual := majority(column)
		if math.IsInf(usual, 0) { // it has no distance to itself
			continue
		}
		rest := []int32{}
		for j, c := range column {
			if c != usual {
				rest = append(rest, int32(j))
			}
			if len(rest) > most {
				rest = nil
				break
			}
		}
		cols.usual[d], cols.rest[d] = usual, rest
	}
}

// majority returns the value that more than half of the column has, or any value where
// none is so frequent (Boyer and Moore, MJRTY, 1991).
func majority(column []float64) (value float64) {
	ahead := 0
	for _, c := range column {
		switch {
		case ahead == 0:
			value, ahead = c, 1
		case c == value:
			ahead++
		default:
			ahead--
		}
	}
	return value
}

// others returns which of the first n points may differ from the value c in dimension
// d, and false where those are not known.
func (cols *Columns) others(d int, c float64, n int) (indices []int32, ok bool) {
	rest := cols.rest[d]
	if rest == nil || c != cols.usual[d] {
		return nil, false
	}
	if n < cols.n {
		at, _ := slices.BinarySearch(rest, int32(n))
		rest = rest[:at]
	}
	return rest, true
}

// gather copies the coordinates of point j into dst and returns it.
func (cols *Columns) gather(dst []float64, j int) []float64 {
	for d, column := range cols.c {
		dst[d] = column[j]
	}
	return dst
}
