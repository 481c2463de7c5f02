package linalg_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

// countingBLAS is another implementation as far as blas64 can tell.
type countingBLAS struct {
	gonum.Implementation
	calls map[string]int
}

func (c *countingBLAS) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	c.calls["trsm"]++
	c.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func (c *countingBLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, x []float64, ldx int) {
	c.calls["syrk"]++
	c.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, x, ldx)
}

func (c *countingBLAS) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	c.calls["trmm"]++
	c.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

func (c *countingBLAS) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	c.calls["gemv"]++
	c.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// A BLAS that the user registers does the dense work: the factorisation and the
// inverse (trsm, syrk, trmm), solves with many right-hand sides (trsm) and with
// one (gemv).
func TestRegisteredBLAS(t *testing.T) {
	const n = 130 // several blocks
	rng := newRand(t)
	a, b, x := randomSPD(rng, n), randomVec(rng, n*3), randomVec(rng, n)
	run := func() []float64 {
		var c linalg.Cholesky
		if _, err := c.Factorize(a, n); err != nil {
			t.Fatal(err)
		}
		columns, ainv, solved := slices.Clone(b), make([]float64, n*n), make([]float64, n)
		c.ForwardColumns(columns, 3)
		c.InverseTo(ainv)
		c.SolveVecTo(solved, x)
		return slices.Concat(columns, ainv, solved)
	}
	want := run()
	counting := &countingBLAS{calls: map[string]int{}}
	blas64.Use(counting)
	defer blas64.Use(gonum.Implementation{})
	if !slices.Equal(run(), want) {
		t.Error("the results differ")
	}
	for _, routine := range []string{"trsm", "syrk", "trmm", "gemv"} {
		if counting.calls[routine] == 0 {
			t.Errorf("no call of %s: %v", routine, counting.calls)
		}
	}
}
