package linalg_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

// forEachOrder calls check with a factorisation of a random matrix a, once with
// a stride of n and once with a longer one.
func forEachOrder(t *testing.T, check func(name string, c *linalg.Cholesky, a *mat.SymDense)) {
	t.Helper()
	rng := newRand(t)
	for _, n := range orders {
		a := randomSPD(rng, n)
		var c linalg.Cholesky
		if _, err := c.Factorize(a, n); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("n = %d", n), &c, symmetric(a, n, n))

		var grown linalg.Cholesky
		if _, err := grown.Factorize(leading(a, n, n-1), n-1); err != nil {
			t.Fatal(err)
		}
		if err := grown.Extend(a[(n-1)*n:], 1); err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprintf("n = %d, grown to stride %d", n, grown.Stride()), &grown, symmetric(a, n, n))
	}
}

// product returns a x.
func product(a mat.Matrix, x []float64) []float64 {
	var y mat.VecDense
	y.MulVec(a, mat.NewVecDense(len(x), x))
	return y.RawVector().Data
}

func checkVec(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if !floats.EqualApprox(got, want, tol) {
		t.Errorf("%s: largest error %v", name, floats.Distance(got, want, math.Inf(1)))
	}
}

func TestSolveVec(t *testing.T) {
	rng := newRand(t)
	forEachOrder(t, func(name string, c *linalg.Cholesky, a *mat.SymDense) {
		n := c.N()
		l := lower(c.L(), n, c.Stride())
		b := randomVec(rng, n)
		for _, solve := range []struct {
			name string
			to   func(dst, b []float64)
			m    mat.Matrix // m · to(b) = b
		}{
			{"A⁻¹", c.SolveVecTo, a},
			{"L⁻¹", c.ForwardVecTo, l},
			{"L⁻ᵀ", c.BackwardVecTo, l.T()},
		} {
			dst := make([]float64, n)
			solve.to(dst, b)
			checkVec(t, name+", "+solve.name, product(solve.m, dst), b)

			same := append([]float64(nil), b...)
			solve.to(same, same)
			checkVec(t, name+", "+solve.name+" in place", same, dst)
		}
	})
}

func TestForwardColumns(t *testing.T) {
	rng := newRand(t)
	forEachOrder(t, func(name string, c *linalg.Cholesky, _ *mat.SymDense) {
		n := c.N()
		for _, m := range []int{0, 1, 3, 4, 21, 25, 100} {
			b := randomVec(rng, n*m)
			before := slices.Clone(b)
			c.ForwardColumns(b, m)
			want := make([]float64, n)
			got := make([]float64, n)
			for j := range m {
				for i := range n {
					want[i], got[i] = before[i*m+j], b[i*m+j]
				}
				c.ForwardVecTo(want, want)
				checkVec(t, fmt.Sprintf("%s, column %d of %d", name, j, m), got, want)
			}
		}
	})
}

// On amd64 what a column becomes does not depend on how many there are.
func TestColumnsAlone(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gonum rounds otherwise here")
	}
	const wide = 100
	rng := newRand(t)
	forEachOrder(t, func(name string, c *linalg.Cholesky, _ *mat.SymDense) {
		n := c.N()
		all := randomVec(rng, n*wide)
		for _, m := range []int{1, 4, 6, 24, 30} {
			few := make([]float64, n*m)
			for i := range n {
				copy(few[i*m:][:m], all[i*wide:])
			}
			whole := slices.Clone(all)
			c.ForwardColumns(whole, wide)
			c.ForwardColumns(few, m)
			for i := range n {
				if !slices.Equal(few[i*m:][:m], whole[i*wide:][:m]) {
					t.Fatalf("%s: row %d of %d columns is %v, of %d it is %v", name, i, m, few[i*m:][:m], wide, whole[i*wide:][:m])
				}
			}
		}
	})
}

func TestInverse(t *testing.T) {
	forEachOrder(t, func(name string, c *linalg.Cholesky, a *mat.SymDense) {
		n := c.N()
		const mark = 7
		got := filled(n*n, mark)
		c.InverseTo(got)
		for i := range n {
			for j := i + 1; j < n; j++ {
				if v := got[i*n+j]; v != mark {
					t.Fatalf("%s: entry (%d, %d) above the diagonal is %v, want no change", name, i, j, v)
				}
			}
		}
		checkIdentity(t, name+", A A⁻¹", a, symmetric(got, n, n))
		diagonal, want := filled(n, mark), make([]float64, n)
		c.InverseDiagonalTo(diagonal)
		for i := range n {
			want[i] = got[i*n+i]
		}
		checkVec(t, name+", diagonal of A⁻¹", diagonal, want)
		end := filled(n/2, mark)
		c.InverseDiagonalTo(end)
		checkVec(t, name+", end of the diagonal of A⁻¹", end, want[n-n/2:])
	})
}

func filled(n int, v float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = v
	}
	return x
}

func checkIdentity(t *testing.T, name string, a, b mat.Matrix) {
	t.Helper()
	n, _ := a.Dims()
	var got mat.Dense
	got.Mul(a, b)
	if !mat.EqualApprox(&got, mat.NewDiagDense(n, filled(n, 1)), tol) {
		t.Errorf("%s is not the identity", name)
	}
}

func TestPanics(t *testing.T) {
	var c linalg.Cholesky
	if _, err := c.Factorize([]float64{2, 0, 1, 2}, 2); err != nil {
		t.Fatal(err)
	}
	two, three, four := make([]float64, 2), make([]float64, 3), make([]float64, 4)
	for _, test := range []struct {
		name string
		call func()
	}{
		{"Factorize, long matrix", func() { _, _ = new(linalg.Cholesky).Factorize(four, 1) }},
		{"Factorize, negative order", func() { _, _ = new(linalg.Cholesky).Factorize(four, -2) }},
		{"Extend, short row", func() { _ = c.Extend(two, 1) }},
		{"Extend, negative count", func() { _ = c.Extend(nil, -1) }},
		{"SolveVecTo, long right-hand side", func() { c.SolveVecTo(two, three) }},
		{"ForwardVecTo, long destination", func() { c.ForwardVecTo(three, two) }},
		{"ForwardColumns, short matrix", func() { c.ForwardColumns(three, 2) }},
		{"ForwardColumns, long matrix", func() { c.ForwardColumns(four, 1) }},
		{"ForwardColumns, negative count", func() { c.ForwardColumns(four, -1) }},
		{"InverseTo, short matrix", func() { c.InverseTo(three) }},
		{"InverseDiagonalTo, long destination", func() { c.InverseDiagonalTo(three) }},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "linalg: ") {
					t.Errorf("%s: panic %q, want one prefixed with the package", test.name, got)
				}
			}()
			test.call()
		}()
	}
}
