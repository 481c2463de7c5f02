package fmkernel

// Modulator is a frequency modulating function f(λ, t | β) with
// t = α‖c-c'‖²_θ ≥ 0 (Def. 3.1). Implementations hold no state.
type Modulator interface {
	// Eval stores f(lambda[m], t | beta) in dst[m]. Both have the same length.
	Eval(dst, lambda []float64, beta, t float64)
	// EvalGrad stores f in dst, ∂f/∂β in dBeta and ∂f/∂t in dT.
	EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64)
}

// Laplacian is f_Lap of Eq. (9): 1 / (1 + βλ + t). With it Eq. (5) is ModLap.
type Laplacian struct{}

// Eval implements Modulator.
func (Laplacian) Eval(dst, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		dst[m] = 1 / (1 + t + beta*l)
	}
}

// EvalGrad implements Modulator.
func (Laplacian) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		f := 1 / (1 + t + beta*l)
		dst[m], dBeta[m], dT[m] = f, -l*f*f, -f*f
	}
}
