package fmkernel

import (
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// The six kernels of the paper's comparison (Supp. "Experiment: Results").

// NewModLap returns the ModLap kernel, Eq. (5) with f_Lap of Eq. (9). Like all
// constructors it fails when a graph's spectrum is needed and cannot be computed,
// and panics when dims is negative.
func NewModLap(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("ModLap", kernel.Modulated, Laplacian{}, dims, gs)
}

// NewModDif returns the ModDif kernel, Eq. (5) with f_Dif of Eq. (10). Read what
// [Diffusion] says about it.
func NewModDif(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("ModDif", kernel.Modulated, Diffusion{}, dims, gs)
}

// NewProdLap returns the ProdLap kernel, k_RBF·k_Lap with
//
//	k_RBF = exp(-‖c-c'‖²_θ / 2),
//	k_Lap = Π_p Σ_i [U_p]_{v_p,i} 1/(1 + β_p λ_i) [U_p]_{v'_p,i}.
func NewProdLap(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("ProdLap", kernel.Product, Laplacian{}, dims, gs)
}

// NewProdDif returns the ProdDif kernel, k_RBF·k_Dif with
//
//	k_Dif = Π_p Σ_i [U_p]_{v_p,i} exp(-β_p λ_i) [U_p]_{v'_p,i}.
func NewProdDif(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("ProdDif", kernel.Product, Diffusion{}, dims, gs)
}

// NewAddLap returns the AddLap kernel, ω k_RBF + k_Lap/c̄, with c̄ the mean of
// k_Lap's diagonal over the vertices: ω is the ratio of the variances of the two
// parts. With no graph or no dimension one part is constant; it is left out.
func NewAddLap(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("AddLap", sumOf(dims, gs), Laplacian{}, dims, gs)
}

// NewAddDif returns the AddDif kernel, ω k_RBF + k_Dif/c̄, as [NewAddLap].
func NewAddDif(dims int, gs ...*graphs.Graph) (*Kernel, error) {
	return newKernel("AddDif", sumOf(dims, gs), Diffusion{}, dims, gs)
}

// sumOf returns the form of a sum kernel: with one part, the empty product makes
// the other 1.
func sumOf(dims int, gs []*graphs.Graph) kernel.Form {
	if dims == 0 || len(gs) == 0 {
		return kernel.Product
	}
	return kernel.Sum
}
