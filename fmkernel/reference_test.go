package fmkernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// reference is a literal transcription of Eq. (5) with Eq. (2) and an explicit
// eigendecomposition: no closed form, no reuse, no speed.
type reference struct {
	u      []*mat.Dense
	lambda [][]float64
	f      func(lambda, t, beta float64) float64
}

func fLap(lambda, t, beta float64) float64 { return 1 / (1 + beta*lambda + t) } // Eq. (9)

func newReference(t testing.TB, f func(lambda, t, beta float64) float64, gs []*graphs.Graph) *reference {
	t.Helper()
	r := &reference{f: f}
	for _, g := range gs {
		n := g.Order()
		l := mat.NewSymDense(n, nil)
		for v := range n {
			for _, w := range g.Neighbors(v) {
				l.SetSym(v, v, l.At(v, v)+g.Weight(v, w))
				l.SetSym(v, w, -g.Weight(v, w))
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(l, true) {
			t.Fatal("eigendecomposition failed")
		}
		var u mat.Dense
		eig.VectorsTo(&u)
		r.u = append(r.u, &u)
		r.lambda = append(r.lambda, eig.Values(nil))
	}
	return r
}

func (r *reference) eval(params fmkernel.Params, x, y fmkernel.Point) float64 {
	d2 := 0.0
	for d, th := range params.Theta {
		d2 += (x.C[d] - y.C[d]) * (x.C[d] - y.C[d]) / (th * th)
	}
	if len(r.u) == 0 {
		return r.f(0, d2, 1)
	}
	k := 1.0
	for p, u := range r.u {
		sum := 0.0
		for i, l := range r.lambda[p] {
			sum += u.At(x.V[p], i) * r.f(l, params.Alpha[p]*d2, params.Beta[p]) * u.At(y.V[p], i)
		}
		k *= sum
	}
	return k
}

// randomGraph draws a connected graph of one of the kinds that take different
// code paths.
func randomGraph(rng *rand.Rand) *graphs.Graph {
	n := 2 + rng.IntN(9)
	switch rng.IntN(7) {
	case 0:
		return graphs.Complete(n)
	case 1:
		return graphs.Path(n)
	case 2:
		return graphs.Path(25 + rng.IntN(10)) // past the polynomial form
	case 3:
		return graphs.Cycle(3 + n)
	case 4: // weighted path
		edges := make([]graphs.Edge, n-1)
		for i := range edges {
			edges[i] = graphs.Edge{U: i, V: i + 1, Weight: math.Exp(rng.NormFloat64())}
		}
		return mustGraph(graphs.FromEdges(n, edges...))
	case 5: // larger than the forest form
		return randomConnected(rng, 21+rng.IntN(5))
	}
	return randomConnected(rng, 3+rng.IntN(7))
}

func randomConnected(rng *rand.Rand, n int) *graphs.Graph {
	var edges []graphs.Edge
	for v := 1; v < n; v++ { // a random tree, then extra edges
		edges = append(edges, graphs.Edge{U: rng.IntN(v), V: v, Weight: math.Exp(rng.NormFloat64())})
	}
	for u := range n {
		for v := u + 1; v < n; v++ {
			if rng.IntN(4) == 0 && !hasEdge(edges, u, v) {
				edges = append(edges, graphs.Edge{U: u, V: v, Weight: math.Exp(rng.NormFloat64())})
			}
		}
	}
	return mustGraph(graphs.FromEdges(n, edges...))
}

func hasEdge(edges []graphs.Edge, u, v int) bool {
	for _, e := range edges {
		if e.U == u && e.V == v || e.U == v && e.V == u {
			return true
		}
	}
	return false
}

func mustGraph(g *graphs.Graph, err error) *graphs.Graph {
	if err != nil {
		panic(err)
	}
	return g
}

func randomParams(rng *rand.Rand, d, p int) fmkernel.Params {
	params := fmkernel.NewParams(d, p)
	for _, s := range [][]float64{params.Alpha, params.Beta, params.Theta} {
		for i := range s {
			s[i] = math.Exp(1.5 * rng.NormFloat64())
		}
	}
	return params
}

func randomPoints(rng *rand.Rand, n, d int, gs []*graphs.Graph) []fmkernel.Point {
	xs := make([]fmkernel.Point, n)
	for i := range xs {
		xs[i] = fmkernel.Point{C: make([]float64, d), V: make([]int, len(gs))}
		for j := range xs[i].C {
			xs[i].C[j] = rng.Float64()
		}
		for p, g := range gs {
			xs[i].V[p] = rng.IntN(g.Order())
		}
	}
	return xs
}

// draw returns a random kernel with its graphs, parameters and points.
func draw(t testing.TB, rng *rand.Rand, n int) (*fmkernel.Kernel, []*graphs.Graph, fmkernel.Params, []fmkernel.Point) {
	t.Helper()
	d, p := rng.IntN(4), rng.IntN(4)
	gs := make([]*graphs.Graph, p)
	for i := range gs {
		gs[i] = randomGraph(rng)
	}
	k, err := fmkernel.NewModLap(d, gs...)
	if err != nil {
		t.Fatal(err)
	}
	return k, gs, randomParams(rng, d, p), randomPoints(rng, n, d, gs)
}

// evaluator returns what the model evaluates k by.
func evaluator(k *fmkernel.Kernel, params fmkernel.Params) *kernel.Evaluator {
	return kernel.NewEvaluator((*kernel.Kernel)(k), params)
}
