package kernel

import (
	"fmt"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Users see these through package fmkernel.
const (
	badPoint  = "fmkernel: point does not match the kernel's dimensions"
	badVertex = "fmkernel: vertex not in its graph"
	badParams = "fmkernel: params do not match the kernel's dimensions"
)

// Point and Params are unnamed types, so that those of package fmkernel, which
// document them, are assigned to them without a conversion.
type (
	Point = struct {
		C []float64
		V []int
	}
	Params = struct{ Alpha, Beta, Theta, Mix []float64 }
)

// Kernel is a kernel on R^D × V_1 × … × V_P. It is immutable and safe for
// concurrent use. All fields are unexported, since users can see them through
// fmkernel.Kernel.
type Kernel struct {
	name       string
	form       Form
	modulation Modulation
	similarity Similarity // k_H, where t is α(u - k_H) as in Eq. (7); or nil
	dims       int
	graphs     []*graphs.Graph
	metric     metric  // of the continuous dimensions
	share      float64 // of its diagonal that the factor of an uneven graph is divided by
}

// New returns the kernel of the form with the modulation, by similarity unless that
// is nil, on dims continuous dimensions and the given graphs. It fails when a graph's
// spectrum is needed and cannot be computed.
func New(name string, form Form, m Modulation, similarity Similarity, dims int, gs []*graphs.Graph) (*Kernel, error) {
	for p, g := range gs {
		if _, err := m.factor(g); err != nil {
			return nil, fmt.Errorf("graph %d: %w", p, err)
		}
	}
	return &Kernel{name: name, form: form, modulation: m, similarity: similarity, dims: dims, graphs: slices.Clone(gs)}, nil
}

// Name tells kernels apart.
func (k *Kernel) Name() string { return k.metric.String() + k.name }

// Saturated, Weighted and Rough return k with another sum over the dimensions in place
// of ‖c-c'‖²_θ: see the methods of fmkernel.Kernel.
func (k *Kernel) Saturated() *Kernel { return k.with(saturated) }

// Weighted is described with Saturated.
func (k *Kernel) Weighted() *Kernel { return k.with(weighted) }

// Rough is described with Saturated.
func (k *Kernel) Rough() *Kernel { return k.with(rough) }

func (k *Kernel) with(m metric) *Kernel {
	if m.isBounded() && k.dims < minBounded {
		m = squared
	}
	if k.similarity != nil || k.dims == 0 || k.metric == m {
		return k
	}
	other := *k
	other.metric = m
	return &other
}

// Dims returns the numbers of continuous dimensions and of graphs.
func (k *Kernel) Dims() (d, p int) { return k.dims, len(k.graphs) }

// Graph returns graph p.
func (k *Kernel) Graph(p int) *graphs.Graph { return k.graphs[p] }

// Modulated reports whether the kernel is one of Eq. (5), not a product or sum of
// kernels on the two parts.
func (k *Kernel) Modulated() bool { return k.form == Modulated }

// isUnmodulated reports whether t is 0 for all pairs of points, so that nothing modulates
// the graphs' kernels: also that of Eq. (5) without dimensions.
func (k *Kernel) isUnmodulated() bool {
	return k.form != Modulated || k.dims == 0 && k.similarity == nil
}

func (k *Kernel) newDistance() distance {
	if k.similarity != nil {
		return newDissimilarity(k.similarity, k.dims)
	}
	return newScaledDistance(k.dims, k.metric)
}

// BetaUnit returns a typical β of graph p.
func (k *Kernel) BetaUnit(p int) float64 { return k.modulation.betaUnit(k.graphs[p], len(k.graphs)) }

// NewParams returns Params of the lengths that the kernel has, every entry 1.
func (k *Kernel) NewParams() Params {
	alpha, mix := 0, 0
	switch k.form {
	case Modulated:
		alpha = len(k.graphs)
	case Sum:
		mix = 1
	}
	return NewParams(alpha, len(k.graphs), k.dims, mix)
}

// NewParams returns Params of the given lengths, every entry 1.
func NewParams(alpha, beta, theta, mix int) Params {
	buf := make([]float64, alpha+beta+theta+mix)
	for i := range buf {
		buf[i] = 1
	}
	cut := func(n int) []float64 {
		s := buf[:n:n]
		buf = buf[n:]
		return s
	}
	return Params{Alpha: cut(alpha), Beta: cut(beta), Theta: cut(theta), Mix: cut(mix)}
}

// CheckParams panics when the lengths of params are not those of the kernel.
func (k *Kernel) CheckParams(params Params) {
	own := k.NewParams()
	if len(params.Alpha) != len(own.Alpha) || len(params.Beta) != len(own.Beta) ||
		len(params.Theta) != len(own.Theta) || len(params.Mix) != len(own.Mix) {
		panic(badParams)
	}
}

// CheckPoint panics when x is not in the kernel's domain.
func (k *Kernel) CheckPoint(x Point) {
	if len(x.C) != k.dims || len(x.V) != len(k.graphs) {
		panic(badPoint)
	}
	for p, v := range x.V {
		if v < 0 || v >= k.graphs[p].Order() {
			panic(badVertex)
		}
	}
}
