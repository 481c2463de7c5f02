package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// SolveVecTo stores A⁻¹ b in dst. Both have length n and may be the same slice.
func (c *Cholesky) SolveVecTo(dst, b []float64) {
	c.ForwardVecTo(dst, b)
	c.BackwardVecTo(dst, dst)
}

// ForwardVecTo stores L⁻¹ b in dst. Both have length n and may be the same
// slice. Where many vectors are solved for, [Cholesky.ForwardColumns] or
// [MulLower] is several times faster.
func (c *Cholesky) ForwardVecTo(dst, b []float64) { c.solveVecTo(blas.NoTrans, dst, b) }

// BackwardVecTo stores L⁻ᵀ b in dst. Both have length n and may be the same
// slice.
func (c *Cholesky) BackwardVecTo(dst, b []float64) { c.solveVecTo(blas.Trans, dst, b) }

func (c *Cholesky) solveVecTo(t blas.Transpose, dst, b []float64) {
	if len(dst) != c.n || len(b) != c.n {
		panic(badVector)
	}
	if c.n == 0 {
		return
	}
	copy(dst, b)
	blas64.Trsv(t, c.triangular(), blas64.Vector{N: c.n, Data: dst, Inc: 1})
}

// ForwardColumns replaces the n×m matrix B by L⁻¹ B. Row i of B is
// b[i*stride : i*stride+m]; entries outside the rows are left alone. Right-hand
// sides as columns are the layout that gonum solves fastest. ForwardColumns
// panics if stride < m or b is too short.
func (c *Cholesky) ForwardColumns(b []float64, m, stride int) {
	switch {
	case m < 0:
		panic(badOrder)
	case stride < m:
		panic(badStride)
	case c.n == 0 || m == 0:
		return
	case len(b) < (c.n-1)*stride+m:
		panic(badMatrix)
	}
	blas64.Trsm(blas.Left, blas.NoTrans, 1, c.triangular(), blas64.General{Rows: c.n, Cols: m, Data: b, Stride: stride})
}
