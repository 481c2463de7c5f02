package fmkernel

// Params holds (α, β, θ) of Eq. (5). All entries are positive. Only α_p/θ_d²
// enters the kernel: scaling every α by s and every θ by √s changes nothing.
type Params struct {
	Alpha []float64 // modulation strength per graph, len P
	Beta  []float64 // spectral decay per graph, len P
	Theta []float64 // lengthscale per continuous dimension, len D, in units of C
}

// NewParams returns Params with every entry 1 for p graphs and d dimensions.
func NewParams(d, p int) Params {
	buf := make([]float64, 2*p+d)
	for i := range buf {
		buf[i] = 1
	}
	return Params{Alpha: buf[:p:p], Beta: buf[p : 2*p : 2*p], Theta: buf[2*p:]}
}

// Clone returns a copy that shares nothing with params.
func (params Params) Clone() Params {
	c := NewParams(len(params.Theta), len(params.Alpha))
	copy(c.Alpha, params.Alpha)
	copy(c.Beta, params.Beta)
	copy(c.Theta, params.Theta)
	return c
}

// zero sets every entry to 0.
func (params Params) zero() {
	clear(params.Alpha)
	clear(params.Beta)
	clear(params.Theta)
}
