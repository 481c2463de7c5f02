package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// block is the number of rows multiplied at a time: enough to keep gemv busy,
// few enough to skip most of the zeros above the diagonal.
const block = 64

// MulLower stores L⁻¹ x in dst, given L⁻¹ as [Cholesky.InverseTo] returns it,
// with zeros above the diagonal. It costs a fraction of a triangular solve, but
// carries the error of the explicit inverse. dst and x have length n and must
// not overlap.
func MulLower(dst, linv, x []float64, n int) {
	checkMul(dst, linv, x, n)
	for i := 0; i < n; i += block {
		end := min(i+block, n)
		blas64.Gemv(blas.NoTrans, 1, rows(linv, n, i, end), vector(x[:end]), 0, vector(dst[i:end]))
	}
}

// MulLowerTrans stores L⁻ᵀ x in dst. The rest is as for [MulLower].
func MulLowerTrans(dst, linv, x []float64, n int) {
	checkMul(dst, linv, x, n)
	clear(dst)
	for i := 0; i < n; i += block {
		end := min(i+block, n)
		blas64.Gemv(blas.Trans, 1, rows(linv, n, i, end), vector(x[i:end]), 1, vector(dst[:end]))
	}
}

// rows returns rows i to end of the lower triangular n×n matrix l, up to the
// last column that is not zero.
func rows(l []float64, n, i, end int) blas64.General {
	return blas64.General{Rows: end - i, Cols: end, Data: l[i*n:], Stride: n}
}

func vector(x []float64) blas64.Vector {
	return blas64.Vector{N: len(x), Data: x, Inc: 1}
}

func checkMul(dst, linv, x []float64, n int) {
	switch {
	case n < 0:
		panic(badOrder)
	case len(linv) != n*n:
		panic(badMatrix)
	case len(dst) != n || len(x) != n:
		panic(badVector)
	}
}
