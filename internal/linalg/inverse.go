package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// InverseTo stores the lower triangle of (A + jitter·I)⁻¹ in dst, n×n without
// gaps between the rows, and leaves the entries above the diagonal alone. It
// panics unless the length of dst is n².
func (c *Cholesky) InverseTo(dst []float64) {
	n := c.n
	if len(dst) != n*n {
		panic(badMatrix)
	}
	if n == 0 {
		return
	}
	// A⁻¹ = L⁻ᵀ L⁻¹. lapack64 does not offer the routine that multiplies the two.
	copyLower(dst, n, c.data, c.stride, n)
	lapack64.Trtri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Data: dst, Stride: n})
	gonum.Implementation{}.Dlauum(blas.Lower, n, dst, n)
}

// InverseDiagonalTo stores the end of the diagonal of (A + jitter·I)⁻¹ in dst, its last
// len(dst) entries, in O(len(dst)³): the trailing block of the inverse is that of
// L₂₂L₂₂ᵀ, with L₂₂ the trailing block of L, so that its diagonal has the squared norms
// of the columns of L₂₂⁻¹. It panics when dst is longer than n.
func (c *Cholesky) InverseDiagonalTo(dst []float64) {
	n, first := len(dst), c.n-len(dst)
	if first < 0 {
		panic(badMatrix)
	}
	if n == 0 {
		return
	}
	inverse := make([]float64, n*n)
	copyLower(inverse, n, c.data[first*c.stride+first:], c.stride, n)
	lapack64.Trtri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Data: inverse, Stride: n})
	clear(dst)
	for i := range n {
		for j, v := range inverse[i*n : i*n+i+1] {
			dst[j] += v * v
		}
	}
}

// copyLower copies the lower triangle of an n×n matrix.
func copyLower(dst []float64, dstStride int, src []float64, srcStride, n int) {
	for i := range n {
		copy(dst[i*dstStride:i*dstStride+i+1], src[i*srcStride:])
	}
}
