package fmkernel_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const (
	kernelTol = 1e-10 // relative to √(k(x,x) k(y,y)), the scale of a Gram entry
	gradTol   = 1e-6  // relative, against central differences
	draws     = 60
)

func TestKernelEqualsEquation5(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 1))
		k, gs, params, xs := draw(t, rng, 12)
		ref := newReference(t, fLap, gs)
		var gram mat.SymDense
		k.GramTo(&gram, params, xs)
		for i, x := range xs {
			for j, y := range xs {
				want := ref.eval(params, x, y)
				scale := math.Sqrt(ref.eval(params, x, x) * ref.eval(params, y, y))
				for _, got := range []float64{gram.At(i, j), k.Eval(params, x, y)} {
					if math.Abs(got-want) > kernelTol*scale {
						t.Fatalf("seed %d: k(%v, %v) = %g, Eq. (5) gives %g", seed, x, y, got, want)
					}
				}
			}
		}
	}
}

// Entries of moderate size agree digit by digit, not only on the Gram scale.
func TestKernelRelativeAccuracy(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 2))
		k, gs, params, xs := draw(t, rng, 10)
		ref := newReference(t, fLap, gs)
		for _, x := range xs {
			for _, y := range xs {
				want := ref.eval(params, x, y)
				scale := math.Sqrt(ref.eval(params, x, x) * ref.eval(params, y, y))
				if want < 1e-4*scale {
					continue // the transcription itself has lost digits
				}
				if got := k.Eval(params, x, y); math.Abs(got-want) > kernelTol*want {
					t.Fatalf("seed %d: relative error %g", seed, math.Abs(got-want)/want)
				}
			}
		}
	}
}

func TestGramIsPositiveDefinite(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 3))
		k, _, params, xs := draw(t, rng, 25)
		var gram mat.SymDense
		k.GramTo(&gram, params, xs)
		var eig mat.EigenSym
		if !eig.Factorize(&gram, false) {
			t.Fatal("eigendecomposition failed")
		}
		values := eig.Values(nil)
		// A space without continuous dimension repeats points: eigenvalue 0.
		if values[0] < -1e-12*values[len(values)-1] {
			t.Errorf("seed %d: smallest eigenvalue %g of largest %g", seed, values[0], values[len(values)-1])
		}
	}
}

func TestKernelSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 4))
	gs := []*graphs.Graph{graphs.Complete(5), graphs.Path(4)}
	k, err := fmkernel.NewModLap(2, gs...)
	if err != nil {
		t.Fatal(err)
	}
	params := randomParams(rng, 2, 2)
	relabel := rng.Perm(5)
	xs := randomPoints(rng, 20, 2, gs)
	for i, x := range xs[1:] {
		y := xs[i]
		want := k.Eval(params, x, y)
		equal := func(why string, got float64) {
			if math.Abs(got-want) > 1e-14*math.Abs(want) {
				t.Errorf("%s: %g != %g", why, got, want)
			}
		}
		equal("symmetry", k.Eval(params, y, x))
		scaled := params.Clone()
		for p := range scaled.Alpha {
			scaled.Alpha[p] *= 4
		}
		for d := range scaled.Theta {
			scaled.Theta[d] *= 2
		}
		equal("α → 4α, θ → 2θ leaves α/θ² unchanged", k.Eval(scaled, x, y))
		a, b := x.Clone(), y.Clone()
		a.V[0], b.V[0] = relabel[a.V[0]], relabel[b.V[0]]
		equal("relabelling a complete graph", k.Eval(params, a, b))
	}
}

// ModLap respects Eq. (3): a larger distance never gives a larger value.
func TestSimilarityMeasure(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 5))
		k, _, params, xs := draw(t, rng, 2)
		d, _ := k.Dims()
		if d == 0 {
			continue
		}
		x, y := xs[0], xs[1].Clone()
		copy(y.C, x.C)
		last := math.Inf(1)
		for range 30 {
			v := k.Eval(params, x, y)
			if v < 0 || v > last*(1+1e-12) {
				t.Fatalf("seed %d: %g after %g", seed, v, last)
			}
			last = v
			y.C[0] += 0.1
		}
	}
}

func TestGoldenValues(t *testing.T) {
	point := func(c float64, v int) fmkernel.Point { return fmkernel.Point{C: []float64{c}, V: []int{v}} }
	for _, test := range []struct {
		name string
		g    *graphs.Graph
		x, y fmkernel.Point
		want float64
		why  string
	}{
		{"K3 same vertex, t=0", graphs.Complete(3), point(0, 1), point(0, 1), 0.5, "(f(0)+2f(3))/3, f(0)=1, f(3)=1/4"},
		{"K3 different, t=0", graphs.Complete(3), point(0, 1), point(0, 2), 0.25, "(f(0)-f(3))/3, proof of Thm 3.2"},
		{"K3 same vertex, t=1", graphs.Complete(3), point(0, 1), point(1, 1), 0.3, "(1/2+2/5)/3"},
		{"K3 different, t=1", graphs.Complete(3), point(0, 1), point(1, 2), 0.1, "(1/2-1/5)/3"},
		{"P2 different, t=0", graphs.Path(2), point(0, 0), point(0, 1), 1.0 / 3, "(1-1/3)/2"},
		{"P3 ends, t=0", graphs.Path(3), point(0, 0), point(0, 2), 1.0 / 8, "adj/det of I+L: 1/8"},
		{"C4 opposite, t=0", graphs.Cycle(4), point(0, 0), point(0, 2), (1 + 1.0/5 - 2.0/3) / 4, "eigenvalues 0, 2, 2, 4"},
	} {
		k, err := fmkernel.NewModLap(1, test.g)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Eval(fmkernel.NewParams(1, 1), test.x, test.y); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s: got %v, want %v (%s)", test.name, got, test.want, test.why)
		}
	}
}

func TestEmptyProductAndNoDimensions(t *testing.T) {
	k, err := fmkernel.NewModLap(2)
	if err != nil {
		t.Fatal(err)
	}
	x := fmkernel.Point{C: []float64{0, 0}}
	y := fmkernel.Point{C: []float64{1, 2}}
	if got := k.Eval(fmkernel.NewParams(2, 0), x, y); got != 1.0/6 {
		t.Errorf("no graph: got %v, want 1/(1+‖c-c'‖²) = 1/6", got)
	}
	k, err = fmkernel.NewModLap(0, graphs.Complete(3))
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Eval(fmkernel.NewParams(0, 1), fmkernel.Point{V: []int{0}}, fmkernel.Point{V: []int{2}}); got != 0.25 {
		t.Errorf("no dimension: got %v, want the graph kernel 0.25", got)
	}
	row := make([]float64, 1)
	k.CrossGradTo(row, &mat.Dense{}, fmkernel.NewParams(0, 1), fmkernel.Point{V: []int{0}}, []fmkernel.Point{{V: []int{2}}})
	if row[0] != 0.25 {
		t.Errorf("no dimension, with the gradient: got %v, want 0.25", row[0])
	}
	var none mat.SymDense
	if k.GramTo(&none, fmkernel.NewParams(0, 1), nil); !none.IsEmpty() {
		t.Errorf("no points: a matrix of order %d", none.SymmetricDim())
	}
}

func TestInputGradient(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 6))
		k, _, params, xs := draw(t, rng, 6)
		d, _ := k.Dims()
		if d == 0 {
			continue
		}
		x := xs[0]
		row, grad := make([]float64, 5), mat.NewDense(5, d, nil)
		k.CrossGradTo(row, grad, params, x, xs[1:])
		for j, y := range xs[1:] {
			want := fd.Gradient(nil, func(c []float64) float64 {
				return k.Eval(params, fmkernel.Point{C: c, V: x.V}, y)
			}, x.C, &fd.Settings{Formula: fd.Central, Step: 1e-5 * slices.Min(params.Theta)})
			for i := range want {
				if diff := math.Abs(grad.At(j, i) - want[i]); diff > gradTol*math.Max(math.Abs(want[i]), row[j]) {
					t.Errorf("seed %d: ∂k/∂c_%d = %g, finite differences %g", seed, i, grad.At(j, i), want[i])
				}
			}
		}
	}
}

func TestParamGradient(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 7))
		k, _, params, xs := draw(t, rng, 7)
		d, p := k.Dims()
		w := mat.NewSymDense(len(xs), nil)
		for i := range xs {
			for j := range i + 1 {
				w.SetSym(i, j, rng.NormFloat64())
			}
		}
		at := func(log []float64) fmkernel.Params {
			q := fmkernel.NewParams(d, p)
			for i := range log {
				v := math.Exp(log[i])
				switch {
				case i < p:
					q.Alpha[i] = v
				case i < 2*p:
					q.Beta[i-p] = v
				default:
					q.Theta[i-2*p] = v
				}
			}
			return q
		}
		log := make([]float64, 2*p+d)
		for i := range p {
			log[i], log[p+i] = math.Log(params.Alpha[i]), math.Log(params.Beta[i])
		}
		for i := range d {
			log[2*p+i] = math.Log(params.Theta[i])
		}
		if len(log) == 0 {
			continue
		}
		var gram mat.SymDense
		scale := 0.0
		want := fd.Gradient(nil, func(log []float64) float64 {
			k.GramTo(&gram, at(log), xs)
			sum, abs := 0.0, 0.0
			for i := range xs {
				for j := range xs {
					sum += w.At(i, j) * gram.At(i, j)
					abs += math.Abs(w.At(i, j) * gram.At(i, j))
				}
			}
			scale = abs
			return sum
		}, log, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		got := fmkernel.NewParams(d, p)
		k.ParamGradTo(got, params, xs, w)
		flat := append(append(append([]float64{}, got.Alpha...), got.Beta...), got.Theta...)
		for i := range want {
			if math.Abs(flat[i]-want[i]) > gradTol*math.Max(math.Abs(want[i]), 0.1*scale) {
				t.Errorf("seed %d: gradient %d is %g, finite differences %g", seed, i, flat[i], want[i])
			}
		}
	}
}

// bigPath solves (sI + βL) x = e_hi on the unit path in 300-bit arithmetic, by
// the pivots of the elimination from both ends.
type bigPath struct {
	beta        *big.Float
	diagonal    []*big.Float
	left, right []*big.Float
}

func bigNumber(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

// bigOp returns f(x, y) in a new number.
func bigOp(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
	return f(new(big.Float).SetPrec(300), x, y)
}

func newBigPath(n int, beta, s float64) *bigPath {
	b := bigNumber(beta)
	end := bigOp((*big.Float).Add, bigNumber(s), b)
	inner := bigOp((*big.Float).Add, end, b)
	path := &bigPath{beta: b, diagonal: make([]*big.Float, n), left: make([]*big.Float, n), right: make([]*big.Float, n)}
	for i := range n {
		path.diagonal[i] = inner
	}
	path.diagonal[0], path.diagonal[n-1] = end, end
	path.left[0], path.right[n-1] = end, end
	for i := 1; i < n; i++ {
		path.left[i] = path.eliminate(path.diagonal[i], path.left[i-1])
		path.right[n-1-i] = path.eliminate(path.diagonal[n-1-i], path.right[n-i])
	}
	return path
}

// eliminate returns d - β²/pivot.
func (path *bigPath) eliminate(d, pivot *big.Float) *big.Float {
	share := bigOp((*big.Float).Quo, path.beta, pivot)
	return bigOp((*big.Float).Sub, d, share.Mul(share, path.beta))
}

// entry returns x_lo = β^{hi-lo} / (pivots between), the Green's function of a
// tridiagonal matrix.
func (path *bigPath) entry(lo, hi int) float64 {
	pivot := path.right[hi]
	if hi > 0 {
		pivot = path.eliminate(pivot, path.left[hi-1])
	}
	g := bigOp((*big.Float).Quo, bigNumber(1), pivot)
	for i := hi - 1; i >= lo; i-- {
		g.Mul(g, path.beta)
		g.Quo(g, path.left[i])
	}
	out, _ := g.Float64()
	return out
}

// The closed form of the path is right for 2 to 10,000 vertices and β from
// 1e-6 to 1e6, to 1e-11 of each entry.
func TestPathClosedForm(t *testing.T) {
	const tol = 1e-11
	rng := rand.New(rand.NewPCG(1, 8))
	for _, n := range []int{2, 3, 5, 10, 17, 24, 25, 60, 1000, 10000} {
		k, err := fmkernel.NewModLap(1, graphs.Path(n))
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, beta := range []float64{1e-6, 1e-3, 0.1, 1, 10, 1e3, 1e6} {
			params := fmkernel.NewParams(1, 1)
			params.Beta[0] = beta
			pairs := [][2]int{{0, 0}, {0, n - 1}, {n - 1, n - 1}, {n / 2, n / 2}, {0, 1}, {n / 2, min(n/2+3, n-1)}}
			for range 4 {
				a, b := rng.IntN(n), rng.IntN(n)
				pairs = append(pairs, [2]int{min(a, b), max(a, b)})
			}
			for _, c := range []float64{0, 0.3, 30} {
				path := newBigPath(n, beta, 1+c*c)
				for _, pair := range pairs {
					x := fmkernel.Point{C: []float64{0}, V: []int{pair[0]}}
					y := fmkernel.Point{C: []float64{c}, V: []int{pair[1]}}
					got := k.Eval(params, x, y)
					want := path.entry(pair[0], pair[1])
					if want < 1e-290 {
						if got > 1e-280 || math.IsNaN(got) {
							t.Errorf("n=%d β=%g %v c=%g: got %g, want %g", n, beta, pair, c, got, want)
						}
						continue
					}
					worst = math.Max(worst, math.Abs(got-want)/want)
					if math.Abs(got-want) > tol*want {
						t.Errorf("n=%d β=%g %v c=%g: got %g, want %g, relative error %.2g", n, beta, pair, c, got, want, math.Abs(got-want)/want)
					}
				}
			}
		}
		t.Logf("n=%d: largest relative error %.2g", n, worst)
	}
}

// Weights of any magnitude give finite values and gradients, also where their
// powers leave the range of a float64.
func TestExtremeWeights(t *testing.T) {
	for _, weight := range []float64{1e-300, 1e-30, 1e-10, 1e10, 1e17, 1e100} {
		edges := make([]graphs.Edge, 19)
		for i := range edges {
			edges[i] = graphs.Edge{U: i, V: i + 1, Weight: weight * float64(1+i%3)}
		}
		k, err := fmkernel.NewModLap(1, mustGraph(graphs.FromEdges(20, edges...)))
		if err != nil {
			t.Fatal(err)
		}
		params := fmkernel.NewParams(1, 1)
		for _, v := range []int{0, 1, 19} {
			x, y := fmkernel.Point{C: []float64{0}, V: []int{0}}, fmkernel.Point{C: []float64{0.5}, V: []int{v}}
			row, grad := make([]float64, 1), mat.NewDense(1, 1, nil)
			k.CrossGradTo(row, grad, params, x, []fmkernel.Point{y})
			if math.IsNaN(row[0]) || row[0] < 0 || row[0] > 1 || math.IsNaN(grad.At(0, 0)) || math.IsInf(grad.At(0, 0), 0) {
				t.Errorf("weight %g, vertex %d: value %g, gradient %g", weight, v, row[0], grad.At(0, 0))
			}
		}
	}
}

// As β grows the vertices become one: k tends to 1/n, and ∂k/∂log β to 0.
func TestHugeBeta(t *testing.T) {
	for _, g := range []*graphs.Graph{graphs.Path(20), graphs.Cycle(12), graphs.Path(21)} {
		k, err := fmkernel.NewModLap(0, g)
		if err != nil {
			t.Fatal(err)
		}
		for _, beta := range []float64{1e7, 1e9, 1e17, 1e30, 1e100} {
			params := fmkernel.NewParams(0, 1)
			params.Beta[0] = beta
			got := k.Eval(params, fmkernel.Point{V: []int{0}}, fmkernel.Point{V: []int{5}})
			if want := 1 / float64(g.Order()); !(math.Abs(got/want-1) < 1e3/beta+1e-12) {
				t.Errorf("order %d, β = %g: %g, want %g", g.Order(), beta, got, want)
			}
			xs := []fmkernel.Point{{V: []int{0}}, {V: []int{5}}}
			slopes := fmkernel.NewParams(0, 1)
			k.ParamGradTo(slopes, params, xs, mat.NewSymDense(2, []float64{0, 1, 1, 0}))
			if slope := slopes.Beta[0]; !(math.Abs(slope) < 1e3/beta+1e-12) {
				t.Errorf("order %d, β = %g: ∂k/∂log β is %g", g.Order(), beta, slope)
			}
		}
	}
}

// Nor do weights of very different magnitudes, on a graph without a closed form.
func TestUnequalWeights(t *testing.T) {
	for _, least := range []float64{1e-100, 1e-200, 1e-295, 1e-300} {
		star := mustGraph(graphs.FromEdges(4, graphs.Edge{U: 0, V: 1, Weight: 1}, graphs.Edge{U: 0, V: 2, Weight: 1}, graphs.Edge{U: 0, V: 3, Weight: least}))
		k, err := fmkernel.NewModLap(0, star)
		if err != nil {
			t.Fatal(err)
		}
		for v := range 4 {
			got := k.Eval(fmkernel.NewParams(0, 1), fmkernel.Point{V: []int{0}}, fmkernel.Point{V: []int{v}})
			// (I + L)⁻¹ of a star with two leaves, and of one vertex more, which is hardly connected
			if want := []float64{0.5, 0.25, 0.25, 0}[v]; math.Abs(got-want) > 1e-12 {
				t.Errorf("weight %g, vertex %d: %v, want %v", least, v, got, want)
			}
		}
	}
}

// The angle of the neural network's kernel has no value beyond a right one, where
// rounding would take it.
func TestNeuralNetworkOfDistantPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		x := []float64{rng.Float64()}
		if got := (fmkernel.NeuralNetwork{}).Eval([]float64{1e-9}, x, x); math.IsNaN(got) || got > 1 {
			t.Fatalf("k(%v, %v) = %v", x, x, got)
		}
	}
}

// custom hides Laplacian from the choice of closed forms.
type custom struct{ fmkernel.Laplacian }

// A modulator the package does not know takes the spectral form, which must
// agree with the closed forms in value and gradient.
func TestSpectralEqualsClosedForms(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 9))
		closed, gs, params, xs := draw(t, rng, 8)
		d, p := closed.Dims()
		spectral, err := fmkernel.New(custom{}, d, gs...)
		if err != nil {
			t.Fatal(err)
		}
		w := mat.NewSymDense(len(xs), nil)
		for i := range xs {
			for j := range i + 1 {
				w.SetSym(i, j, rng.NormFloat64())
			}
		}
		var a, b mat.SymDense
		closed.GramTo(&a, params, xs)
		spectral.GramTo(&b, params, xs)
		if !mat.EqualApprox(&a, &b, 1e-11) {
			t.Errorf("seed %d: Gram matrices differ", seed)
		}
		ga, gb := fmkernel.NewParams(d, p), fmkernel.NewParams(d, p)
		closed.ParamGradTo(ga, params, xs, w)
		spectral.ParamGradTo(gb, params, xs, w)
		for i, pair := range [][2][]float64{{ga.Alpha, gb.Alpha}, {ga.Beta, gb.Beta}, {ga.Theta, gb.Theta}} {
			for j := range pair[0] {
				if math.Abs(pair[0][j]-pair[1][j]) > 1e-10*(1+math.Abs(pair[1][j])) {
					t.Errorf("seed %d: gradient %d,%d: closed %g, spectral %g", seed, i, j, pair[0][j], pair[1][j])
				}
			}
		}
	}
}

func TestEvaluatorRows(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 10))
		k, gs, params, xs := draw(t, rng, 9)
		cols := kernel.NewColumns((*kernel.Kernel)(k), xs[1:])
		e := evaluator(k, params)
		x := xs[0]
		if got, want := e.Diag(x), k.Eval(params, x, x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("seed %d: Diag %g, want %g", seed, got, want)
		}
		mean := 1.0
		for p, g := range gs {
			sum := 0.0
			one, err := fmkernel.NewModLap(0, g)
			if err != nil {
				t.Fatal(err)
			}
			q := fmkernel.Params{Alpha: params.Alpha[p : p+1], Beta: params.Beta[p : p+1]}
			for v := range g.Order() {
				y := fmkernel.Point{V: []int{v}}
				sum += one.Eval(q, y, y)
			}
			mean *= sum / float64(g.Order())
		}
		if got := e.MeanDiag(); math.Abs(got-mean) > 1e-12*mean {
			t.Errorf("seed %d: MeanDiag %g, mean of the diagonal %g", seed, got, mean)
		}
		var moves []kernel.Move
		for p, g := range gs {
			for _, v := range g.Neighbors(x.V[p]) {
				moves = append(moves, kernel.Move{Graph: p, Vertex: v})
			}
		}
		rows := make([]float64, len(moves)*10)
		e.MoveRowsTo(rows, 10, x, moves, cols)
		for i, move := range moves {
			y := x.Clone()
			y.V[move.Graph] = move.Vertex
			want := make([]float64, 8)
			k.CrossTo(want, params, y, xs[1:])
			for j := range want {
				if math.Abs(rows[i*10+j]-want[j]) > 1e-14*want[j] {
					t.Errorf("seed %d: row after %+v: %g, want %g", seed, move, rows[i*10+j], want[j])
				}
			}
		}
	}
}

func TestMeanDiagGradient(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 11))
		k, gs, params, _ := draw(t, rng, 1)
		grad := k.NewParams()
		grad.Clear()
		evaluator(k, params).MeanDiagGrad(grad)
		got := grad.Beta
		for p := range gs {
			h := 1e-5
			up, down := params.Clone(), params.Clone()
			up.Beta[p] *= math.Exp(h)
			down.Beta[p] *= math.Exp(-h)
			want := (math.Log(evaluator(k, up).MeanDiag()) - math.Log(evaluator(k, down).MeanDiag())) / (2 * h)
			if math.Abs(got[p]-want) > gradTol {
				t.Errorf("seed %d: ∂log c/∂log β_%d = %g, finite differences %g", seed, p, got[p], want)
			}
		}
	}
}

func TestPanicsOnWrongSizes(t *testing.T) {
	k, err := fmkernel.NewModLap(1, graphs.Complete(3))
	if err != nil {
		t.Fatal(err)
	}
	good := fmkernel.Point{C: []float64{0}, V: []int{0}}
	for name, f := range map[string]func(){
		"missing coordinate": func() {
			k.Eval(fmkernel.NewParams(1, 1), fmkernel.Point{V: []int{0}}, good)
		},
		"vertex outside": func() {
			k.Eval(fmkernel.NewParams(1, 1), fmkernel.Point{C: []float64{0}, V: []int{3}}, good)
		},
		"params":  func() { k.Eval(fmkernel.NewParams(2, 1), good, good) },
		"lengths": func() { k.CrossTo(make([]float64, 2), fmkernel.NewParams(1, 1), good, []fmkernel.Point{good}) },
		"dims":    func() { _, _ = fmkernel.NewModLap(-1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkGramTo(b *testing.B) {
	for _, space := range []struct {
		name string
		d    int
		gs   []*graphs.Graph
	}{
		{"complete", 2, []*graphs.Graph{graphs.Complete(3), graphs.Complete(5), graphs.Complete(4)}},
		{"path10", 2, []*graphs.Graph{graphs.Path(10), graphs.Path(10), graphs.Path(10)}},
		{"path100", 2, []*graphs.Graph{graphs.Path(100), graphs.Path(100), graphs.Path(100)}},
		{"complete1000", 2, []*graphs.Graph{graphs.Complete(1000), graphs.Complete(1000), graphs.Complete(1000)}},
	} {
		b.Run(fmt.Sprintf("%s/n=200", space.name), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			k, err := fmkernel.NewModLap(space.d, space.gs...)
			if err != nil {
				b.Fatal(err)
			}
			params := randomParams(rng, space.d, len(space.gs))
			xs := randomPoints(rng, 200, space.d, space.gs)
			cols := kernel.NewColumns((*kernel.Kernel)(k), xs)
			e := evaluator(k, params)
			row := make([]float64, 200)
			for b.Loop() {
				for i, x := range xs {
					e.RowTo(row[:i+1], x, cols)
				}
			}
		})
	}
}
