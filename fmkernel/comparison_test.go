package fmkernel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// kind is a kernel with a literal transcription of its definition, given the
// graph kernels of Eq. (2) with an explicit eigendecomposition.
type kind struct {
	name  string
	build func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)
	// f is the modulating function, where 'distance' is what its t is α times
	// of, the squared scaled distance when nil.
	f        func(lambda, t, beta float64) float64
	distance func(theta, x, y []float64) float64
	// term is what a difference counts in it, its square over θ² when nil.
	term func(diff, theta, dims float64) float64
	// join makes the kernel of k_RBF and the graphs' part at t = 0; nil for
	// Eq. (5).
	join func(rbf, graph, meanDiag float64, params fmkernel.Params) float64
	// normalized says that the kernel is to be normalized, and metric makes one with another
	// distance of it.
	normalized bool
	metric     func(*fmkernel.Kernel) *fmkernel.Kernel
}

func with(m fmkernel.Modulator) func(int, ...*graphs.Graph) (*fmkernel.Kernel, error) {
	return func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) { return fmkernel.New(m, dims, gs...) }
}

func fDif(lambda, t, beta float64) float64 { return math.Exp(-(1 + t) * beta * lambda) } // Eq. (10)

// cosine is a bounded kernel of a user: cos of the scaled difference, summed
// over the dimensions.
type cosine struct{}

func (cosine) Bound() float64 { return 4 } // for up to four dimensions

func (cosine) Eval(theta, x, y []float64) float64 {
	sum := 0.0
	for d, th := range theta {
		sum += math.Cos((x[d] - y[d]) / th)
	}
	return sum
}

func (k cosine) EvalGrad(dX, dTheta, theta, x, y []float64) float64 {
	for d, th := range theta {
		diff := (x[d] - y[d]) / th
		dX[d] = -math.Sin(diff) / th
		dTheta[d] = diff * math.Sin(diff)
	}
	return k.Eval(theta, x, y)
}

// nnDistance is 1 - k_NN with the given bias.
func nnDistance(bias float64) func(theta, x, y []float64) float64 {
	return func(theta, x, y []float64) float64 {
		inner := func(a, b []float64) float64 {
			sum := bias
			for d, th := range theta {
				sum += a[d] * b[d] / (th * th)
			}
			return sum
		}
		return 1 - 2/math.Pi*math.Asin(2*inner(x, y)/math.Sqrt((1+2*inner(x, x))*(1+2*inner(y, y))))
	}
}

var kinds = []kind{
	{name: "ModLap", build: fmkernel.NewModLap, f: fLap},
	{name: "ModDif", build: fmkernel.NewModDif, f: fDif},
	{name: "ProdLap", build: fmkernel.NewProdLap, f: fLap, join: func(rbf, graph, _ float64, _ fmkernel.Params) float64 { return rbf * graph }},
	{name: "ProdDif", build: fmkernel.NewProdDif, f: fDif, join: func(rbf, graph, _ float64, _ fmkernel.Params) float64 { return rbf * graph }},
	{name: "AddLap", build: fmkernel.NewAddLap, f: fLap, join: joinSum},
	{name: "AddDif", build: fmkernel.NewAddDif, f: fDif, join: joinSum},
	{name: "reciprocal", build: with(fmkernel.Reciprocal(2)), f: fLap},
	{name: "power sum", build: with(fmkernel.PowerSum(0.5, 0, 2)), f: func(lambda, t, beta float64) float64 {
		s := 1 + beta*lambda + t
		return 0.5/s + 2/(s*s*s)
	}},
	{name: "family", build: with(fmkernel.Family{{Weight: 1, Tau: 1.2, Rho: 1}, {Weight: 0.3, Tau: 1.9, Rho: 3}}), f: func(lambda, t, beta float64) float64 {
		return 1/(1+beta*lambda+math.Pow(t, 0.6)) + 0.3*math.Pow(1+beta*lambda+math.Pow(t, 0.95), -3)
	}},
	{name: "neural network", build: with(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{}}), f: fLap, distance: nnDistance(0)},
	{name: "neural network, bias", build: with(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 0.7}, Delta: 0.2}),
		f: func(lambda, t, beta float64) float64 { return 1 / (0.2 + t + beta*lambda) }, distance: nnDistance(0.7)},
	{name: "pointer", build: with(&fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 2}}), f: fLap, distance: nnDistance(2)},
	{name: "own bounded kernel", build: with(fmkernel.Kernelized{Kernel: cosine{}}), f: fLap,
		distance: func(theta, x, y []float64) float64 { return 4 - cosine{}.Eval(theta, x, y) }},
}

func joinSum(rbf, graph, meanDiag float64, params fmkernel.Params) float64 {
	if len(params.Mix) == 0 { // one part only
		return rbf * graph
	}
	return params.Mix[0]*rbf + graph/meanDiag
}

// reference returns the transcription of the kernel.
func (kind kind) reference(t testing.TB, gs []*graphs.Graph) func(params fmkernel.Params, x, y fmkernel.Point) float64 {
	ref := newReference(t, kind.f, gs)
	uneven := 0.0
	for _, g := range gs {
		if isUneven(g) {
			uneven++
		}
	}
	return func(params fmkernel.Params, x, y fmkernel.Point) float64 {
		d2 := 0.0
		if kind.distance != nil {
			d2 = kind.distance(params.Theta, x.C, y.C)
		} else {
			for d, th := range params.Theta {
				diff := x.C[d] - y.C[d]
				if kind.term != nil {
					d2 += kind.term(diff, th, float64(len(params.Theta)))
				} else {
					d2 += math.Pow(diff/th, 2)
				}
			}
		}
		if kind.join == nil && len(gs) == 0 {
			return kind.f(0, d2, 1)
		}
		graph, meanDiag := 1.0, 1.0
		for p, g := range gs {
			at := 0.0
			if kind.join == nil {
				at = params.Alpha[p] * d2
			}
			modulated := func(v, w int, t float64) float64 {
				sum := 0.0
				for i, l := range ref.lambda[p] {
					sum += ref.u[p].At(v, i) * kind.f(l, t, params.Beta[p]) * ref.u[p].At(w, i)
				}
				return sum
			}
			entry := func(v, w int) float64 {
				k := modulated(v, w, at)
				if kind.normalized && uneven > 3 && isUneven(g) {
					k /= math.Pow(modulated(v, v, 0)*modulated(w, w, 0), (1-9/(uneven*uneven))/2)
				}
				return k
			}
			graph *= entry(x.V[p], y.V[p])
			if kind.join != nil {
				mean := 0.0
				for v := range g.Order() {
					mean += entry(v, v) / float64(g.Order())
				}
				meanDiag *= mean
			}
		}
		if kind.join == nil {
			return graph
		}
		return kind.join(math.Exp(-d2/2), graph, meanDiag, params)
	}
}

// isUneven reports whether some vertices have more of the prior variance than others.
func isUneven(g *graphs.Graph) bool {
	return g.Shape() != graphs.ShapeComplete && g.Shape() != graphs.ShapeCycle
}

// draw returns a random kernel of the kind with its graphs, parameters and
// points.
func (kind kind) draw(t testing.TB, rng *rand.Rand, n int) (*fmkernel.Kernel, []*graphs.Graph, fmkernel.Params, []fmkernel.Point) {
	t.Helper()
	d, p := rng.IntN(4), rng.IntN(3)
	if kind.normalized {
		p = 4 + rng.IntN(2)
	}
	gs := make([]*graphs.Graph, p)
	for i := range gs {
		gs[i] = randomGraph(rng)
	}
	k, err := kind.build(d, gs...)
	if err != nil {
		t.Fatal(err)
	}
	if kind.normalized {
		k = k.Normalized()
	}
	if kind.metric != nil {
		k = kind.metric(k)
	}
	params := k.NewParams()
	for _, s := range [][]float64{params.Alpha, params.Beta, params.Theta, params.Mix} {
		for i := range s {
			s[i] = math.Exp(rng.NormFloat64())
		}
	}
	return k, gs, params, randomPoints(rng, n, d, gs)
}

func sq(x float64) float64 { return x * x }

func bounded(x float64) float64 { return 1 - math.Pow(1+x/4, -4) }

// metrics are the distances that a kernel may have.
var metrics = []struct {
	name string
	of   func(*fmkernel.Kernel) *fmkernel.Kernel
	term func(diff, theta, dims float64) float64
}{
	{"saturated", (*fmkernel.Kernel).Saturated, func(diff, theta, dims float64) float64 {
		if dims < 3 {
			return sq(diff / theta)
		}
		return 2 / dims * bounded(sq(diff/theta)*dims/2)
	}},
	{"weighted", (*fmkernel.Kernel).Weighted, func(diff, theta, dims float64) float64 {
		if dims < 3 {
			return sq(diff / theta)
		}
		return bounded(4*sq(diff)) / sq(2*theta)
	}},
	{"rough", (*fmkernel.Kernel).Rough, func(diff, theta, _ float64) float64 {
		return math.Pow(math.Abs(diff/theta), 1.5)
	}},
}

const kindDraws = 12

// forEach runs f on random kernels of every kind, as it is, normalized, and then
// with each metric.
func forEach(t *testing.T, stream uint64, n int, f func(t *testing.T, rng *rand.Rand, kind kind, k *fmkernel.Kernel, gs []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point)) {
	all := slices.Clone(kinds)
	for _, kind := range kinds {
		kind.name, kind.normalized = kind.name+", normalized", true
		all = append(all, kind)
		for _, metric := range metrics {
			other := kind
			other.name, other.metric, other.term = kind.name+", "+metric.name, metric.of, metric.term
			all = append(all, other)
		}
	}
	for _, kind := range all {
		t.Run(kind.name, func(t *testing.T) {
			for seed := range uint64(kindDraws) {
				rng := rand.New(rand.NewPCG(seed, stream))
				k, gs, params, xs := kind.draw(t, rng, n)
				f(t, rng, kind, k, gs, params, xs)
				if t.Failed() {
					t.Fatalf("seed %d: %v on %d dimensions and %d graphs, %+v", seed, k, len(params.Theta), len(gs), params)
				}
			}
		})
	}
}

func TestKernelsEqualTheirDefinition(t *testing.T) {
	forEach(t, 20, 8, func(t *testing.T, _ *rand.Rand, kind kind, k *fmkernel.Kernel, gs []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point) {
		ref := kind.reference(t, gs)
		var gram mat.SymDense
		k.GramTo(&gram, params, xs)
		e := evaluator(k, params)
		for i, x := range xs {
			for j, y := range xs[:i+1] {
				want := ref(params, x, y)
				scale := math.Sqrt(ref(params, x, x) * ref(params, y, y))
				if got := gram.At(i, j); math.Abs(got-want) > kernelTol*scale {
					t.Errorf("k(%v, %v) = %g, its definition gives %g", x, y, got, want)
				}
			}
			if got, want := e.Diag(x), gram.At(i, i); math.Abs(got-want) > 1e-14*want {
				t.Errorf("Diag(%v) = %g, want %g", x, got, want)
			}
		}
	})
}

func TestKernelsArePositiveDefinite(t *testing.T) {
	forEach(t, 21, 25, func(t *testing.T, _ *rand.Rand, _ kind, k *fmkernel.Kernel, _ []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point) {
		var gram mat.SymDense
		k.GramTo(&gram, params, xs)
		if least := smallestEigenvalue(t, &gram); least < -1e-12 {
			t.Errorf("smallest eigenvalue %g of the largest", least)
		}
	})
}

// smallestEigenvalue returns the smallest eigenvalue as a share of the largest.
func smallestEigenvalue(t *testing.T, a *mat.SymDense) float64 {
	t.Helper()
	var eig mat.EigenSym
	if !eig.Factorize(a, false) {
		t.Fatal("eigendecomposition failed")
	}
	values := eig.Values(nil)
	return values[0] / values[len(values)-1]
}

// spectralRounding is the absolute rounding of a sum over a spectrum.
const spectralRounding = 1e-16

func TestKernelsInputGradient(t *testing.T) {
	forEach(t, 22, 5, func(t *testing.T, rng *rand.Rand, _ kind, k *fmkernel.Kernel, _ []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point) {
		d, _ := k.Dims()
		if d == 0 {
			return
		}
		x, others := xs[0], xs[1:]
		settings := &fd.Settings{Formula: fd.Central, Step: 1e-5 * math.Min(1, slices.Min(params.Theta))}
		row, grad := make([]float64, len(others)), mat.NewDense(len(others), d, nil)
		k.CrossGradTo(row, grad, params, x, others)
		for j, y := range others {
			want := fd.Gradient(nil, func(c []float64) float64 {
				return k.Eval(params, fmkernel.Point{C: c, V: x.V}, y)
			}, x.C, settings)
			if diff := floats.Distance(grad.RawRowView(j), want, math.Inf(1)); diff > gradTol*math.Max(floats.Norm(want, math.Inf(1)), row[j])+spectralRounding/settings.Step {
				t.Errorf("∂k/∂c = %v, finite differences %v", grad.RawRowView(j), want)
			}
		}
		// The sums over points that prediction uses.
		cols, e := kernel.NewColumns((*kernel.Kernel)(k), others), evaluator(k, params)
		slope, a, b := make([]float64, len(others)), make([]float64, len(others)), make([]float64, len(others))
		e.SlopeTo(slope, x, cols)
		wantA, wantB := make([]float64, d), make([]float64, d)
		for j := range others {
			u, v := rng.NormFloat64(), rng.NormFloat64()
			a[j], b[j] = u*row[j]*slope[j], v*row[j]*slope[j]
			floats.AddScaled(wantA, u, grad.RawRowView(j))
			floats.AddScaled(wantB, v, grad.RawRowView(j))
		}
		dA, dB := make([]float64, d), make([]float64, d)
		e.InputGradTo(dA, dB, a, b, x, cols)
		if !floats.EqualApprox(dA, wantA, 1e-11) || !floats.EqualApprox(dB, wantB, 1e-11) {
			t.Errorf("InputGradTo gives %v and %v, want %v and %v", dA, dB, wantA, wantB)
		}
		got := make([]float64, d)
		e.AddDiagGrad(got, 2, x)
		want := fd.Gradient(nil, func(c []float64) float64 {
			at := fmkernel.Point{C: c, V: x.V}
			return 2 * k.Eval(params, at, at)
		}, x.C, settings)
		if !floats.EqualApprox(got, want, gradTol*math.Max(1, floats.Norm(want, math.Inf(1)))) {
			t.Errorf("AddDiagGrad gives %v, finite differences %v", got, want)
		}
	})
}

func TestKernelsParamGradient(t *testing.T) {
	forEach(t, 23, 7, func(t *testing.T, rng *rand.Rand, _ kind, k *fmkernel.Kernel, _ []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point) {
		w := mat.NewSymDense(len(xs), nil)
		for i := range xs {
			for j := range i + 1 {
				w.SetSym(i, j, rng.NormFloat64())
			}
		}
		log := flat(params)
		for i := range log {
			log[i] = math.Log(log[i])
		}
		if len(log) == 0 {
			return
		}
		at := func(log []float64) fmkernel.Params {
			q := k.NewParams()
			for _, s := range [][]float64{q.Alpha, q.Beta, q.Theta, q.Mix} {
				for i := range s {
					s[i] = math.Exp(log[i])
				}
				log = log[len(s):]
			}
			return q
		}
		scale := 0.0
		settings := &fd.Settings{Formula: fd.Central, Step: 1e-5}
		want := fd.Gradient(nil, func(log []float64) float64 {
			var gram mat.SymDense
			k.GramTo(&gram, at(log), xs)
			sum := 0.0
			scale = 0
			for i := range xs {
				for j := range xs {
					sum += w.At(i, j) * gram.At(i, j)
					scale += math.Abs(w.At(i, j) * gram.At(i, j))
				}
			}
			return sum
		}, log, settings)
		grad := k.NewParams()
		k.ParamGradTo(grad, params, xs, w)
		for i, got := range flat(grad) {
			if math.Abs(got-want[i]) > gradTol*math.Max(math.Abs(want[i]), 0.1*scale) {
				t.Errorf("gradient %d is %g, finite differences %g", i, got, want[i])
			}
		}
		want = fd.Gradient(nil, func(log []float64) float64 { return math.Log(evaluator(k, at(log)).MeanDiag()) }, log, settings)
		grad.Clear()
		evaluator(k, params).MeanDiagGrad(grad)
		if got := flat(grad); floats.Distance(got, want, math.Inf(1)) > gradTol {
			t.Errorf("gradient of the mean diagonal is %v, finite differences %v", got, want)
		}
	})
}

// flat returns all entries of params.
func flat(params fmkernel.Params) []float64 {
	return slices.Concat(params.Alpha, params.Beta, params.Theta, params.Mix)
}

func TestKernelsMoveRows(t *testing.T) {
	forEach(t, 24, 9, func(t *testing.T, rng *rand.Rand, _ kind, k *fmkernel.Kernel, gs []*graphs.Graph, params fmkernel.Params, xs []fmkernel.Point) {
		x, others := xs[0], xs[1:]
		var moves []kernel.Move
		for p, g := range gs {
			for range 3 {
				moves = append(moves, kernel.Move{Graph: p, Vertex: rng.IntN(g.Order())})
			}
		}
		rows, want := make([]float64, len(moves)*len(others)), make([]float64, len(others))
		evaluator(k, params).MoveRowsTo(rows, len(others), x, moves, kernel.NewColumns((*kernel.Kernel)(k), others))
		for i, move := range moves {
			y := x.Clone()
			y.V[move.Graph] = move.Vertex
			k.CrossTo(want, params, y, others)
			for j, got := range rows[i*len(others) : (i+1)*len(others)] {
				if math.Abs(got-want[j]) > 1e-13*math.Abs(want[j]) {
					t.Errorf("row after %+v: %g, want %g", move, got, want[j])
				}
			}
		}
	})
}

// The complete graph's closed form holds for any f: (f(0)+(n-1)f(n))/n and
// (f(0)-f(n))/n, proof of Thm 3.2.
func TestCompleteGraphOfAnyModulator(t *testing.T) {
	const n = 5
	for _, kind := range kinds {
		if kind.join != nil || kind.distance != nil {
			continue
		}
		k, err := kind.build(1, graphs.Complete(n))
		if err != nil {
			t.Fatal(err)
		}
		params := k.NewParams()
		params.Beta[0] = 0.3
		for _, c := range []float64{0, 0.4, 2} {
			f := func(lambda float64) float64 { return kind.f(lambda, c*c, 0.3) }
			for v, want := range []float64{(f(0) + (n-1)*f(n)) / n, (f(0) - f(n)) / n} {
				got := k.Eval(params, fmkernel.Point{C: []float64{0}, V: []int{0}}, fmkernel.Point{C: []float64{c}, V: []int{v}})
				if math.Abs(got-want) > 1e-15 {
					t.Errorf("%s at distance %g, vertices 0 and %d: %v, want %v", kind.name, c, v, got, want)
				}
			}
		}
	}
}

// For K_3 at β = 1, from the closed forms: ModDif's different vertices become
// more alike with distance.
func TestModDifGoldenValues(t *testing.T) {
	k, err := fmkernel.NewModDif(1, graphs.Complete(3))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		c    float64
		v    int
		want float64
		why  string
	}{
		{0, 0, 0.366525, "(1+2e^-3)/3"},
		{0, 1, 0.316738, "(1-e^-3)/3"},
		{1, 0, 0.334986, "(1+2e^-6)/3"},
		{1, 1, 0.332507, "(1-e^-6)/3"},
	} {
		got := k.Eval(k.NewParams(), fmkernel.Point{C: []float64{0}, V: []int{0}}, fmkernel.Point{C: []float64{test.c}, V: []int{test.v}})
		if math.Abs(got-test.want) > 5e-7 {
			t.Errorf("distance %g, vertices 0 and %d: %g, want %g (%s)", test.c, test.v, got, test.want, test.why)
		}
	}
}

// Nine equal paths have the variance of one; three stay as they are, and so do graphs
// whose vertices are alike.
func TestNormalizedVariance(t *testing.T) {
	build := func(gs ...*graphs.Graph) *fmkernel.Kernel {
		k, err := fmkernel.NewModLap(0, gs...)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	variance := func(k *fmkernel.Kernel, v ...int) float64 {
		return k.Eval(k.NewParams(), fmkernel.Point{V: v}, fmkernel.Point{V: v})
	}
	path, choice := graphs.Path(7), graphs.Complete(4)
	one, other := build(path), build(choice)
	nine := build(append(slices.Repeat([]*graphs.Graph{path}, 9), choice)...).Normalized()
	for v := range path.Order() {
		want := variance(one, v) * variance(other, 0)
		if got := variance(nine, append(slices.Repeat([]int{v}, 9), 0)...); math.Abs(got-want) > 1e-14*want {
			t.Errorf("variance of nine vertices %d: %g, want %g", v, got, want)
		}
	}
	for _, k := range []*fmkernel.Kernel{one, build(path, path, path, choice, graphs.Cycle(5)), build(choice, choice, choice, choice), build()} {
		if k.Normalized() != k {
			t.Errorf("%v with three paths at most is not left as it is", k)
		}
	}
}

// A scaled distance changes once, and to what was asked for last.
func TestMetrics(t *testing.T) {
	build := func(m fmkernel.Modulator, dims int) *fmkernel.Kernel {
		k, err := fmkernel.New(m, dims, graphs.Complete(3))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	last := build(fmkernel.Laplacian{}, 3)
	for _, metric := range metrics {
		k := metric.of(last)
		if got, want := k.String(), metric.name+" Mod(fmkernel.Laplacian)"; k == last || got != want {
			t.Errorf("name %q, want %q", got, want)
		}
		for _, same := range []*fmkernel.Kernel{k, build(fmkernel.Laplacian{}, 0), build(fmkernel.Kernelized{Kernel: cosine{}}, 2)} {
			if metric.of(same) != same {
				t.Errorf("%v is not left as it is", same)
			}
		}
		last = k
	}
	if k := build(fmkernel.Laplacian{}, 2); k.Saturated() != k || k.Weighted() != k || k.Rough().Saturated().String() != k.String() {
		t.Errorf("%v of two dimensions is bounded", k)
	}
}

func TestKernelNames(t *testing.T) {
	for _, test := range []struct {
		build func(int, ...*graphs.Graph) (*fmkernel.Kernel, error)
		want  string
	}{
		{fmkernel.NewModLap, "ModLap"},
		{fmkernel.NewAddDif, "AddDif"},
		{with(fmkernel.Laplacian{}), "Mod(fmkernel.Laplacian)"},
		{with(&fmkernel.Laplacian{}), "Mod(fmkernel.Laplacian)"},
		{with(fmkernel.PowerSum(1, 0.5)), "Mod(Family(1,2,1)(0.5,2,2))"},
		{with(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 2}}), "Mod(Kernelized(fmkernel.NeuralNetwork{Bias:2}, 1))"},
	} {
		k, err := test.build(1, graphs.Complete(2))
		if err != nil {
			t.Fatal(err)
		}
		if k.String() != test.want {
			t.Errorf("name %q, want %q", k, test.want)
		}
	}
}

func TestNewRejectsModulators(t *testing.T) {
	for _, test := range []struct {
		m   fmkernel.Modulator
		why string
	}{
		{fmkernel.Family{}, "no atom"},
		{fmkernel.PowerSum(0, 0), "the measure is 0"},
		{fmkernel.Family{{Weight: -1, Tau: 2, Rho: 1}}, "a < 0"},
		{fmkernel.Family{{Weight: math.NaN(), Tau: 2, Rho: 1}}, "a is no number"},
		{fmkernel.Reciprocal(2.1), "τ > 2: not positive definite"},
		{fmkernel.Reciprocal(0), "τ = 0"},
		{fmkernel.Family{{Weight: 1, Tau: 2}}, "ρ = 0"},
		{fmkernel.Kernelized{}, "no kernel"},
		{fmkernel.Kernelized{Kernel: cosine{}, Delta: -1}, "δ < 0"},
	} {
		if k, err := fmkernel.New(test.m, 1, graphs.Complete(2)); err == nil || k != nil {
			t.Errorf("%+v (%s): no error", test.m, test.why)
		}
	}
}

// The typical β follows the scale of a graph's weights, so that the kernel at it does not.
// That of f_Lap makes points that differ in every graph as similar in a space of many as
// in a space of few, on average over the vertices.
func TestBetaUnit(t *testing.T) {
	betaUnit := func(k *fmkernel.Kernel, p int) float64 { return (*kernel.Kernel)(k).BetaUnit(p) }
	scaled, err := graphs.FromEdges(3, graphs.Edge{U: 0, V: 1, Weight: 7}, graphs.Edge{U: 1, V: 2, Weight: 14})
	if err != nil {
		t.Fatal(err)
	}
	k, err := fmkernel.NewProdDif(0, graphs.Complete(5), graphs.Path(2), graphs.Complete(1), scaled, scaled.Normalized())
	if err != nil {
		t.Fatal(err)
	}
	mean := 10.5 // of the weights
	for p, want := range []float64{1. / 5, 1. / 2, 1, betaUnit(k, 4) / mean} {
		if got := betaUnit(k, p); math.Abs(got-want) > 1e-12*want {
			t.Errorf("graph %d: %g, want %g", p, got, want)
		}
	}
	cone, err := graphs.Path(6).Cone()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graphs.Graph{graphs.Complete(5), graphs.Path(2), graphs.Path(9), graphs.Path(40), graphs.Cycle(7), scaled, scaled.Normalized(), cone, graphs.Complete(1)} {
		for _, n := range []int{1, 4, 20} {
			k, err := fmkernel.NewModLap(0, slices.Repeat([]*graphs.Graph{g}, n)...)
			if err != nil {
				t.Fatal(err)
			}
			beta := betaUnit(k, 0)
			want := float64(n) / float64(n+1)
			if got := meanSimilarity(t, g, beta); g.Order() > 1 && math.Abs(got-want) > 1e-6 {
				t.Errorf("f_Lap, %d graphs of %d vertices: similarity %.6f, want %.6f", n, g.Order(), got, want)
			}
			if g.Shape() == graphs.ShapeComplete && beta != float64(n) {
				t.Errorf("f_Lap, %d complete graphs: β = %g", n, beta)
			}
		}
	}
}

// meanSimilarity returns the mean of f_Lap over all pairs of different vertices, as a share of
// that over the pairs of each with itself.
func meanSimilarity(t *testing.T, g *graphs.Graph, beta float64) float64 {
	t.Helper()
	k, err := fmkernel.NewModLap(0, g)
	if err != nil {
		t.Fatal(err)
	}
	params := k.NewParams()
	params.Beta[0] = beta
	n, same, other := g.Order(), 0.0, 0.0
	for v := range n {
		for w := range n {
			x := k.Eval(params, fmkernel.Point{V: []int{v}}, fmkernel.Point{V: []int{w}})
			if v == w {
				same += x
			} else {
				other += x
			}
		}
	}
	return other / same / float64(n-1)
}
