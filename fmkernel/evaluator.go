package fmkernel

import "github.com/goptuna-fm/goptuna-fm/graphs"

// Evaluator is a Kernel at fixed Params. It owns scratch space, so it serves
// one goroutine; rows are prefixes of Columns, so that a lower triangle costs
// half a square.
type Evaluator struct {
	k       *Kernel
	factors []factor
	alpha   []float64 // α_p, and 1 for the empty product
	theta   []float64
	inv2    []float64 // 1/θ_d²

	d2, slope, zeros []float64
	after            []float64 // P×n, scratch of MoveRowsTo
	vertex           []int32   // all 0: the vertices of the empty product

	one  [1]float64 // scratch of Diag
	oneV [1]int32
}

// Evaluator returns an Evaluator of k at params.
func (k *Kernel) Evaluator(params Params) *Evaluator {
	e := &Evaluator{k: k, theta: make([]float64, k.dims), inv2: make([]float64, k.dims)}
	for _, g := range k.graphs {
		e.factors = append(e.factors, mustFactor(k.modulator, g))
	}
	e.alpha = make([]float64, len(k.graphs))
	if len(k.graphs) == 0 {
		e.factors = append(e.factors, mustFactor(k.modulator, graphs.Complete(1)))
		e.factors[0].bind(1)
		e.alpha = []float64{1}
	}
	e.SetParams(params)
	return e
}

// mustFactor is newFactor where New has built the same factor before.
func mustFactor(m Modulator, g *graphs.Graph) factor {
	f, err := newFactor(m, g)
	if err != nil {
		panic("fmkernel: " + err.Error())
	}
	return f
}

// SetParams moves e to other params. It panics when their lengths do not match
// the kernel.
func (e *Evaluator) SetParams(params Params) {
	if len(params.Alpha) != len(e.k.graphs) || len(params.Beta) != len(e.k.graphs) || len(params.Theta) != e.k.dims {
		panic(badParams)
	}
	copy(e.alpha, params.Alpha)
	for p := range e.k.graphs {
		e.factors[p].bind(params.Beta[p])
	}
	copy(e.theta, params.Theta)
	for d, th := range params.Theta {
		e.inv2[d] = 1 / (th * th)
	}
}

// distances fills e.d2 with ‖c-c'‖²_θ between x and the first n points.
func (e *Evaluator) distances(x Point, cols *Columns, n int) []float64 {
	if cap(e.d2) < n {
		size := max(n, cols.n)
		e.d2, e.slope = make([]float64, size), make([]float64, size)
		e.vertex = make([]int32, size)
	}
	d2 := e.d2[:n]
	clear(d2)
	for d, inv := range e.inv2 {
		c, column := x.C[d], cols.c[d][:n]
		for j, cj := range column {
			diff := c - cj
			d2[j] += diff * diff * inv
		}
	}
	return d2
}

// vertices returns the row vertex and the column vertices of factor p.
func (e *Evaluator) vertices(x Point, cols *Columns, p, n int) (int32, []int32) {
	if len(e.k.graphs) == 0 {
		return 0, e.vertex[:n]
	}
	return int32(x.V[p]), cols.v[p][:n]
}

// RowTo stores k(x, cols[j]) in dst[j] for j < len(dst) ≤ cols.Len().
func (e *Evaluator) RowTo(dst []float64, x Point, cols *Columns) {
	d2 := e.distances(x, cols, len(dst))
	for j := range dst {
		dst[j] = 1
	}
	for p, f := range e.factors {
		v, vs := e.vertices(x, cols, p, len(dst))
		f.mulRow(dst, v, vs, e.alpha[p], d2)
	}
}

// SlopeTo stores ∂log k(x, cols[j])/∂d2 in slope[j] for j < len(slope).
func (e *Evaluator) SlopeTo(slope []float64, x Point, cols *Columns) {
	n := len(slope)
	d2 := e.distances(x, cols, n)
	if len(e.zeros) < n {
		e.zeros = make([]float64, max(n, cols.n)) // weights: only slopes are wanted
	}
	clear(slope)
	for p, f := range e.factors {
		v, vs := e.vertices(x, cols, p, n)
		f.gradRow(slope, e.zeros[:n], v, vs, e.alpha[p], d2)
	}
}

// AddParamGrad adds Σ_j u[j] ∂log k(x, cols[j])/∂log(·) for every
// hyperparameter to dst, over j < len(u).
func (e *Evaluator) AddParamGrad(dst Params, u []float64, x Point, cols *Columns) {
	n := len(u)
	d2 := e.distances(x, cols, n)
	slope := e.slope[:n]
	clear(slope)
	for p, f := range e.factors {
		v, vs := e.vertices(x, cols, p, n)
		dBeta, dAlpha := f.gradRow(slope, u, v, vs, e.alpha[p], d2)
		if len(e.k.graphs) > 0 {
			dst.Beta[p] += dBeta
			dst.Alpha[p] += dAlpha
		}
	}
	for j := range slope {
		slope[j] *= u[j]
	}
	for d, inv := range e.inv2 {
		// ∂d2/∂log θ_d = -2 (c_d - c'_d)²/θ_d²
		c, column := x.C[d], cols.c[d][:n]
		sum := 0.0
		for j, cj := range column {
			diff := c - cj
			sum += slope[j] * diff * diff
		}
		dst.Theta[d] -= 2 * inv * sum
	}
}

// Move puts one vertex of a point elsewhere in its graph.
type Move struct{ Graph, Vertex int }

// MoveRowsTo stores in row i of dst, with the given stride, the kernel between x
// after moves[i] and every point of cols. Points that differ in one vertex share
// all other factors, so that a row costs one of them. Moves are ordered by
// graph.
func (e *Evaluator) MoveRowsTo(dst []float64, stride int, x Point, moves []Move, cols *Columns) {
	n, graphs := cols.n, len(e.factors)
	d2 := e.distances(x, cols, n)
	if cap(e.after) < graphs*n {
		e.after = make([]float64, graphs*n)
	}
	// Products of the factors after each graph, and of those before the one at
	// hand.
	after := e.after[:graphs*n]
	for j := range n {
		after[(graphs-1)*n+j] = 1
	}
	for p := graphs - 1; p > 0; p-- {
		v, vs := e.vertices(x, cols, p, n)
		copy(after[(p-1)*n:p*n], after[p*n:(p+1)*n])
		e.factors[p].mulRow(after[(p-1)*n:p*n], v, vs, e.alpha[p], d2)
	}
	before := e.slope[:n]
	for j := range before {
		before[j] = 1
	}
	p := 0
	for i, move := range moves {
		for ; p < move.Graph; p++ {
			v, vs := e.vertices(x, cols, p, n)
			e.factors[p].mulRow(before, v, vs, e.alpha[p], d2)
		}
		row := dst[i*stride : i*stride+n]
		for j, b := range before {
			row[j] = b * after[p*n+j]
		}
		e.factors[p].mulRow(row, int32(move.Vertex), cols.v[p][:n], e.alpha[p], d2)
	}
}

// Diag returns k(x, x) at the Evaluator's params. On graphs that are not
// vertex-transitive it depends on x.V.
func (e *Evaluator) Diag(x Point) float64 {
	e.one[0] = 1
	for p, f := range e.factors {
		e.oneV[0] = 0
		if len(e.k.graphs) > 0 {
			e.oneV[0] = int32(x.V[p])
		}
		f.mulRow(e.one[:], e.oneV[0], e.oneV[:], 0, e.one[:]) // α = 0: no modulation
	}
	return e.one[0]
}

// MeanDiag returns Π_p mean_v k_p(v, v) at distance 0, the normaliser that
// gives an output scale the same meaning at every β, and adds the derivatives
// of its logarithm with respect to log β to dLogBeta when that is not nil.
func (e *Evaluator) MeanDiag(dLogBeta []float64) float64 {
	prod := 1.0
	for p := range e.k.graphs {
		mean, d := e.factors[p].meanDiag()
		prod *= mean
		if dLogBeta != nil {
			dLogBeta[p] += d
		}
	}
	return prod
}
