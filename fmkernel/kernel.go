package fmkernel

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const badLength = "fmkernel: slice lengths differ"

// Kernel is a kernel on R^D × V_1 × … × V_P: Eq. (5), or a product or sum kernel
// of the paper's comparison. A constructor makes one; the zero value is not a
// kernel. It is immutable and safe for concurrent use.
//
// Its methods panic when the lengths of params or of a point are not those of the
// kernel, or when a vertex is not in its graph. Values of params are not checked.
type Kernel kernel.Kernel

// New returns the kernel of Eq. (5) with modulator m on dims continuous
// dimensions and the given graphs. Either may be absent. It fails when m has
// parameters outside their range, or when a graph's spectrum is needed and
// cannot be computed, and panics when dims is negative or m nil.
func New(m Modulator, dims int, gs ...*graphs.Graph) (*Kernel, error) {
	if m == nil {
		panic("fmkernel: nil modulator")
	}
	m = pointedTo(m)
	return newKernel(fmt.Sprintf("Mod(%v)", modulatorName(m)), kernel.Modulated, m, dims, gs)
}

// modulatorName tells modulators apart: by their own word for it, or by type.
func modulatorName(m Modulator) string {
	if s, ok := m.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", m)
}

func newKernel(name string, form kernel.Form, m Modulator, dims int, gs []*graphs.Graph) (*Kernel, error) {
	if dims < 0 {
		panic("fmkernel: negative number of dimensions; pass 0 for a purely discrete kernel")
	}
	if v, ok := m.(interface{ validate() error }); ok {
		if err := v.validate(); err != nil {
			return nil, fmt.Errorf("fmkernel: %w", err)
		}
	}
	var similarity kernel.Similarity
	if kernelized, ok := m.(Kernelized); ok {
		similarity = kernelized.Kernel
		if kernelized.delta() == 1 {
			m = Laplacian{} // f_Lap, of another t
		}
	}
	k, err := kernel.New(name, form, modulation(m), similarity, dims, gs)
	if err != nil {
		return nil, fmt.Errorf("fmkernel: %w", err)
	}
	return (*Kernel)(k), nil
}

// pointedTo returns the modulator of this package that m points to, or m: a pointer to one has
// its methods, too.
func pointedTo(m Modulator) Modulator {
	switch m := m.(type) {
	case *Laplacian:
		return *m
	case *Diffusion:
		return *m
	case *Family:
		return *m
	case *Kernelized:
		return *m
	}
	return m
}

// modulation returns how m is computed: in closed form where there is one.
func modulation(m Modulator) kernel.Modulation {
	convex := kernel.Spectral{Modulator: m, NonNegative: true}
	switch m.(type) {
	case Laplacian:
		return kernel.Laplacian{Spectral: convex}
	case Diffusion:
		return kernel.Diffusion{Spectral: convex}
	case Family, Kernelized:
		return convex
	}
	return kernel.Spectral{Modulator: m}
}

// rows returns k as the module's other packages see it, which evaluate it row by
// row.
func (k *Kernel) rows() *kernel.Kernel { return (*kernel.Kernel)(k) }

// String returns the name of the kernel: ModLap, ModDif, ProdLap, ProdDif,
// AddLap, AddDif, or Mod and its modulator; after the word saturated, weighted or
// rough where it is that. Kernels with the same name and domain have the same hyperparameters.
func (k *Kernel) String() string { return k.rows().Name() }

// Dims returns the numbers of continuous dimensions and of graphs.
func (k *Kernel) Dims() (d, p int) { return k.rows().Dims() }

// NewParams returns Params of the lengths that the kernel has, every entry 1.
func (k *Kernel) NewParams() Params { return k.rows().NewParams() }

// Normalized returns k with a prior variance k(x, x) that differs less between the
// vertices. An end of a path has fewer neighbours than its middle, and a larger
// k_p(v, v); in the product over P such graphs a corner has the P-th power of that.
// Of more than three each is divided, at t = 0, by a part of it:
//
//	k_p(v, w) / (k_p(v, v) k_p(w, w))^{(1-(3/P)²)/2},
//
// so that nine together differ as much as one. Complete graphs and cycles, whose
// vertices are all alike, are not among the P. Where P ≤ 3 the kernel is k itself.
func (k *Kernel) Normalized() *Kernel { return (*Kernel)(k.rows().Normalized()) }

// Saturated, Weighted and Rough return k with another sum of one term for each dimension
// in place of ‖c-c'‖²_θ. Each term is conditionally negative definite, as the sum is then, and
// an f that makes ‖c-c'‖² a positive definite kernel on every R^D does so of that as well
// (Schoenberg, Metric spaces and positive definite functions, 1938). Coordinates are
// expected in [0, 1]. With a Kernelized modulator or without continuous dimensions the kernel
// is k itself, and Saturated and Weighted are k with ‖c-c'‖²_θ where there are fewer than three.
//
// Saturated has
//
//	Σ_d (2/D) b((c_d - c'_d)²D/(2θ_d²)),  b(x) = 1 - (1+x/4)⁻⁴:
//
// small differences count as in k, and none more than 2/D. Two points that are far
// apart in one dimension still say something of each other in the rest, as two that
// differ in one choice do, so that sums of functions of one coordinate each are learned from
// few points. It is the t of Eq. (7) with rational quadratic kernels (Rasmussen and Williams, Eq.
// 4.19) for k_H.
func (k *Kernel) Saturated() *Kernel { return (*Kernel)(k.rows().Saturated()) }

// Weighted has
//
//	Σ_d (1/2θ_d)² b(4(c_d - c'_d)²)
//
// with b as in [Kernel.Saturated]: all functions of one coordinate are about as smooth, and
// θ says how much they count.
func (k *Kernel) Weighted() *Kernel { return (*Kernel)(k.rows().Weighted()) }

// Rough has
//
//	Σ_d |(c_d - c'_d)/θ_d|^{3/2},
//
// see [Kernel.Saturated]: functions of one coordinate have kinks and steep steps, those of the
// others are smooth. Prop. 1 has such a power of the whole distance.
func (k *Kernel) Rough() *Kernel { return (*Kernel)(k.rows().Rough()) }

// Eval returns k(x, y). For more than a few pairs use [Kernel.CrossTo] or
// [Kernel.GramTo].
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
	k.rows().CheckPoint(x)
	kernel.NewEvaluator(k.rows(), params).RowTo(dst, x, kernel.NewColumns(k.rows(), xs))
}

// CrossGradTo stores k(x, xs[j]) in dst[j] and ∂k(x, xs[j])/∂x.C[d] in row j,
// column d of grad, which is n×D, and empty where D = 0. It panics when the sizes
// differ.
func (k *Kernel) CrossGradTo(dst []float64, grad *mat.Dense, params Params, x Point, xs []Point) {
	n := len(xs)
	d, _ := k.Dims()
	if r, c := grad.Dims(); len(dst) != n || c != d || d > 0 && r != n {
		panic(badLength)
	}
	k.rows().CheckPoint(x)
	cols := kernel.NewColumns(k.rows(), xs)
	slope := make([]float64, n)
	e := kernel.NewEvaluator(k.rows(), params)
	e.RowTo(dst, x, cols)
	if d == 0 {
		return
	}
	e.SlopeTo(slope, x, cols)
	row := make([]float64, d)
	for j, kj := range dst {
		e.DistanceGradTo(row, x, cols, j)
		floats.Scale(kj*slope[j], row)
		grad.SetRow(j, row)
	}
}

// GramTo stores the n×n matrix k(xs[i], xs[j]) in dst. It panics when dst is
// not empty and not n×n. Without points it does nothing.
func (k *Kernel) GramTo(dst *mat.SymDense, params Params, xs []Point) {
	n := len(xs)
	if dst.IsEmpty() {
		if n == 0 {
			return // gonum has no matrix of order 0
		}
		dst.ReuseAsSym(n)
	}
	if dst.SymmetricDim() != n {
		panic(badLength)
	}
	cols := kernel.NewColumns(k.rows(), xs)
	e := kernel.NewEvaluator(k.rows(), params)
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
	if w.SymmetricDim() != n {
		panic(badLength)
	}
	k.rows().CheckParams(dst)
	dst.Clear()
	cols := kernel.NewColumns(k.rows(), xs)
	e := kernel.NewEvaluator(k.rows(), params)
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
