package fmkernel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// function is a user's modulator, of which only values are wanted here.
type function func(lambda, t, beta float64) float64

func (f function) Eval(dst, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		dst[m] = f(l, t, beta)
	}
}

func (f function) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	f.Eval(dst, lambda, beta, t)
	clear(dBeta)
	clear(dT)
}

func TestConditionsHold(t *testing.T) {
	for name, m := range map[string]fmkernel.Modulator{
		"Laplacian":            fmkernel.Laplacian{},
		"power sum":            fmkernel.PowerSum(0.5, 0, 2, 1),
		"rough":                fmkernel.Reciprocal(0.5),
		"family":               fmkernel.Family{{Weight: 1, Tau: 1.3, Rho: 2}, {Weight: 3, Tau: 0.4, Rho: 1}},
		"neural network":       fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{}},
		"neural network, bias": fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 3}, Delta: 0.1},
		"own bounded kernel":   fmkernel.Kernelized{Kernel: cosine{}},
		"exponentials":         function(func(l, t, beta float64) float64 { return math.Exp(-beta*l - t) }),
	} {
		if err := fmkernel.CheckConditions(m, 0.01, 0.1, 1, 10, 100); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestConditionsFail(t *testing.T) {
	for _, test := range []struct {
		name string
		m    fmkernel.Modulator
		want []string // properties, and parts of their counterexamples
	}{
		{"Diffusion", fmkernel.Diffusion{}, []string{"FM-P3", "h(0) = 0"}},
		{"increasing", function(func(l, t, beta float64) float64 { return (1 + beta*l) / (1 + beta*l + t) }), []string{"FM-P1", "not decreasing", "FM-P3"}},
		{"negative", function(func(l, t, beta float64) float64 { return 1/(1+beta*l+t) - 0.1 }), []string{"FM-P1", "not positive", "FM-P2"}},
		{"cut off", function(func(l, t, beta float64) float64 { return math.Max(0, 2-t) / (1 + beta*l) }), []string{"FM-P1", "FM-P2", "the points", "FM-P3"}},
		{"too smooth", function(func(l, t, beta float64) float64 { return 1 / (1 + beta*l + t*t) }), []string{"FM-P2", "the points"}},
		{"not convex", function(nonConvex), []string{"FM-P3", "not convex"}},
		{"blind to distance", function(func(l, t, beta float64) float64 { return 1 / (1 + beta*l) }), []string{"FM-P3", "not positive"}},
		{"no number", function(func(l, t, beta float64) float64 { return math.NaN() }), []string{"FM-P1", "FM-P2", "FM-P3"}},
		{"outside Prop. 1", fmkernel.Kernelized{Kernel: unbounded{}}, []string{"FM-P2"}},
		{"a pointer", &fmkernel.Kernelized{Kernel: unbounded{}}, []string{"FM-P2"}},
	} {
		err := fmkernel.CheckConditions(test.m)
		var condition *fmkernel.ConditionError
		if !errors.As(err, &condition) {
			t.Errorf("%s: got %v, want a ConditionError", test.name, err)
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no %q in: %v", test.name, part, err)
			}
		}
		for _, property := range []string{"FM-P1", "FM-P2", "FM-P3"} {
			wanted := false
			for _, part := range test.want {
				wanted = wanted || part == property
			}
			if strings.Contains(err.Error(), property) && !wanted {
				t.Errorf("%s: %s should hold: %v", test.name, property, err)
			}
		}
	}
	if err := fmkernel.CheckConditions(fmkernel.Reciprocal(3)); err == nil || !strings.Contains(err.Error(), "τ") {
		t.Errorf("τ = 3: got %v", err)
	}
}

// unbounded says that the linear kernel is at most 1.
type unbounded struct{}

func (unbounded) Bound() float64 { return 1 }

func (unbounded) Eval(_, x, y []float64) float64 {
	sum := 0.0
	for d := range x {
		sum += x[d] * y[d]
	}
	return sum
}

func (k unbounded) EvalGrad(dX, dTheta, theta, x, y []float64) float64 {
	copy(dX, y)
	clear(dTheta)
	return k.Eval(theta, x, y)
}

// ModDif breaks the similarity measure behaviour, Eq. (3), which FM-P3 would
// ensure: different vertices become more alike with distance. No kernel with
// FM-P3 does.
func TestSimilarityBehaviour(t *testing.T) {
	rises := func(build func(int, ...*graphs.Graph) (*fmkernel.Kernel, error), g *graphs.Graph) bool {
		k, err := build(1, g)
		if err != nil {
			t.Fatal(err)
		}
		params := k.NewParams()
		for v := range g.Order() {
			for w := range v {
				last := math.Inf(1)
				for c := 0.0; c < 3; c += 0.1 {
					at := k.Eval(params, fmkernel.Point{C: []float64{0}, V: []int{v}}, fmkernel.Point{C: []float64{c}, V: []int{w}})
					if at > last*(1+1e-12) {
						return true
					}
					last = at
				}
			}
		}
		return false
	}
	rng := rand.New(rand.NewPCG(1, 50))
	for range 10 {
		g := randomConnected(rng, 3+rng.IntN(5))
		if !rises(fmkernel.NewModDif, g) {
			t.Error("ModDif nowhere rises with distance")
		}
		for _, m := range []fmkernel.Modulator{fmkernel.Laplacian{}, fmkernel.PowerSum(1, 2), fmkernel.Reciprocal(1)} {
			if rises(with(m), g) {
				t.Errorf("%T rises with distance", m)
			}
		}
	}
}

// nonConvex has FM-P1 and FM-P2, but is not convex in λ.
func nonConvex(lambda, t, beta float64) float64 {
	return math.Exp(-beta*lambda*beta*lambda) / (1 + t)
}

// extremes returns the smallest entry of a kernel on random weighted graphs, and
// the smallest eigenvalue of Gram matrices of points on them, relative to the
// largest. The modulator's type is hidden, so that nothing is known about its
// sign.
func extremes(t *testing.T, f function) (entry, eigenvalue float64) {
	t.Helper()
	entry, eigenvalue = math.Inf(1), math.Inf(1)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 51))
		gs := []*graphs.Graph{randomConnected(rng, 4+rng.IntN(9)), graphs.Path(2 + rng.IntN(10))}
		k, err := fmkernel.New(f, 2, gs...)
		if err != nil {
			t.Fatal(err)
		}
		params := randomParams(rng, 2, 2)
		var gram mat.SymDense
		k.GramTo(&gram, params, randomPoints(rng, 30, 2, gs))
		eigenvalue = math.Min(eigenvalue, smallestEigenvalue(t, &gram))
		for _, g := range gs {
			one, err := fmkernel.New(f, 0, g)
			if err != nil {
				t.Fatal(err)
			}
			all := make([]fmkernel.Point, g.Order())
			for v := range all {
				all[v].V = []int{v}
			}
			var entries mat.SymDense
			one.GramTo(&entries, fmkernel.Params{Alpha: []float64{1}, Beta: params.Beta[:1]}, all)
			entry = math.Min(entry, mat.Min(&entries)/mat.Max(&entries))
		}
	}
	return entry, eigenvalue
}

// Thm 3.2: where f is convex in λ, no entry is negative. Thm 3.1: with FM-P2, no
// eigenvalue is. The controls lack one of the two each.
func TestTheorems(t *testing.T) {
	const rounding = 1e-12
	hidden := func(m fmkernel.Modulator) function {
		return func(lambda, t, beta float64) float64 {
			var f [1]float64
			m.Eval(f[:], []float64{lambda}, beta, t)
			return f[0]
		}
	}
	for name, m := range map[string]fmkernel.Modulator{
		"f_Lap": fmkernel.Laplacian{}, "f_Dif": fmkernel.Diffusion{},
		"power sum": fmkernel.PowerSum(1, 0, 3), "family": fmkernel.Family{{Weight: 1, Tau: 0.7, Rho: 2}},
	} {
		entry, eigenvalue := extremes(t, hidden(m))
		if entry < -rounding {
			t.Errorf("%s: an entry is %g of the largest (Thm 3.2)", name, entry)
		}
		if eigenvalue < -rounding {
			t.Errorf("%s: an eigenvalue is %g of the largest (Thm 3.1)", name, eigenvalue)
		}
	}
	entry, eigenvalue := extremes(t, nonConvex)
	if entry > -1e-3 {
		t.Errorf("control: a non-convex f has no negative entry; the smallest is %g", entry)
	}
	if eigenvalue < -rounding {
		t.Errorf("a non-convex f: an eigenvalue is %g of the largest (Thm 3.1)", eigenvalue)
	}
	_, eigenvalue = extremes(t, func(lambda, t, beta float64) float64 { return math.Max(0, 1-t/9) / (1 + beta*lambda) })
	if eigenvalue > -1e-6 {
		t.Errorf("control: f without FM-P2 has no negative eigenvalue; the smallest is %g", eigenvalue)
	}
}
