package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// InverseTo stores L⁻¹ in linv, with zeros above the diagonal, and the lower
// triangle of (A + jitter·I)⁻¹ in ainv, whose entries above the diagonal are
// left alone. Both are n×n without gaps between the rows. Either may be nil;
// otherwise InverseTo panics unless its length is n².
func (c *Cholesky) InverseTo(linv, ainv []float64) {
	n := c.n
	if (linv != nil && len(linv) != n*n) || (ainv != nil && len(ainv) != n*n) {
		panic(badMatrix)
	}
	if n == 0 {
		return
	}
	if linv != nil {
		clear(linv)
		c.inverseFactorTo(linv)
	}
	if ainv == nil {
		return
	}
	if linv == nil {
		c.inverseFactorTo(ainv)
	} else {
		copyLower(ainv, n, linv, n, n)
	}
	// A⁻¹ = L⁻ᵀ L⁻¹. lapack64 does not offer this routine.
	gonum.Implementation{}.Dlauum(blas.Lower, n, ainv, n)
}

// ExtendInverse fills the rows from n on of L⁻¹, stored in linv as InverseTo
// stores it, given the first n: what is left to do after an Extend. It panics
// unless the length of linv is the square of the order.
func (c *Cholesky) ExtendInverse(linv []float64, n int) {
	size := c.n
	k := size - n
	switch {
	case n < 0 || k < 0:
		panic(badOrder)
	case len(linv) != size*size:
		panic(badMatrix)
	case k == 0:
		return
	}
	// [L₀ 0]⁻¹   [   L₀⁻¹     0 ]
	// [X  Y]   = [-Y⁻¹XL₀⁻¹  Y⁻¹]
	y := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: k, Data: c.data[n*c.stride+n:], Stride: c.stride}
	for j := 0; j < n; j += block {
		end := min(j+block, n)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, -1,
			blas64.General{Rows: k, Cols: n - j, Data: c.data[n*c.stride+j:], Stride: c.stride},
			blas64.General{Rows: n - j, Cols: end - j, Data: linv[j*size+j:], Stride: size},
			0, blas64.General{Rows: k, Cols: end - j, Data: linv[n*size+j:], Stride: size})
	}
	if n > 0 {
		blas64.Trsm(blas.Left, blas.NoTrans, 1, y, blas64.General{Rows: k, Cols: n, Data: linv[n*size:], Stride: size})
	}
	corner := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: k, Data: linv[n*size+n:], Stride: size}
	for i := range k {
		row := linv[(n+i)*size+n : (n+i+1)*size]
		clear(row)
		copy(row[:i+1], y.Data[i*c.stride:])
	}
	lapack64.Trtri(corner)
}

// inverseFactorTo stores L⁻¹ in the lower triangle of dst.
func (c *Cholesky) inverseFactorTo(dst []float64) {
	copyLower(dst, c.n, c.data, c.stride, c.n)
	lapack64.Trtri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: c.n, Data: dst, Stride: c.n})
}

// copyLower copies the lower triangle of an n×n matrix.
func copyLower(dst []float64, dstStride int, src []float64, srcStride, n int) {
	for i := range n {
		copy(dst[i*dstStride:i*dstStride+i+1], src[i*srcStride:])
	}
}
