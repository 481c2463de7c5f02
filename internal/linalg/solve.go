package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// block is the number of rows whose products with what is solved already are taken
// together: enough to keep gemv busy, few enough to leave it most of the work.
const block = 32

// narrow is the number of columns up to which they are solved for in plain Go: from
// about 40 on, gonum is faster.
const narrow = 24

// quads has the scratch space of forwardNarrow.
var quads = sync.Pool{New: func() any { return new([][4]float64) }}

// SolveVecTo stores A⁻¹ b in dst. Both have length n and may be the same slice.
func (c *Cholesky) SolveVecTo(dst, b []float64) {
	c.ForwardVecTo(dst, b)
	c.BackwardVecTo(dst, dst)
}

// ForwardVecTo stores L⁻¹ b in dst. Both have length n and may be the same
// slice. Where many vectors are solved for, [Cholesky.ForwardColumns] is several
// times faster.
func (c *Cholesky) ForwardVecTo(dst, b []float64) { c.solveVecTo(blas.NoTrans, dst, b) }

// BackwardVecTo stores L⁻ᵀ b in dst. Both have length n and may be the same
// slice.
func (c *Cholesky) BackwardVecTo(dst, b []float64) { c.solveVecTo(blas.Trans, dst, b) }

func (c *Cholesky) solveVecTo(t blas.Transpose, dst, b []float64) {
	if len(dst) != c.n || len(b) != c.n {
		panic(badVector)
	}
	copy(dst, b)
	if t == blas.Trans {
		// From the last block of rows to the first.
		for end := c.n; end > 0; {
			i := (end - 1) / block * block
			at := vector(dst[i:end])
			blas64.Trsv(t, c.diagonal(i, end), at)
			if i > 0 {
				blas64.Gemv(t, -1, c.left(i, end), at, 1, vector(dst[:i]))
			}
			end = i
		}
		return
	}
	for i := 0; i < c.n; i += block {
		end := min(i+block, c.n)
		at := vector(dst[i:end])
		if i > 0 {
			blas64.Gemv(t, -1, c.left(i, end), vector(dst[:i]), 1, at)
		}
		blas64.Trsv(t, c.diagonal(i, end), at)
	}
}

func vector(x []float64) blas64.Vector {
	return blas64.Vector{N: len(x), Data: x, Inc: 1}
}

// diagonal returns the block of L in rows and columns i to end.
func (c *Cholesky) diagonal(i, end int) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: end - i, Data: c.data[i*c.stride+i:], Stride: c.stride}
}

// left returns rows i to end of L, up to the diagonal block.
func (c *Cholesky) left(i, end int) blas64.General {
	return blas64.General{Rows: end - i, Cols: i, Data: c.data[i*c.stride:], Stride: c.stride}
}

// ForwardColumns replaces the n×m matrix B by L⁻¹ B. Row i of B is b[i*m : (i+1)*m].
// Right-hand sides as columns are the layout that gonum solves fastest. ForwardColumns
// panics if b has not the length n*m.
func (c *Cholesky) ForwardColumns(b []float64, m int) {
	switch {
	case m < 0:
		panic(badOrder)
	case len(b) != c.n*m:
		panic(badMatrix)
	case len(b) == 0:
		return
	}
	if m <= narrow {
		c.forwardNarrow(b, m)
		return
	}
	blas64.Trsm(blas.Left, blas.NoTrans, 1, c.triangular(), blas64.General{Rows: c.n, Cols: m, Data: b, Stride: m})
}

// forwardNarrow is ForwardColumns for few columns: four at a time, packed, where
// gonum works along the rows of B, which are short then. Operations have gonum's
// order, and a product that is subtracted stands in float64(…), so that no compiler
// fuses the two: on amd64 a column is the same to the bit, however many there are.
func (c *Cholesky) forwardNarrow(b []float64, m int) {
	scratch := quads.Get().(*[][4]float64)
	defer quads.Put(scratch)
	if len(*scratch) < c.n {
		*scratch = make([][4]float64, c.n)
	}
	x := (*scratch)[:c.n]
	for from := 0; from < m; from += 4 {
		width := min(4, m-from)
		for i := range x {
			row := b[i*m+from:][:width]
			copy(x[i][:], row)
			x0, x1, x2, x3 := x[i][0], x[i][1], x[i][2], x[i][3]
			left := c.data[i*c.stride:][:i+1]
			solved := x[:i]
			for k, l := range left[:len(solved)] {
				y := &solved[k]
				x0 -= float64(l * y[0])
				x1 -= float64(l * y[1])
				x2 -= float64(l * y[2])
				x3 -= float64(l * y[3])
			}
			inverse := 1 / left[i]
			x[i] = [4]float64{x0 * inverse, x1 * inverse, x2 * inverse, x3 * inverse}
			copy(row, x[i][:])
		}
	}
}
