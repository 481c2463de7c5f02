package graphs_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// fixture is a graph that every identity must hold for.
type fixture struct {
	name string
	g    *graphs.Graph
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	const seed = 1
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	return []fixture{
		{"one vertex", graphs.Complete(1)},
		{"one edge", graphs.Path(2)},
		{"complete 7", graphs.Complete(7)},
		{"complete 70, above the table", graphs.Complete(70)},
		{"path 3", graphs.Path(3)},
		{"path 64, largest with a table", graphs.Path(64)},
		{"path 65, above the table", graphs.Path(65)},
		{"cycle 4", graphs.Cycle(4)},
		{"cycle 9", graphs.Cycle(9)},
		{"cycle 70, above the table", graphs.Cycle(70)},
		{"star 6", must(graphs.FromEdges(6, star(6)...))},
		{"one heavy edge", must(graphs.FromEdges(2, graphs.Edge{U: 0, V: 1, Weight: 3}))},
		{"random 5", random(rng, 5)},
		{"random 20", random(rng, 20)},
		{"random 70, above the table", random(rng, 70)},
		{"random 20, huge weights", scaled(random(rng, 20), 1e300)},
		{"random 20, tiny weights", scaled(random(rng, 20), 1e-300)},
	}
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
func random(rng *rand.Rand, n int) *graphs.Graph {
	var edges []graphs.Edge
	for v := 1; v < n; v++ {
		parent := rng.IntN(v)
		for u := range v {
			if u == parent || rng.Float64() < 0.2 {
				edges = append(edges, graphs.Edge{U: u, V: v, Weight: math.Exp(rng.NormFloat64())})
			}
		}
	}
	return must(graphs.FromEdges(n, edges...))
}

func scaled(g *graphs.Graph, scale float64) *graphs.Graph {
	a := adjacency(g)
	a.ScaleSym(scale, a)
	return must(graphs.FromAdjacency(a))
}

func adjacency(g *graphs.Graph) *mat.SymDense {
	a := mat.NewSymDense(g.Order(), nil)
	for u := range g.Order() {
		for _, v := range g.Neighbors(u) {
			a.SetSym(u, v, g.Weight(u, v))
		}
	}
	return a
}

func TestShape(t *testing.T) {
	path := func(n int) (edges []graphs.Edge) {
		for v := 1; v < n; v++ {
			edges = append(edges, graphs.Edge{U: v, V: v - 1, Weight: 1})
		}
		return edges
	}
	for _, test := range []struct {
		name string
		g    *graphs.Graph
		want graphs.Shape
		why  string
	}{
		{"Complete(1)", graphs.Complete(1), graphs.ShapeComplete, "one vertex"},
		{"Complete(5)", graphs.Complete(5), graphs.ShapeComplete, "as built"},
		{"Path(1)", graphs.Path(1), graphs.ShapeComplete, "one vertex"},
		{"Path(2)", graphs.Path(2), graphs.ShapeComplete, "P_2 = K_2"},
		{"Path(3)", graphs.Path(3), graphs.ShapePath, "as built"},
		{"Cycle(1)", graphs.Cycle(1), graphs.ShapeComplete, "one vertex"},
		{"Cycle(2)", graphs.Cycle(2), graphs.ShapeComplete, "a single edge"},
		{"Cycle(3)", graphs.Cycle(3), graphs.ShapeComplete, "C_3 = K_3"},
		{"Cycle(4)", graphs.Cycle(4), graphs.ShapeCycle, "as built"},
		{"edges of K_1", must(graphs.FromEdges(1)), graphs.ShapeComplete, "no edge to have a weight"},
		{"edges of K_2", must(graphs.FromEdges(2, path(2)...)), graphs.ShapeComplete, "unit weight"},
		{"edges of P_3", must(graphs.FromEdges(3, path(3)...)), graphs.ShapePath, "natural order"},
		{"edges of P_6", must(graphs.FromEdges(6, path(6)...)), graphs.ShapePath, "natural order"},
		{"edges of C_6", must(graphs.FromEdges(6, append(path(6), graphs.Edge{U: 0, V: 5, Weight: 1})...)), graphs.ShapeCycle, "natural order"},
		{"adjacency of K_5", must(graphs.FromAdjacency(adjacency(graphs.Complete(5)))), graphs.ShapeComplete, "all pairs"},
		{"adjacency of P_5", must(graphs.FromAdjacency(adjacency(graphs.Path(5)))), graphs.ShapePath, "natural order"},
		{"adjacency of C_5", must(graphs.FromAdjacency(adjacency(graphs.Cycle(5)))), graphs.ShapeCycle, "natural order"},
		{"star", must(graphs.FromEdges(6, star(6)...)), graphs.ShapeGeneral, "vertex 0 has five neighbours"},
		{"P_3 renumbered", must(graphs.FromEdges(3, star(3)...)), graphs.ShapeGeneral, "1-0-2 is a path in another order"},
		{"cut cycle", must(graphs.FromEdges(4, graphs.Edge{U: 0, V: 3, Weight: 1}, graphs.Edge{U: 0, V: 1, Weight: 1}, graphs.Edge{U: 2, V: 3, Weight: 1})), graphs.ShapeGeneral, "1-0-3-2 is a path in another order"},
		{"cut cycle at 0", must(graphs.FromEdges(4, graphs.Edge{U: 0, V: 3, Weight: 1}, graphs.Edge{U: 1, V: 2, Weight: 1}, graphs.Edge{U: 2, V: 3, Weight: 1})), graphs.ShapeGeneral, "0-3-2-1 is a path in another order"},
		{"heavy K_2", must(graphs.FromEdges(2, graphs.Edge{U: 0, V: 1, Weight: 2})), graphs.ShapeGeneral, "weight 2"},
		{"heavy K_5", scaled(graphs.Complete(5), 2), graphs.ShapeGeneral, "weights 2"},
		{"heavy P_5", scaled(graphs.Path(5), 2), graphs.ShapeGeneral, "weights 2"},
	} {
		if got := test.g.Shape(); got != test.want {
			t.Errorf("%s: shape %v, want %v: %s", test.name, got, test.want, test.why)
		}
	}
	if got, want := graphs.Shape(9).String(), "Shape(9)"; got != want {
		t.Errorf("unknown shape prints as %q, want %q", got, want)
	}
}

// Neighbours, weights and the Laplacian must tell the same story.
func TestAdjacency(t *testing.T) {
	for _, f := range fixtures(t) {
		g, n := f.g, f.g.Order()
		l := g.Laplacian()
		if got := l.SymmetricDim(); got != n {
			t.Fatalf("%s: Laplacian is %d×%d, want order %d", f.name, got, got, n)
		}
		for u := range n {
			var want []int
			var degree, row float64
			for v := range n {
				w := g.Weight(u, v)
				if w != g.Weight(v, u) {
					t.Errorf("%s: weight (%d, %d) is not symmetric", f.name, u, v)
				}
				if w > 0 {
					want = append(want, v)
				}
				if u != v && l.At(u, v) != -w {
					t.Errorf("%s: L[%d, %d] = %v, want %v", f.name, u, v, l.At(u, v), -w)
				}
				degree += w
				row += l.At(u, v)
			}
			if got := g.Neighbors(u); !slices.Equal(got, want) {
				t.Errorf("%s: neighbours of %d are %v, want %v", f.name, u, got, want)
			}
			if math.Abs(row) > 1e-14*degree {
				t.Errorf("%s: row %d of L adds up to %v, want 0", f.name, u, row)
			}
		}
	}
}

func TestNeighborsIsFresh(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.g.Order() < 2 {
			continue
		}
		want := f.g.Neighbors(0)[0]
		f.g.Neighbors(0)[0] = -1
		if got := f.g.Neighbors(0)[0]; got != want {
			t.Errorf("%s: a caller's write shows in the graph", f.name)
		}
	}
}

// Implicit graphs must not depend on their order in memory or time.
func TestHugeComplete(t *testing.T) {
	const n = 1_000_000_000
	g := graphs.Complete(n)
	s, err := g.Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Lambda, []float64{0, n}; !slices.Equal(got, want) {
		t.Errorf("eigenvalues %v, want %v", got, want)
	}
	if got, want := s.Multiplicity(), []int{1, n - 1}; !slices.Equal(got, want) {
		t.Errorf("multiplicities %v, want %v", got, want)
	}
	if got, want := s.Coef(3, n-1), []float64{1e-9, -1e-9}; !slices.Equal(got, want) {
		t.Errorf("coefficients %v, want %v", got, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	const seed = 2
	t.Logf("seed %d", seed)
	g := random(rand.New(rand.NewPCG(seed, 0)), 70)
	var wg sync.WaitGroup
	spectra := make([]*graphs.Spectrum, 8)
	for i := range spectra {
		wg.Add(1)
		go func() {
			defer wg.Done()
			spectra[i], _ = g.Spectrum()
			spectra[i].Coef(i, 0)
			g.Neighbors(i)
		}()
	}
	wg.Wait()
	for _, s := range spectra {
		if s != spectra[0] {
			t.Fatal("the spectrum was computed more than once")
		}
	}
}
