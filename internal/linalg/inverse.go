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
