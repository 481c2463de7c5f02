package boxmin_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/functions"

	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
)

func box(n int, lo, hi float64) (lower, upper []float64) {
	lower, upper = make([]float64, n), make([]float64, n)
	for i := range lower {
		lower[i], upper[i] = lo, hi
	}
	return lower, upper
}

// On a convex quadratic the result satisfies the optimality conditions of the
// box: zero gradient inside, gradient pointing outwards at a bound.
func TestRandomQuadratics(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(12)
		b := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				b.Set(i, j, rng.NormFloat64())
			}
		}
		var a mat.SymDense
		a.SymOuterK(1, b)
		for i := range n {
			a.SetSym(i, i, a.At(i, i)+0.1)
		}
		c := make([]float64, n)
		for i := range c {
			c[i] = 3 * rng.NormFloat64()
		}
		f := func(grad, x []float64) float64 {
			var ax mat.VecDense
			ax.MulVec(&a, mat.NewVecDense(n, x))
			sum := 0.0
			for i := range x {
				sum += x[i] * (0.5*ax.AtVec(i) - c[i])
				grad[i] = ax.AtVec(i) - c[i]
			}
			return sum
		}
		lower, upper := box(n, -1, 1)
		x0 := make([]float64, n)
		for i := range x0 {
			x0[i] = 4 * rng.NormFloat64()
		}
		res := boxmin.Minimize(f, x0, lower, upper, boxmin.Settings{MaxIterations: 1000, FuncTol: 1e-15})
		grad := make([]float64, n)
		f(grad, res.X)
		for i, g := range grad {
			x := res.X[i]
			if x < -1 || x > 1 {
				t.Fatalf("seed %d: x[%d] = %g outside the box", seed, i, x)
			}
			if move := math.Min(math.Max(x-g, -1), 1) - x; math.Abs(move) > 1e-4 {
				t.Errorf("seed %d: projected gradient %g", seed, move)
			}
		}
	}
}

func TestRosenbrock(t *testing.T) {
	r := functions.ExtendedRosenbrock{}
	f := func(grad, x []float64) float64 { r.Grad(grad, x); return r.Func(x) }
	for _, test := range []struct {
		name   string
		hi     float64
		want   []float64
		why    string
		within float64
	}{
		{"inside", 2, []float64{1, 1}, "global minimum", 1e-3},
		{"at the bound", 0.5, []float64{0.5, 0.25}, "x₁ at its bound, x₂ = x₁²", 1e-3},
	} {
		lower, upper := box(2, -2, test.hi)
		res := boxmin.Minimize(f, []float64{-1.2, 1}, lower, upper, boxmin.Settings{MaxIterations: 500, FuncTol: 1e-14})
		for i, w := range test.want {
			if math.Abs(res.X[i]-w) > test.within {
				t.Errorf("%s: got %v, want %v (%s)", test.name, res.X, test.want, test.why)
			}
		}
	}
}

// Whatever the function returns, the result lies in the box and is no worse
// than a start that has a value.
func TestNonFiniteFunctions(t *testing.T) {
	lower, upper := box(2, 0, 1)
	for name, f := range map[string]boxmin.Func{
		"NaN everywhere":  func(grad, x []float64) float64 { return math.NaN() },
		"+Inf everywhere": func(grad, x []float64) float64 { return math.Inf(1) },
		"NaN off the start": func(grad, x []float64) float64 {
			grad[0], grad[1] = 1, 1
			if x[0] != 0.5 {
				return math.NaN()
			}
			return 1
		},
		"NaN gradient": func(grad, x []float64) float64 { grad[0] = math.NaN(); return 0 },
		"zero":         func(grad, x []float64) float64 { clear(grad); return 0 },
	} {
		res := boxmin.Minimize(f, []float64{0.5, 0.5}, lower, upper, boxmin.Settings{})
		if res.X[0] != 0.5 || res.X[1] != 0.5 {
			t.Errorf("%s: moved to %v", name, res.X)
		}
	}
	if res := boxmin.Minimize(func(_, _ []float64) float64 { return 3 }, nil, nil, nil, boxmin.Settings{}); res.F != 3 {
		t.Errorf("no variables: got %v", res)
	}
}
