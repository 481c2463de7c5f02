package fmkernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

const (
	badPoint  = "fmkernel: point does not match the kernel's dimensions"
	badVertex = "fmkernel: vertex not in its graph"
	badParams = "fmkernel: params do not match the kernel's dimensions"
	badLength = "fmkernel: slice lengths differ"
)

// Kernel is an FM kernel on R^D × V_1 × … × V_P, Eq. (5). It is immutable and
// safe for concurrent use.
type Kernel struct {
	dims      int
	graphs    []*graphs.Graph
	modulator Modulator
}

// New returns the kernel of Eq. (5) with modulator m on dims continuous
// dimensions and the given graphs. Either may be absent. It fails when a
// graph's spectrum is needed and cannot be computed, and panics when dims is
// negative.
func New(m Modulator, dims int, gs ...*graphs.Graph) (*Kernel, error) {
	if dims < 0 {
		panic("fmkernel: negative number of dimensions; pass 0 for a purely discrete kernel")
	}
	k := &Kernel{dims: dims, graphs: append([]*graphs.Graph(nil), gs...), modulator: m}
	for p, g := range gs {
		if _, err := newFactor(m, g); err != nil {
			return nil, fmt.Errorf("fmkernel: graph %d: %w", p, err)
		}
	}
	return k, nil
}

// NewModLap returns the ModLap kernel, Eq. (5) with f_Lap of Eq. (9).
func NewModLap(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return New(Laplacian{}, dims, gs...)
}

// Dims returns the numbers of continuous dimensions and of graphs.
func (k *Kernel) Dims() (d, p int) { return k.dims, len(k.graphs) }

// Graph returns graph p.
func (k *Kernel) Graph(p int) *graphs.Graph { return k.graphs[p] }

// check panics when x is not in the kernel's domain.
func (k *Kernel) check(x Point) {
	if len(x.C) != k.dims || len(x.V) != len(k.graphs) {
		panic(badPoint)
	}
	for p, v := range x.V {
		if v < 0 || v >= k.graphs[p].Order() {
			panic(badVertex)
		}
	}
}

// Eval returns k(x, y). For more than a few pairs use the methods on slices, or
// an Evaluator.
func (k *Kernel) Eval(params Params, x, y Point) float64 {
	var dst [1]float64
	k.CrossTo(dst[:], params, x, []Point{y})
	return dst[0]
}

// CrossTo stores k(x, xs[j]) in dst[j]. It panics when len(dst) != len(xs).
func (k *Kernel) CrossTo(dst []float64, params Params, x Point, xs []Point) {
	if len(dst) != len(xs) {
		panic(badLength)
	}
	k.check(x)
	k.Evaluator(params).RowTo(dst, x, k.Columns(xs))
}

// CrossGradTo stores k(x, xs[j]) in dst[j] and ∂k(x, xs[j])/∂x.C[d] in row j,
// column d of grad, which is n×D. It panics when the sizes differ.
func (k *Kernel) CrossGradTo(dst []float64, grad *mat.Dense, params Params, x Point, xs []Point) {
	n := len(xs)
	if r, c := grad.Dims(); len(dst) != n || r != n || c != k.dims {
		panic(badLength)
	}
	k.check(x)
	cols := k.Columns(xs)
	slope := make([]float64, n)
	e := k.Evaluator(params)
	e.RowTo(dst, x, cols)
	e.SlopeTo(slope, x, cols)
	for j, kj := range dst {
		for d, th := range params.Theta {
			// ∂k/∂c_d = k · ∂log k/∂d2 · 2 (c_d - c'_d)/θ_d²
			grad.Set(j, d, kj*slope[j]*2*(x.C[d]-cols.c[d][j])/(th*th))
		}
	}
}

// GramTo stores the n×n matrix k(xs[i], xs[j]) in dst. It panics when dst is
// not empty and not n×n.
func (k *Kernel) GramTo(dst *mat.SymDense, params Params, xs []Point) {
	n := len(xs)
	if dst.IsEmpty() {
		dst.ReuseAsSym(n)
	}
	if dst.SymmetricDim() != n {
		panic(badLength)
	}
	cols := k.Columns(xs)
	e := k.Evaluator(params)
	row := make([]float64, n)
	for i, x := range xs {
		e.RowTo(row[:i+1], x, cols)
		for j, kij := range row[:i+1] {
			dst.SetSym(i, j, kij)
		}
	}
}

// ParamGradTo stores Σ_ij w_ij ∂k(xs[i], xs[j])/∂log(·) for each entry of
// params in dst: one number per hyperparameter, no n×n matrix each. It panics
// when the sizes differ.
func (k *Kernel) ParamGradTo(dst Params, params Params, xs []Point, w mat.Symmetric) {
	n := len(xs)
	if w.SymmetricDim() != n || len(dst.Alpha) != len(k.graphs) || len(dst.Beta) != len(k.graphs) || len(dst.Theta) != k.dims {
		panic(badLength)
	}
	dst.zero()
	cols := k.Columns(xs)
	e := k.Evaluator(params)
	row := make([]float64, n)
	for i, x := range xs {
		u := row[:i+1]
		e.RowTo(u, x, cols)
		for j := range u {
			u[j] *= 2 * w.At(i, j)
		}
		u[i] /= 2
		e.AddParamGrad(dst, u, x, cols)
	}
}
