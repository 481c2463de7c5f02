package fmkernel

import "github.com/goptuna-fm/goptuna-fm/internal/kernel"

// Params holds the hyperparameters of a Kernel: (α, β, θ) of Eq. (5), and the
// weight of a sum kernel. All entries are positive. Only α_p/θ_d² enters
// Eq. (5): scaling every α by s and every θ by √s changes nothing, unless the
// modulator is Kernelized.
//
// A lengthscale below 1e-45, or 1e-30 in a [Kernel.Saturated] one, counts as that. Values
// are right for all others; derivatives need a β from 1e-300 to 1e150.
type Params struct {
	Alpha []float64 // modulation strength per graph, len P; len 0 for product and sum kernels
	Beta  []float64 // spectral decay per graph, len P
	Theta []float64 // lengthscale per continuous dimension, len D, in units of C
	Mix   []float64 // ω, the weight of the continuous part, len 1; len 0 unless the kernel is a sum
}

// NewParams returns Params of Eq. (5) with every entry 1 for p graphs and d
// dimensions. For any kernel, use [Kernel.NewParams].
func NewParams(d, p int) Params { return kernel.NewParams(p, p, d, 0) }

// Clone returns a copy that shares nothing with params.
func (params Params) Clone() Params {
	c := kernel.NewParams(len(params.Alpha), len(params.Beta), len(params.Theta), len(params.Mix))
	copy(c.Alpha, params.Alpha)
	copy(c.Beta, params.Beta)
	copy(c.Theta, params.Theta)
	copy(c.Mix, params.Mix)
	return c
}

// Clear sets every entry to 0: gradients are added up from there.
func (params Params) Clear() {
	clear(params.Alpha)
	clear(params.Beta)
	clear(params.Theta)
	clear(params.Mix)
}
