// Package linalg factorises, extends and inverts dense symmetric positive
// definite matrices in plain slices, so that callers can reuse buffers across
// thousands of likelihood evaluations.
//
//	A     n×n  symmetric positive definite
//	L     n×n  lower Cholesky factor, L Lᵀ = A + jitter·I
//
// Matrices are row-major. Of a symmetric or triangular matrix only the lower
// triangle is read or written unless a function says otherwise. Arithmetic goes
// through gonum's blas64 and lapack64, so that an implementation registered
// with blas64.Use serves here too.
//
// Wrong lengths panic. A matrix that is not positive definite, even after
// jitter, is an error.
package linalg
