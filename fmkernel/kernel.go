package fmkernel

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

const (
	badPoint  = "fmkernel: point does not match the kernel's dimensions"
	badVertex = "fmkernel: vertex not in its graph"
	badParams = "fmkernel: params do not match the kernel's dimensions"
	badLength = "fmkernel: slice lengths differ"
)

// form says how a Kernel is made of its graphs and its dimensions.
type form int

const (
	modulated  form = iota // Eq. (5)
	multiplied             // k_RBF · Π_p k_p
	added                  // ω k_RBF + Π_p k_p/c̄_p
)

// Kernel is a kernel on R^D × V_1 × … × V_P: Eq. (5), or a product or sum kernel
// of the paper's comparison. It is immutable and safe for concurrent use.
type Kernel struct {
	dims      int
	graphs    []*graphs.Graph
	modulator Modulator
	form      form
	name      string
}

// New returns the kernel of Eq. (5) with modulator m on dims continuous
// dimensions and the given graphs. Either may be absent. It fails when m has
// parameters outside their range, or when a graph's spectrum is needed and
// cannot be computed, and panics when dims is negative or m nil.
func New(m Modulator, dims int, gs ...*graphs.Graph) (*Kernel, error) {
	if m == nil {
		panic("fmkernel: nil modulator")
	}
	return newKernel(fmt.Sprintf("Mod(%v)", modulatorName(m)), modulated, m, dims, gs)
}

// modulatorName tells modulators apart: by their own word for it, or by type.
func modulatorName(m Modulator) string {
	if s, ok := m.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", m)
}

func newKernel(name string, form form, m Modulator, dims int, gs []*graphs.Graph) (*Kernel, error) {
	if dims < 0 {
		panic("fmkernel: negative number of dimensions; pass 0 for a purely discrete kernel")
	}
	if v, ok := m.(interface{ validate() error }); ok {
		if err := v.validate(); err != nil {
			return nil, fmt.Errorf("fmkernel: %w", err)
		}
	}
	k := &Kernel{dims: dims, graphs: append([]*graphs.Graph(nil), gs...), modulator: m, form: form, name: name}
	for p, g := range gs {
		if _, err := newFactor(m, g); err != nil {
			return nil, fmt.Errorf("fmkernel: graph %d: %w", p, err)
		}
	}
	return k, nil
}

// String returns the name of the kernel: ModLap, ModDif, ProdLap, ProdDif,
// AddLap, AddDif, or Mod and its modulator. Kernels with the same name and
// domain have the same hyperparameters.
func (k *Kernel) String() string { return k.name }

// Dims returns the numbers of continuous dimensions and of graphs.
func (k *Kernel) Dims() (d, p int) { return k.dims, len(k.graphs) }

// Modulated reports whether the kernel is one of Eq. (5), not a product or sum of
// kernels on the two parts.
func (k *Kernel) Modulated() bool { return k.form == modulated }

// BetaUnit returns a typical β of graph p. For f_Dif it is 1/λ, with λ the
// smallest eigenvalue above 0, where the smoothest function on the graph counts
// 1/e of a constant: its exponential tails make everything far from there either
// constant or noise. For others it is 1.
func (k *Kernel) BetaUnit(p int) float64 {
	if _, ok := k.modulator.(Diffusion); ok {
		if spectrum, err := k.graphs[p].Spectrum(); err == nil && len(spectrum.Lambda) > 1 {
			return 1 / spectrum.Lambda[1]
		}
	}
	return 1
}

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
	row := make([]float64, k.dims)
	for j, kj := range dst {
		e.distanceGradTo(row, x, cols, j)
		floats.Scale(kj*slope[j], row)
		grad.SetRow(j, row)
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
	if w.SymmetricDim() != n || !sameLengths(dst, k.NewParams()) {
		panic(badLength)
	}
	dst.Clear()
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
