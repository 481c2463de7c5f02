package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

// tol bounds the error of an identity on the well-conditioned matrices of
// randomSPD, whose entries are at most about 3.
const tol = 1e-12

// orders straddle the block sizes of gonum's routines (64) and of the solves (32).
var orders = []int{1, 2, 5, 63, 64, 65, 130}

func newRand(t testing.TB) *rand.Rand {
	const seed = 1
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(uint64(seed), 0))
}

// randomSPD returns the lower triangle of G Gᵀ/n + I for a Gaussian G. Entries
// above the diagonal are NaN, so that any use of them shows.
func randomSPD(rng *rand.Rand, n int) []float64 {
	g := mat.NewDense(n, n, randomVec(rng, n*n))
	var p mat.Dense
	p.Mul(g, g.T())
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			switch {
			case j > i:
				a[i*n+j] = math.NaN()
			case j == i:
				a[i*n+j] = p.At(i, j)/float64(n) + 1
			default:
				a[i*n+j] = p.At(i, j) / float64(n)
			}
		}
	}
	return a
}

func randomVec(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// symmetric and lower read the lower triangle of a row-major matrix.
func symmetric(a []float64, n, stride int) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, a[i*stride+j])
		}
	}
	return s
}

func lower(a []float64, n, stride int) *mat.TriDense {
	l := mat.NewTriDense(n, mat.Lower, nil)
	for i := range n {
		for j := range i + 1 {
			l.SetTri(i, j, a[i*stride+j])
		}
	}
	return l
}

// receivers returns factorisations whose buffers are empty, too small, right
// and too large for order n, and one left by a failure.
func receivers(t *testing.T, n int) map[string]*linalg.Cholesky {
	t.Helper()
	used := func(n int) *linalg.Cholesky {
		a := make([]float64, n*n)
		for i := range n {
			a[i*n+i] = 2
		}
		c := new(linalg.Cholesky)
		if _, err := c.Factorize(a, n); err != nil {
			t.Fatal(err)
		}
		return c
	}
	failed := used(n)
	if _, err := failed.Factorize([]float64{-1}, 1); err == nil {
		t.Fatal("no error for a negative matrix")
	}
	return map[string]*linalg.Cholesky{
		"new":    new(linalg.Cholesky),
		"small":  used((n + 1) / 2),
		"right":  used(n),
		"large":  used(2*n + 3),
		"failed": failed,
	}
}

// checkFactor checks L Lᵀ = A + jitter·I.
func checkFactor(t *testing.T, name string, c *linalg.Cholesky, a *mat.SymDense, jitter float64) {
	t.Helper()
	n := a.SymmetricDim()
	if c.N() != n || c.Stride() < n {
		t.Fatalf("%s: n = %d with stride %d, want n = %d", name, c.N(), c.Stride(), n)
	}
	l := lower(c.L(), n, c.Stride())
	var got mat.Dense
	got.Mul(l, l.T())
	for i := range n {
		for j := range n {
			want := a.At(i, j)
			if i == j {
				want += jitter
			}
			if !(math.Abs(got.At(i, j)-want) <= tol) {
				t.Fatalf("%s: L Lᵀ[%d, %d] = %v, want %v", name, i, j, got.At(i, j), want)
			}
		}
	}
}

func TestFactorize(t *testing.T) {
	rng := newRand(t)
	for _, n := range orders {
		a := randomSPD(rng, n)
		for state, c := range receivers(t, n) {
			name := fmt.Sprintf("n = %d, %s receiver", n, state)
			before := slices.Clone(a)
			jitter, err := c.Factorize(a, n)
			if err != nil || jitter != 0 {
				t.Fatalf("%s: jitter %v, error %v; want none", name, jitter, err)
			}
			if !floats.Same(a, before) {
				t.Errorf("%s: the matrix was modified", name)
			}
			sym := symmetric(a, n, n)
			checkFactor(t, name, c, sym, 0)

			want, _ := mat.LogDet(sym)
			if got := c.LogDet(); math.Abs(got-want) > tol*float64(n) {
				t.Errorf("%s: log determinant %v, want %v", name, got, want)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	var c linalg.Cholesky
	if _, err := c.Factorize(nil, 0); err != nil {
		t.Error(err)
	}
	c.SolveVecTo(nil, nil)
	c.ForwardColumns(nil, 3)
	c.InverseTo(nil)
	c.InverseDiagonalTo(nil)
	if c.N() != 0 || len(c.L()) != 0 || c.LogDet() != 0 {
		t.Errorf("n = %d, L = %v, log determinant %v; want nothing", c.N(), c.L(), c.LogDet())
	}
}

func TestJitter(t *testing.T) {
	ones := func(n int) []float64 {
		a := make([]float64, n*n)
		for i := range a {
			a[i] = 1
		}
		return a
	}
	for _, test := range []struct {
		name     string
		a        []float64
		n        int
		min, max float64
		why      string
	}{
		{"identity", []float64{1, 0, 0, 1}, 2, 0, 0, "already positive definite"},
		{"ones", ones(2), 2, 1e-12, 1e-12, "singular: the first jitter will do"},
		{"ones, scaled", []float64{1e6, 1e6, 1e6, 1e6}, 2, 1e-6, 1e-6, "jitter is relative to the mean diagonal"},
		{"ones, tiny", []float64{1e-200, 1e-200, 1e-200, 1e-200}, 2, 1e-212, 1e-212, "jitter is relative to the mean diagonal"},
		{"ones 50", ones(50), 50, 1e-12, 1e-11, "rank one"},
		{"slightly indefinite", []float64{1, 0, 1 + 5e-9, 1}, 2, 1e-8, 1e-8, "eigenvalue -5e-9"},
		{"last rung", []float64{1, 0, 1 + 5e-5, 1}, 2, 1e-4, 1e-4, "eigenvalue -5e-5"},
	} {
		var c linalg.Cholesky
		jitter, err := c.Factorize(test.a, test.n)
		const slack = 1e-10 // relative, for powers of ten reached by multiplication
		if err != nil || jitter < test.min*(1-slack) || jitter > test.max*(1+slack) {
			t.Errorf("%s: jitter %v, error %v; want jitter from %v to %v: %s", test.name, jitter, err, test.min, test.max, test.why)
			continue
		}
		checkFactor(t, test.name, &c, symmetric(test.a, test.n, test.n), jitter)
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	large := randomSPD(newRand(t), 100)
	large[70*100+69] = nan
	for _, test := range []struct {
		name string
		a    []float64
		n    int
	}{
		{"zero", []float64{0}, 1},
		{"negative", []float64{-1}, 1},
		{"indefinite", []float64{1, 0, 2, 1}, 2},
		{"beyond the last jitter", []float64{1, 0, 1 + 5e-4, 1}, 2},
		{"negative entry on the diagonal", []float64{5, 0, 0, -1}, 2},
		{"NaN on the diagonal", []float64{1, 0, 0, nan}, 2},
		{"NaN below the diagonal", []float64{1, 0, nan, 1}, 2},
		{"infinity on the diagonal", []float64{1, 0, 0, inf}, 2},
		{"infinity below the diagonal", []float64{1, 0, inf, 1}, 2},
		{"negative infinity", []float64{-inf}, 1},
		{"all infinite", []float64{inf, inf, inf, inf}, 2},
		{"NaN in a large matrix", large, 100},
	} {
		var c linalg.Cholesky
		if _, err := c.Factorize([]float64{4}, 1); err != nil {
			t.Fatal(err)
		}
		if jitter, err := c.Factorize(test.a, test.n); !errors.Is(err, linalg.ErrNotPositiveDefinite) || jitter != 0 {
			t.Errorf("%s: jitter %v, error %v; want ErrNotPositiveDefinite", test.name, jitter, err)
		}
		if c.N() != 0 || c.LogDet() != 0 {
			t.Errorf("%s: receiver has order %d after the error, want 0", test.name, c.N())
		}
	}
}

func TestExtend(t *testing.T) {
	rng := newRand(t)
	for _, n := range orders {
		for _, k := range []int{1, 3, 70} {
			m := n + k
			whole := randomSPD(rng, m)
			for state, c := range receivers(t, n) {
				name := fmt.Sprintf("n = %d, k = %d, %s receiver", n, k, state)
				if _, err := c.Factorize(leading(whole, m, n), n); err != nil {
					t.Fatal(err)
				}
				if err := c.Extend(whole[n*m:], k); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				checkSameFactor(t, name, c, whole, m)
			}
		}
	}
}

// leading returns the leading n×n block of the m×m matrix a.
func leading(a []float64, m, n int) []float64 {
	b := make([]float64, n*n)
	for i := range n {
		copy(b[i*n:(i+1)*n], a[i*m:])
	}
	return b
}

// checkSameFactor checks that c is what Factorize makes of a.
func checkSameFactor(t *testing.T, name string, c *linalg.Cholesky, a []float64, n int) {
	t.Helper()
	if c.N() != n {
		t.Fatalf("%s: n = %d, want %d", name, c.N(), n)
	}
	var want linalg.Cholesky
	if _, err := want.Factorize(a, n); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(lower(c.L(), n, c.Stride()), lower(want.L(), n, want.Stride()), tol) {
		t.Errorf("%s: factor differs from that of the whole matrix", name)
	}
}

// A factor grown row by row, through many changes of stride, must be that of
// the whole matrix.
func TestExtendRowByRow(t *testing.T) {
	const n = 100
	whole := randomSPD(newRand(t), n)
	var c linalg.Cholesky
	for i := range n {
		if err := c.Extend(whole[i*n:i*n+i+1], 1); err != nil {
			t.Fatal(err)
		}
	}
	checkFactor(t, "row by row", &c, symmetric(whole, n, n), 0)
	checkSameFactor(t, "row by row", &c, whole, n)
}

// New rows get the jitter of the old ones: the result is a factorisation of
// A + jitter·I for one jitter.
func TestExtendKeepsJitter(t *testing.T) {
	var c linalg.Cholesky
	jitter, err := c.Factorize([]float64{1, 0, 1, 1}, 2)
	if err != nil || jitter == 0 {
		t.Fatalf("jitter %v, error %v; want some jitter", jitter, err)
	}
	if err := c.Extend([]float64{1, 1, 1}, 1); err != nil {
		t.Fatal(err)
	}
	checkFactor(t, "ones", &c, mat.NewSymDense(3, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}), jitter)
}

func TestExtendErrorLeavesReceiver(t *testing.T) {
	rng := newRand(t)
	const n = 5
	a := randomSPD(rng, n)
	for _, test := range []struct {
		name string
		row  []float64
	}{
		{"indefinite", []float64{9, 9, 9, 9, 9, 1}},
		{"NaN", []float64{0, 0, math.NaN(), 0, 0, 1}},
		{"NaN on the diagonal", []float64{0, 0, 0, 0, 0, math.NaN()}},
		{"infinity", []float64{0, 0, 0, 0, math.Inf(-1), 1}},
	} {
		for state, c := range receivers(t, n) {
			name := test.name + ", " + state + " receiver"
			if _, err := c.Factorize(a, n); err != nil {
				t.Fatal(err)
			}
			logDet := c.LogDet()
			if err := c.Extend(test.row, 1); !errors.Is(err, linalg.ErrNotPositiveDefinite) {
				t.Errorf("%s: error %v, want ErrNotPositiveDefinite", name, err)
			}
			checkFactor(t, name, c, symmetric(a, n, n), 0)
			if c.LogDet() != logDet {
				t.Errorf("%s: log determinant %v after the error, want %v", name, c.LogDet(), logDet)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	rng := newRand(t)
	const n, k = 60, 1
	whole := randomSPD(rng, n+k)
	a := leading(whole, n+k, n)
	x, dst := randomVec(rng, n+k), make([]float64, n+k)
	ainv := make([]float64, (n+k)*(n+k))
	var c linalg.Cholesky
	cycle := func() {
		if _, err := c.Factorize(a, n); err != nil {
			t.Fatal(err)
		}
		if err := c.Extend(whole[n*(n+k):], k); err != nil {
			t.Fatal(err)
		}
		c.SolveVecTo(dst, x)
		c.ForwardColumns(x, 1)
		c.InverseTo(ainv)
	}
	got := math.Inf(1) // the least, since the runtime's own allocations count, too
	for range 5 {
		got = min(got, testing.AllocsPerRun(20, cycle))
	}
	if got != 0 {
		t.Errorf("%v allocations per factorisation with warm buffers, want none", got)
	}
}
