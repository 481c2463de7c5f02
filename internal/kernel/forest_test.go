// White box: tables of forests are not exported, and an error in a large power
// would only show at extreme β.
package kernel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"weak"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

const (
	// forestTol is relative: determinants of small, diagonally dominant
	// matrices by LU are that accurate, and far more.
	forestTol = 1e-10
	// sumTol is relative: sums of a few positive numbers, each of them correct
	// to the last digits.
	sumTol = 1e-13
)

// fixture is a graph that every identity must hold for.
type fixture struct {
	name string
	g    *graphs.Graph
}

func must(g *graphs.Graph, err error) *graphs.Graph {
	if err != nil {
		panic(err)
	}
	return g
}

// star has vertex 0 in its centre.
func star(n int) []graphs.Edge {
	var edges []graphs.Edge
	for v := 1; v < n; v++ {
		edges = append(edges, graphs.Edge{U: v, V: 0, Weight: 1})
	}
	return edges
}

// random returns a random tree with some more edges, all of random weight.
func random(rng *rand.Rand, n int, scale float64) *graphs.Graph {
	var edges []graphs.Edge
	for v := 1; v < n; v++ {
		parent := rng.IntN(v)
		for u := range v {
			if u == parent || rng.Float64() < 0.2 {
				edges = append(edges, graphs.Edge{U: u, V: v, Weight: scale * math.Exp(rng.NormFloat64())})
			}
		}
	}
	return must(graphs.FromEdges(n, edges...))
}

// weightedPath returns the path 0 - 1 - … with the given weights.
func weightedPath(weights ...float64) *graphs.Graph {
	edges := make([]graphs.Edge, len(weights))
	for i, w := range weights {
		edges[i] = graphs.Edge{U: i, V: i + 1, Weight: w}
	}
	return must(graphs.FromEdges(len(weights)+1, edges...))
}

// smallGraphs returns graphs that take different ways to their forests.
func smallGraphs(rng *rand.Rand) []fixture {
	weights := make([]float64, 1+rng.IntN(6))
	for i := range weights {
		weights[i] = math.Exp(rng.NormFloat64())
	}
	return []fixture{
		{"one vertex", graphs.Complete(1)},
		{"one edge", graphs.Complete(2)},
		{"one heavy edge", weightedPath(3)},
		{"complete", graphs.Complete(3 + rng.IntN(4))},
		{"path", graphs.Path(3 + rng.IntN(5))},
		{"cycle", graphs.Cycle(4 + rng.IntN(3))},
		{"weighted path", weightedPath(weights...)},
		{"star", must(graphs.FromEdges(5, star(5)...))},
		{"random", random(rng, 2+rng.IntN(6), 1)},
		{"random, weights of 1e-9", random(rng, 5, 1e-9)},
		{"random, weights of 1e9", random(rng, 5, 1e9)},
	}
}

// polynomial returns Σ_m coef[m] β^m s^{n-1-m}.
func polynomial(coef []float64, s, beta float64) float64 {
	sum := 0.0
	for m, c := range coef {
		sum += c * math.Pow(beta, float64(m)) * math.Pow(s, float64(len(coef)-1-m))
	}
	return sum
}

// cofactor returns entry (v, w) of the adjugate of the symmetric matrix a, by
// its definition.
func cofactor(a mat.Symmetric, v, w int) float64 {
	n := a.SymmetricDim()
	if n == 1 {
		return 1
	}
	minor := mat.NewDense(n-1, n-1, nil)
	for i := range n - 1 {
		for j := range n - 1 {
			row, col := i, j
			if i >= v {
				row++
			}
			if j >= w {
				col++
			}
			minor.Set(i, j, a.At(row, col))
		}
	}
	det := mat.Det(minor)
	if (v+w)%2 == 1 {
		return -det
	}
	return det
}

// The matrix forest theorem: Total and Rooted are the coefficients of the
// determinant and of the adjugate of sI + βL.
func TestForestsAreDeterminantAndAdjugate(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 20))
		for _, f := range smallGraphs(rng) {
			n, forests := f.g.Order(), forestsOf(f.g)
			if len(forests.total) != n || len(forests.rooted) != n*n*n {
				t.Fatalf("%s: lengths %d and %d for %d vertices", f.name, len(forests.total), len(forests.rooted), n)
			}
			s, beta := math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())
			if w := f.g.Weight(0, min(1, n-1)); w > 0 {
				beta /= w // so that sI and βL are of one size
			}
			a := f.g.Laplacian()
			a.ScaleSym(beta, a)
			for v := range n {
				a.SetSym(v, v, a.At(v, v)+s)
			}
			check := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= forestTol*math.Abs(want)) {
					t.Errorf("seed %d, %s, s=%g, β=%g: %s is %g, want %g", seed, f.name, s, beta, what, got, want)
				}
			}
			check("det", s*polynomial(forests.total, s, beta), mat.Det(a))
			for v := range n {
				for w := range n {
					check("adj", polynomial(forests.rooted[(v*n+w)*n:][:n], s, beta), cofactor(a, v, w))
				}
			}
		}
	}
}

// A forest has at least no edge, its weight is positive, and each vertex is in
// the tree of exactly one root.
func TestForestsCountForests(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 21))
		larger := []fixture{{"random 20", random(rng, 20, 1)}, {"path 20", graphs.Path(20)}}
		for _, f := range append(smallGraphs(rng), larger...) {
			n, forests := f.g.Order(), forestsOf(f.g)
			if floats.Min(forests.rooted) < 0 || floats.Min(forests.total) <= 0 {
				t.Errorf("seed %d, %s: smallest entries %g and %g", seed, f.name, floats.Min(forests.rooted), floats.Min(forests.total))
			}
			for v := range n {
				sum := make([]float64, n)
				for w := range n {
					vw := forests.rooted[(v*n+w)*n:][:n]
					if wv := forests.rooted[(w*n+v)*n:][:n]; !slices.Equal(vw, wv) {
						t.Errorf("seed %d, %s: entries (%d, %d) %v and %v differ", seed, f.name, v, w, vw, wv)
					}
					floats.Add(sum, vw)
				}
				if !floats.EqualFunc(sum, forests.total, func(a, b float64) bool { return math.Abs(a-b) <= sumTol*b }) {
					t.Errorf("seed %d, %s: the roots of vertex %d add up to %v, want %v", seed, f.name, v, sum, forests.total)
				}
			}
		}
	}
}

func TestForestTotals(t *testing.T) {
	for _, test := range []struct {
		name string
		g    *graphs.Graph
		want []float64
		why  string
	}{
		{"K_1", graphs.Complete(1), []float64{1}, "the empty forest"},
		{"K_2", graphs.Complete(2), []float64{1, 2}, "the edge has two roots"},
		{"heavy K_2", weightedPath(3), []float64{1, 6}, "weight 3, two roots"},
		{"K_3", graphs.Complete(3), []float64{1, 6, 9}, "3 edges × 2 roots; 3 trees × 3 roots"},
		{"K_4", graphs.Complete(4), []float64{1, 12, 48, 64}, "eigenvalues 4, 4, 4: (s+4)³"},
		{"P_3", graphs.Path(3), []float64{1, 4, 3}, "eigenvalues 1, 3: (s+1)(s+3)"},
		{"P_4", graphs.Path(4), []float64{1, 6, 10, 4}, "eigenvalues 2-√2, 2, 2+√2: (s+2)(s²+4s+2)"},
		{"C_4", graphs.Cycle(4), []float64{1, 8, 20, 16}, "eigenvalues 2, 2, 4: (s+2)²(s+4)"},
		{"star of 4", must(graphs.FromEdges(4, star(4)...)), []float64{1, 6, 9, 4}, "eigenvalues 1, 1, 4: (s+1)²(s+4)"},
		{"weights 1/2, 4", weightedPath(0.5, 4), []float64{1, 9, 6}, "2(1/2+4); one tree of weight 2 × 3 roots"},
		{"P_3 renumbered", must(graphs.FromEdges(3, star(3)...)), []float64{1, 4, 3}, "as P_3"},
		{"K_20", graphs.Complete(20), nil, "n^{n-1} rooted trees (Cayley)"},
	} {
		got := forestsOf(test.g).total
		if test.want == nil {
			n := test.g.Order()
			got, test.want = got[n-1:], []float64{math.Pow(float64(n), float64(n-1))}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: totals %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}

// Weights may differ by as much as float64s do. Where the weight of forests leaves
// their range, there is no factor from it.
func TestForestsOfUnequalWeights(t *testing.T) {
	g := must(graphs.FromEdges(4, graphs.Edge{U: 0, V: 1, Weight: 1}, graphs.Edge{U: 0, V: 2, Weight: 1e-295}, graphs.Edge{U: 0, V: 3, Weight: 1}))
	if got, want := forestsOf(g).total, []float64{1, 4, 3, 4e-295}; !floats.EqualApprox(got, want, 1e-14) {
		t.Errorf("totals %v, want %v: two edges of weight 1, and one that weighs next to nothing", got, want)
	}
	if _, ok := newForestLap(g); !ok {
		t.Error("no factor on the star")
	}
	if _, ok := newForestLap(weightedPath(1e200, 1e200, 1e-150)); ok {
		t.Error("a factor from forests of two edges, which weigh 1e400; those of three weigh 1e250")
	}
}

// Every caller gets the same tables, whoever asks first.
func TestForestsConcurrently(t *testing.T) {
	g := random(rand.New(rand.NewPCG(1, 22)), 8, 1)
	var wg sync.WaitGroup
	got := make([]*forests, 8)
	for i := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			got[i] = forestsOf(g)
		}()
	}
	wg.Wait()
	for _, f := range got {
		if f != got[0] {
			t.Fatal("the forests were computed more than once")
		}
	}
}

// The tables go when their graph does.
func TestForestsAreForgotten(t *testing.T) {
	g := random(rand.New(rand.NewPCG(1, 23)), 6, 1)
	key := weak.Make(g)
	forestsOf(g)
	if _, ok := computed.Load(key); !ok {
		t.Fatal("the tables of a graph in use are not kept")
	}
	runtime.KeepAlive(g)
	g = nil
	for range 100 {
		runtime.GC()
		if _, ok := computed.Load(key); !ok {
			return
		}
		time.Sleep(10 * time.Millisecond) // cleanups run after a collection, in their own goroutine
	}
	t.Error("the tables of a graph that nobody has are still there")
}
