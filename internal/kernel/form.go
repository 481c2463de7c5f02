package kernel

import "github.com/goptuna-fm/goptuna-fm/graphs"

// Form says how a kernel is made of the product over its graphs and of the
// distance: [Modulated], [Product] or [Sum].
type Form interface {
	// modulates reports whether the distance is an argument of the graphs'
	// kernels: whether there is an α_p for each.
	modulates() bool
	// weights returns the number of weights ω.
	weights() int
	// factors returns the graphs of the product: not those of the kernel where
	// it has none.
	factors(gs []*graphs.Graph) []*graphs.Graph
	// bind takes what the form needs of the params of e.
	bind(e *Evaluator, params Params)
	// combine turns the product over the graphs into the kernel.
	combine(e *Evaluator, row, d2 []float64)
	// slopeTo stores ∂log k/∂d2 in slope.
	slopeTo(e *Evaluator, slope []float64, x Point, cols *Columns, d2 []float64)
	// split splits the weights u of log k into those of the logarithms of the
	// product over the graphs and of the part that depends on d2, and adds the
	// derivatives by what is in neither to dst.
	split(e *Evaluator, dst Params, u []float64, x Point, cols *Columns, d2 []float64) (graph, distance []float64)
	// distanceSlope turns ∂log/∂d2 of the product over the graphs into that of
	// the part that depends on d2.
	distanceSlope(slope []float64)
	// meanDiag is [Evaluator.MeanDiagGrad].
	meanDiag(e *Evaluator, grad Params) float64
}

// The forms of the paper's comparison.
var (
	Modulated Form = modulated{} // Eq. (5)
	Product   Form = product{}   // k_RBF · Π_p k_p
	Sum       Form = sum{}       // ω k_RBF + Π_p k_p/c̄_p
)

// modulated is Eq. (5): the product over the graphs, each modulated.
type modulated struct{}

func (modulated) modulates() bool { return true }

func (modulated) weights() int { return 0 }

// factors returns a graph of one vertex where there is none: then the kernel is
// f(0, d2).
func (modulated) factors(gs []*graphs.Graph) []*graphs.Graph {
	if len(gs) == 0 {
		return []*graphs.Graph{graphs.Complete(1)}
	}
	return gs
}

func (modulated) bind(*Evaluator, Params) {}

func (modulated) combine(*Evaluator, []float64, []float64) {}

func (modulated) slopeTo(e *Evaluator, slope []float64, x Point, cols *Columns, d2 []float64) {
	n := len(slope)
	if len(e.zeros) < n {
		e.zeros = make([]float64, max(n, cols.n)) // weights: only slopes are wanted
	}
	clear(slope)
	for p, f := range e.factors {
		v, vs := e.vertices(x, cols, p, n)
		f.gradRow(slope, e.zeros[:n], v, vs, e.alpha[p], d2)
	}
}

func (modulated) split(_ *Evaluator, _ Params, u []float64, _ Point, _ *Columns, _ []float64) (graph, distance []float64) {
	return u, u
}

func (modulated) distanceSlope([]float64) {}

func (modulated) meanDiag(e *Evaluator, grad Params) float64 { return e.productMeanDiag(grad.Beta) }

// product is k_RBF times the product over the graphs at t = 0.
type product struct{}

func (product) modulates() bool { return false }

func (product) weights() int { return 0 }

func (product) factors(gs []*graphs.Graph) []*graphs.Graph { return gs }

func (product) bind(*Evaluator, Params) {}

func (product) combine(_ *Evaluator, row, d2 []float64) {
	for j := range row {
		row[j] *= rbf(d2[j])
	}
}

func (p product) slopeTo(_ *Evaluator, slope []float64, _ Point, _ *Columns, _ []float64) {
	p.distanceSlope(slope)
}

func (product) split(_ *Evaluator, _ Params, u []float64, _ Point, _ *Columns, _ []float64) (graph, distance []float64) {
	return u, u
}

// distanceSlope stores ∂log k_RBF/∂d2.
func (product) distanceSlope(slope []float64) {
	for j := range slope {
		slope[j] = -0.5
	}
}

func (product) meanDiag(e *Evaluator, grad Params) float64 { return e.productMeanDiag(grad.Beta) }

// sum is ω k_RBF plus the product over the graphs at t = 0, divided by its mean
// diagonal c̄. What it does not say is as in a product.
type sum struct{ product }

func (sum) weights() int { return 1 }

func (sum) bind(e *Evaluator, params Params) {
	e.mix, e.mean = params.Mix[0], e.productMeanDiag(nil)
}

func (sum) combine(e *Evaluator, row, d2 []float64) {
	for j, graph := range row {
		row[j] = e.mix*rbf(d2[j]) + graph/e.mean
	}
}

func (s sum) slopeTo(e *Evaluator, slope []float64, x Point, cols *Columns, d2 []float64) {
	s.distanceSlope(slope)
	s.shares(e, slope, x, cols, d2)
}

func (s sum) split(e *Evaluator, dst Params, u []float64, x Point, cols *Columns, d2 []float64) (graph, distance []float64) {
	e.rest = append(e.rest[:0], u...)
	distance = e.rest
	graph = s.shares(e, distance, x, cols, d2)
	total := 0.0
	for j, w := range distance {
		dst.Mix[0] += w
		total += graph[j]
	}
	for p, f := range e.factors {
		_, d := f.meanDiag() // of c̄
		dst.Beta[p] -= total * d
	}
	return graph, distance
}

// shares splits u between the two parts, by their shares in k: what is left in u
// belongs to k_RBF.
func (sum) shares(e *Evaluator, u []float64, x Point, cols *Columns, d2 []float64) (graph []float64) {
	if cap(e.part) < len(u) {
		e.part = make([]float64, max(len(u), cols.n))
	}
	graph = e.part[:len(u)]
	e.graphRow(graph, x, cols, d2)
	for j, g := range graph {
		g /= e.mean
		share := 0.0
		if k := g + e.mix*rbf(d2[j]); k > 0 {
			share = g / k
		}
		graph[j] = u[j] * share
		u[j] *= 1 - share
	}
	return graph
}

// meanDiag has no derivative by β: the graphs' part is normalised already.
func (sum) meanDiag(e *Evaluator, grad Params) float64 {
	if len(grad.Mix) > 0 {
		grad.Mix[0] += e.mix / (1 + e.mix)
	}
	return 1 + e.mix
}
