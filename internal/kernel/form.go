package kernel

// Form says how a kernel is made of the product over its graphs and of the
// distance.
type Form int

// The forms of the paper's comparison.
const (
	Modulated Form = iota // Eq. (5): Π_p k_p, each modulated by the distance
	Product               // k_RBF · Π_p k_p at t = 0
	Sum                   // ω k_RBF + Π_p k_p/c̄ at t = 0
)

// combine turns the product over the graphs into the kernel.
func (e *Evaluator) combine(row, d2 []float64) {
	switch e.k.form {
	case Product:
		for j := range row {
			row[j] *= rbf(d2[j])
		}
	case Sum:
		for j, graph := range row {
			row[j] = e.mix*rbf(d2[j]) + graph/e.mean
		}
	}
}

// shares splits weights u of log k of a Sum between the logarithms of its two
// parts, by their shares in k: what is left in u belongs to k_RBF.
func (e *Evaluator) shares(u []float64, x Point, cols *Columns, d2 []float64) (graph []float64) {
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

// addSumGrad splits u as shares does, and adds the derivatives by ω and, through
// c̄, by β to dst.
func (e *Evaluator) addSumGrad(dst Params, u []float64, x Point, cols *Columns, d2 []float64) (graph, distance []float64) {
	e.rest = append(e.rest[:0], u...)
	distance = e.rest
	graph = e.shares(distance, x, cols, d2)
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
