package graphs_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// tol bounds the error of an identity relative to the largest number in it. A
// dense eigendecomposition of 70 vertices is good to about 1e-14.
const tol = 1e-13

// The projectors must reproduce I and L, and be projectors.
func TestSpectrumIdentities(t *testing.T) {
	for _, f := range fixtures(t) {
		n, l := f.g.Order(), f.g.Laplacian()
		s, err := f.g.Spectrum()
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		m := len(s.Lambda)
		traces := make([]float64, m)
		for v := range n {
			for w := range n {
				c := s.Coef(v, w)
				if len(c) != m {
					t.Fatalf("%s: %d coefficients for %d eigenvalues", f.name, len(c), m)
				}
				if !slices.Equal(c, s.Coef(w, v)) {
					t.Errorf("%s: Coef(%d, %d) is not symmetric", f.name, v, w)
				}
				delta := 0.0
				if v == w {
					delta = 1
					floats.Add(traces, c)
				}
				if got := floats.Sum(c); math.Abs(got-delta) > tol {
					t.Errorf("%s: Σ Coef(%d, %d) = %v, want %v", f.name, v, w, got, delta)
				}
				if got, want := floats.Dot(c, s.Lambda), l.At(v, w); math.Abs(got-want) > tol*s.Lambda[m-1] {
					t.Errorf("%s: U Λ Uᵀ[%d, %d] = %v, want %v", f.name, v, w, got, want)
				}
				if got, want := c[0], 1/float64(n); math.Abs(got-want) > tol {
					t.Errorf("%s: constant part of (%d, %d) is %v, want 1/n = %v", f.name, v, w, got, want)
				}
			}
		}
		for i, mult := range s.Multiplicity() {
			if math.Abs(traces[i]-float64(mult)) > float64(n)*tol {
				t.Errorf("%s: trace of projector %d is %v, want its rank %d", f.name, i, traces[i], mult)
			}
		}
	}
}

// Of weights that differ by hundreds of orders of magnitude the largest decide.
func TestSpectrumOfUnequalWeights(t *testing.T) {
	g, err := graphs.FromEdges(4, graphs.Edge{U: 0, V: 1, Weight: 1e-155}, graphs.Edge{U: 0, V: 2, Weight: 1.8e-193}, graphs.Edge{U: 0, V: 3, Weight: 2.5e-15})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := floats.Sum(g.Eigenvalues()), 5e-15; math.Abs(got-want) > 1e-12*want {
		t.Errorf("the eigenvalues %v add up to %v, want the trace %v", g.Eigenvalues(), got, want)
	}
}

func TestEigenvalues(t *testing.T) {
	for _, f := range fixtures(t) {
		s, err := f.g.Spectrum()
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		if s.Lambda[0] != 0 {
			t.Errorf("%s: first eigenvalue %v, want exactly 0", f.name, s.Lambda[0])
		}
		for m := 1; m < len(s.Lambda); m++ {
			if !(s.Lambda[m] > s.Lambda[m-1]) {
				t.Errorf("%s: eigenvalues %v are not increasing", f.name, s.Lambda)
			}
		}

		got := f.g.Eigenvalues()
		l := f.g.Laplacian()
		scale := mat.Max(l)
		if scale == 0 {
			scale = 1 // one vertex
		}
		l.ScaleSym(1/scale, l) // for values only, gonum v0.17 panics at 1e300
		var eigen mat.EigenSym
		if !eigen.Factorize(l, false) {
			t.Fatalf("%s: reference eigendecomposition failed", f.name)
		}
		want := eigen.Values(nil)
		floats.Scale(scale, want)
		for i := range want {
			if math.Abs(got[i]-want[i]) > tol*want[len(want)-1] {
				t.Errorf("%s: eigenvalue %d is %v, want %v", f.name, i, got[i], want[i])
			}
		}
	}
}

func TestSpectrumGolden(t *testing.T) {
	root5 := math.Sqrt(5)
	for _, test := range []struct {
		name   string
		g      *graphs.Graph
		lambda []float64
		mult   []int
		why    string
	}{
		{"K_1", graphs.Complete(1), []float64{0}, []int{1}, "L is the number 0"},
		{"K_2", graphs.Complete(2), []float64{0, 2}, []int{1, 1}, "0 and n, n-1 times"},
		{"K_6", graphs.Complete(6), []float64{0, 6}, []int{1, 5}, "0 and n, n-1 times"},
		{"P_3", graphs.Path(3), []float64{0, 1, 3}, []int{1, 1, 1}, "2-2cos(πk/n)"},
		{"P_5", graphs.Path(5), []float64{0, (3 - root5) / 2, (5 - root5) / 2, (3 + root5) / 2, (5 + root5) / 2}, []int{1, 1, 1, 1, 1}, "2-2cos(πk/n)"},
		{"C_4", graphs.Cycle(4), []float64{0, 2, 4}, []int{1, 2, 1}, "2-2cos(2πk/n)"},
		{"C_5", graphs.Cycle(5), []float64{0, (5 - root5) / 2, (5 + root5) / 2}, []int{1, 2, 2}, "2-2cos(2πk/n)"},
		{"star", must(graphs.FromEdges(6, star(6)...)), []float64{0, 1, 6}, []int{1, 4, 1}, "0, 1 (n-2 times), n"},
		{"weighted K_4", scaled(graphs.Complete(4), 0.3), []float64{0, 1.2}, []int{1, 3}, "weights scale the eigenvalues"},
		{"weighted C_6", scaled(graphs.Cycle(6), 7), []float64{0, 7, 21, 28}, []int{1, 2, 2, 1}, "weights scale the eigenvalues"},
	} {
		s, err := test.g.Spectrum()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if !floats.EqualApprox(s.Lambda, test.lambda, tol) {
			t.Errorf("%s: eigenvalues %v, want %v: %s", test.name, s.Lambda, test.lambda, test.why)
		}
		if got := s.Multiplicity(); !slices.Equal(got, test.mult) {
			t.Errorf("%s: multiplicities %v, want %v: %s", test.name, got, test.mult, test.why)
		}
	}
}

// The small eigenvalues of long paths must keep their digits.
func TestLongPath(t *testing.T) {
	const n = 10_000
	lambda := graphs.Path(n).Eigenvalues()
	x := math.Pi / n
	want := x * x * (1 - x*x/12) // 2-2cos(x) up to O(x⁶)
	if got := lambda[1]; math.Abs(got-want) > 1e-14*want {
		t.Errorf("second eigenvalue %v, want %v", got, want)
	}
	if got, want := floats.Sum(lambda), 2.0*(n-1); math.Abs(got-want) > 1e-12*want {
		t.Errorf("trace %v, want twice the number of edges, %v", got, want)
	}
	s, err := graphs.Path(n).Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	if got := floats.Dot(s.Coef(n-2, n-1), s.Lambda); math.Abs(got+1) > 1e-12 {
		t.Errorf("L[n-2, n-1] = %v, want -1", got)
	}
}

// A caller's append to shared coefficients must not reach the next pair.
func TestCoefIsCapped(t *testing.T) {
	s, err := graphs.Path(5).Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(s.Coef(0, 1))
	_ = append(s.Coef(0, 0), 99)
	if got := s.Coef(0, 1); !slices.Equal(got, want) {
		t.Errorf("Coef(0, 1) = %v after append to Coef(0, 0), want %v", got, want)
	}
}

func BenchmarkCoef(b *testing.B) {
	for _, bench := range []struct {
		name string
		g    *graphs.Graph
	}{
		{"complete", graphs.Complete(1000)},
		{"path, table", graphs.Path(20)},
		{"path", graphs.Path(1000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s, err := bench.g.Spectrum()
			if err != nil {
				b.Fatal(err)
			}
			for i := range b.N {
				s.Coef(i%20, 3)
			}
		})
	}
}
