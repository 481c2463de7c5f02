package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Evaluator is a Kernel at fixed Params. It owns scratch space, so it serves
// one goroutine; rows are prefixes of Columns, so that a lower triangle costs
// half a square.
type Evaluator struct {
	k        *Kernel
	distance distance
	factors  []factor
	alpha    []float64 // α_p; 1 for the empty product; 0 where the form does not modulate
	mix      float64   // ω of a sum
	mean     float64   // c̄ of a sum: the mean diagonal of the product over graphs

	d2, slope, zeros []float64
	after            []float64 // P×n, scratch of MoveRowsTo
	part, rest       []float64 // scratch of sums

	one, oneD2 [1]float64 // scratch of Diag
	oneV       [1]int32
}

// NewEvaluator returns an Evaluator of k at params.
func NewEvaluator(k *Kernel, params Params) *Evaluator {
	e := &Evaluator{k: k, distance: k.newDistance()}
	gs := k.graphs
	if k.form == Modulated && len(gs) == 0 {
		gs = []*graphs.Graph{graphs.Complete(1)} // then the kernel is f(0, d2)
	}
	for _, g := range gs {
		f, err := k.factor(g)
		if err != nil {
			panic("fmkernel: " + err.Error()) // New has built the same factor before
		}
		if len(k.graphs) == 0 {
			f.bind(1) // the empty product has no β
		}
		e.factors = append(e.factors, f)
	}
	e.alpha = make([]float64, len(e.factors))
	if k.form == Modulated {
		floats.AddConst(1, e.alpha) // which stays where a graph has no α
	}
	e.SetParams(params)
	return e
}

// SetParams moves e to other params. It panics when their lengths do not match
// the kernel.
func (e *Evaluator) SetParams(params Params) {
	e.k.CheckParams(params)
	copy(e.alpha, params.Alpha)
	for p, beta := range params.Beta {
		e.factors[p].bind(beta)
	}
	e.distance.bind(params.Theta)
	if e.k.form == Sum {
		e.mix, e.mean = params.Mix[0], e.productMeanDiag(nil)
	}
}

// distances fills e.d2 with that of x and each of the first n points.
func (e *Evaluator) distances(x Point, cols *Columns, n int) []float64 {
	if cap(e.d2) < n {
		size := max(n, cols.n)
		e.d2, e.slope = make([]float64, size), make([]float64, size)
	}
	d2 := e.d2[:n]
	e.distance.row(d2, x.C, cols)
	return d2
}

// vertex returns the vertex of x in the graph of factor p.
func vertex(x Point, p int) int32 {
	if len(x.V) == 0 {
		return 0 // of the empty product
	}
	return int32(x.V[p])
}

// rbfSlope is ∂log k_RBF/∂d2.
const rbfSlope = -0.5

// rbf returns k_RBF.
func rbf(d2 float64) float64 { return math.Exp(rbfSlope * d2) }

// RowTo stores k(x, cols[j]) in dst[j] for j < len(dst), at most the number
// of points in cols.
func (e *Evaluator) RowTo(dst []float64, x Point, cols *Columns) {
	d2 := e.distances(x, cols, len(dst))
	e.graphRow(dst, x, cols, d2)
	e.combine(dst, d2)
}

// graphRow stores the product over the graphs in dst.
func (e *Evaluator) graphRow(dst []float64, x Point, cols *Columns, d2 []float64) {
	for j := range dst {
		dst[j] = 1
	}
	for p, f := range e.factors {
		f.mulRow(dst, vertex(x, p), cols.v[p], e.alpha[p], d2)
	}
}

// SlopeTo stores ∂log k(x, cols[j])/∂d2 in slope[j] for j < len(slope).
func (e *Evaluator) SlopeTo(slope []float64, x Point, cols *Columns) {
	n := len(slope)
	d2 := e.distances(x, cols, n)
	if e.k.form != Modulated {
		for j := range slope {
			slope[j] = rbfSlope
		}
		if e.k.form == Sum {
			e.shares(slope, x, cols, d2)
		}
		return
	}
	if len(e.zeros) < n {
		e.zeros = make([]float64, max(n, cols.n)) // weights: only slopes are wanted
	}
	clear(slope)
	for p, f := range e.factors {
		f.gradRow(slope, e.zeros[:n], vertex(x, p), cols.v[p], e.alpha[p], d2)
	}
}

// AddParamGrad adds Σ_j u[j] ∂log k(x, cols[j])/∂log(·) for every
// hyperparameter to dst, over j < len(u).
func (e *Evaluator) AddParamGrad(dst Params, u []float64, x Point, cols *Columns) {
	n := len(u)
	d2 := e.distances(x, cols, n)
	slope := e.slope[:n]
	clear(slope)
	graph, distance := u, u // weights of the logarithms of the two parts
	if e.k.form == Sum {
		graph, distance = e.addSumGrad(dst, u, x, cols, d2)
	}
	for p, f := range e.factors {
		dBeta, dAlpha := f.gradRow(slope, graph, vertex(x, p), cols.v[p], e.alpha[p], d2)
		if p < len(dst.Beta) {
			dst.Beta[p] += dBeta
		}
		if p < len(dst.Alpha) {
			dst.Alpha[p] += dAlpha
		}
	}
	for j, w := range distance {
		if e.k.form != Modulated {
			slope[j] = rbfSlope
		}
		slope[j] *= w
	}
	e.distance.addThetaGrad(dst.Theta, slope, x.C, cols)
}

// InputGradTo stores Σ_j a[j] ∂d2_j/∂x.C[d] in dA[d], and the same of b in dB:
// with a[j] = w_j k_j ∂log k_j/∂d2 of [Evaluator.SlopeTo], the gradient of
// Σ_j w_j k(x, cols[j]).
func (e *Evaluator) InputGradTo(dA, dB, a, b []float64, x Point, cols *Columns) {
	e.distance.sumGrad(dA, dB, a, b, x.C, cols)
}

// DistanceGradTo stores ∂d2_j/∂x.C[d] in dst[d].
func (e *Evaluator) DistanceGradTo(dst []float64, x Point, cols *Columns, j int) {
	e.distance.grad(dst, x.C, cols, j)
}

// AddDiagGrad adds w ∂k(x, x)/∂x.C to dst. It is 0 but for Kernelized
// modulators.
func (e *Evaluator) AddDiagGrad(dst []float64, w float64, x Point) {
	if !e.distance.selfVaries() {
		return
	}
	cols, grad := NewColumns(e.k, []Point{x}), make([]float64, e.k.dims)
	var slope [1]float64
	e.SlopeTo(slope[:], x, cols)
	e.distance.grad(grad, x.C, cols, 0)
	// By symmetry, twice the derivative in one argument.
	floats.AddScaled(dst, 2*w*e.Diag(x)*slope[0], grad)
}

// Move puts one vertex of a point elsewhere in its graph.
type Move struct{ Graph, Vertex int }

// MoveRowsTo stores in row i of dst, with the given stride, the kernel between x
// after moves[i] and every point of cols. Points that differ in one vertex share
// all other factors, so that a row costs one of them. Moves are ordered by
// graph.
func (e *Evaluator) MoveRowsTo(dst []float64, stride int, x Point, moves []Move, cols *Columns) {
	n, factors := cols.n, len(e.factors)
	if len(moves) == 0 {
		return
	}
	d2 := e.distances(x, cols, n)
	if cap(e.after) < factors*n {
		e.after = make([]float64, factors*n)
	}
	// Products of the factors after each graph, and of those before the one at
	// hand.
	after := e.after[:factors*n]
	for j := range n {
		after[(factors-1)*n+j] = 1
	}
	for p := factors - 1; p > 0; p-- {
		copy(after[(p-1)*n:p*n], after[p*n:(p+1)*n])
		e.factors[p].mulRow(after[(p-1)*n:p*n], vertex(x, p), cols.v[p], e.alpha[p], d2)
	}
	before := e.slope[:n]
	for j := range before {
		before[j] = 1
	}
	p := 0
	for i, move := range moves {
		for ; p < move.Graph; p++ {
			e.factors[p].mulRow(before, vertex(x, p), cols.v[p], e.alpha[p], d2)
		}
		row := dst[i*stride : i*stride+n]
		for j, b := range before {
			row[j] = b * after[p*n+j]
		}
		e.factors[p].mulRow(row, int32(move.Vertex), cols.v[p], e.alpha[p], d2)
		e.combine(row, d2)
	}
}

// Diag returns k(x, x) at the Evaluator's params. On graphs that are not
// vertex-transitive it depends on x.V, with a Kernelized modulator on x.C.
func (e *Evaluator) Diag(x Point) float64 {
	e.oneD2[0] = e.distance.self(x.C)
	e.one[0] = 1
	for p, f := range e.factors {
		e.oneV[0] = vertex(x, p)
		f.mulRow(e.one[:], e.oneV[0], e.oneV[:], e.alpha[p], e.oneD2[:])
	}
	e.combine(e.one[:], e.oneD2[:])
	return e.one[0]
}

// MeanDiag returns the mean over the vertices of k((c,v), (c,v)) at d2 = 0,
// Π_p mean_v k_p(v, v) for Eq. (5): the normaliser that gives an output scale
// the same meaning at every β.
func (e *Evaluator) MeanDiag() float64 { return e.MeanDiagGrad(Params{}) }

// MeanDiagGrad is MeanDiag, and adds the derivatives of its logarithm with
// respect to those of the hyperparameters to grad, unless that is empty.
func (e *Evaluator) MeanDiagGrad(grad Params) float64 {
	if e.k.form != Sum {
		return e.productMeanDiag(grad.Beta)
	}
	if len(grad.Mix) > 0 {
		grad.Mix[0] += e.mix / (1 + e.mix)
	}
	return 1 + e.mix // that of the product over the graphs is divided by c̄
}

// productMeanDiag returns the mean of the product over the graphs, and adds the
// derivatives of its logarithm to dLogBeta unless that is empty.
func (e *Evaluator) productMeanDiag(dLogBeta []float64) float64 {
	prod := 1.0
	for p := range e.k.graphs {
		mean, d := e.factors[p].meanDiag()
		prod *= mean
		if len(dLogBeta) > 0 {
			dLogBeta[p] += d
		}
	}
	return prod
}
