package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// problem is a random mixed space with hyperparameters and data.
type problem struct {
	dims   int
	graphs []*graphs.Graph
	kernel *fmkernel.Kernel
	hyper  gp.Hyper
	xs     []fmkernel.Point
	y      []float64
}

// draw returns a problem with d dimensions, p graphs and n observations. The
// noise is at least 1e-3, so that repeated points leave K well conditioned.
func draw(t testing.TB, rng *rand.Rand, d, p, n int) problem {
	t.Helper()
	pr := problem{dims: d, graphs: make([]*graphs.Graph, p)}
	for i := range pr.graphs {
		pr.graphs[i] = randomGraph(rng)
	}
	pr.kernel = newKernel(t, d, pr.graphs)
	pr.hyper = gp.Hyper{
		Noise:  math.Exp(math.Log(1e-3) * rng.Float64()),
		Scale:  math.Exp(rng.NormFloat64()),
		Mean:   rng.NormFloat64(),
		Params: fmkernel.NewParams(d, p),
	}
	for _, s := range [][]float64{pr.hyper.Params.Alpha, pr.hyper.Params.Beta, pr.hyper.Params.Theta} {
		for i := range s {
			s[i] = math.Exp(rng.NormFloat64())
		}
	}
	pr.xs = pr.points(rng, n)
	pr.y = make([]float64, n)
	for i := range pr.y {
		pr.y[i] = rng.NormFloat64()
	}
	return pr
}

func newKernel(t testing.TB, d int, gs []*graphs.Graph) *fmkernel.Kernel {
	t.Helper()
	k, err := fmkernel.NewModLap(d, gs...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (pr problem) points(rng *rand.Rand, n int) []fmkernel.Point {
	xs := make([]fmkernel.Point, n)
	for i := range xs {
		xs[i] = fmkernel.Point{C: make([]float64, pr.dims), V: make([]int, len(pr.graphs))}
		for d := range xs[i].C {
			xs[i].C[d] = rng.Float64()
		}
		for p, g := range pr.graphs {
			xs[i].V[p] = rng.IntN(g.Order())
		}
	}
	return xs
}

func (pr problem) condition(t testing.TB) *gp.Model {
	t.Helper()
	model, err := gp.Condition(pr.kernel, pr.hyper, pr.xs, pr.y)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// randomGraph draws one of the kinds that have kernels of their own. The
// diagonal of k is constant on complete graphs and cycles only.
func randomGraph(rng *rand.Rand) *graphs.Graph {
	switch n := 2 + rng.IntN(5); rng.IntN(5) {
	case 0:
		return graphs.Complete(n)
	case 1:
		return graphs.Path(n)
	case 2:
		return graphs.Path(25)
	case 3:
		return graphs.Cycle(2 + n)
	default: // a tree with random weights
		edges := make([]graphs.Edge, n-1)
		for i := range edges {
			edges[i] = graphs.Edge{U: rng.IntN(i + 1), V: i + 1, Weight: math.Exp(rng.NormFloat64())}
		}
		g, err := graphs.FromEdges(n, edges...)
		if err != nil {
			panic(err)
		}
		return g
	}
}

// reference is the textbook posterior: Rasmussen and Williams, Gaussian
// Processes for Machine Learning (2006), Eqs. (2.23) and (2.24), with a
// constant mean and explicit solves.
type reference struct {
	problem
	factor float64
	lu     mat.LU
}

func newReference(pr problem) *reference { return newReferenceAt(pr, meanDiagonal(pr)) }

// newReferenceAt is newReference with the mean diagonal of k given.
func newReferenceAt(pr problem, meanDiagonal float64) *reference {
	r := &reference{problem: pr, factor: pr.hyper.Scale / meanDiagonal}
	n := len(pr.xs)
	if n == 0 {
		return r
	}
	var gram mat.SymDense
	pr.kernel.GramTo(&gram, pr.hyper.Params, pr.xs)
	k := mat.NewDense(n, n, nil)
	k.Scale(r.factor, &gram)
	for i := range n {
		k.Set(i, i, k.At(i, i)+pr.hyper.Noise)
	}
	r.lu.Factorize(k)
	return r
}

// meanDiagonal returns Π_p mean_v k_p(v, v), from the Gram matrix of all
// vertices of one graph at a time.
func meanDiagonal(pr problem) float64 {
	product := 1.0
	for p, g := range pr.graphs {
		one, err := fmkernel.NewModLap(0, g)
		if err != nil {
			panic(err)
		}
		all := make([]fmkernel.Point, g.Order())
		for v := range all {
			all[v].V = []int{v}
		}
		var gram mat.SymDense
		one.GramTo(&gram, fmkernel.Params{Alpha: []float64{1}, Beta: pr.hyper.Params.Beta[p : p+1]}, all)
		product *= mat.Trace(&gram) / float64(g.Order())
	}
	return product
}

func (r *reference) predict(x fmkernel.Point) (mean, variance float64) {
	n := len(r.xs)
	prior := r.factor * r.kernel.Eval(r.hyper.Params, x, x)
	if n == 0 {
		return r.hyper.Mean, prior
	}
	k, residual := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i, xi := range r.xs {
		k.SetVec(i, r.factor*r.kernel.Eval(r.hyper.Params, x, xi))
		residual.SetVec(i, r.y[i]-r.hyper.Mean)
	}
	var w, v mat.VecDense
	if err := r.lu.SolveVecTo(&w, false, residual); err != nil {
		panic(err)
	}
	if err := r.lu.SolveVecTo(&v, false, k); err != nil {
		panic(err)
	}
	return r.hyper.Mean + mat.Dot(k, &w), prior - mat.Dot(k, &v)
}
