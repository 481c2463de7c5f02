package fmkernel

import "math"

// Modulator is a frequency modulating function f(λ, t | β) with
// t = α‖c-c'‖²_θ ≥ 0 (Def. 3.1). Implementations hold no state. One with
// parameters of its own has a method String that tells their values apart: the
// name of its kernels.
//
// One that is not convex in λ gives kernels with negative values;
// [CheckConditions] tells.
type Modulator interface {
	// Eval stores f(lambda[m], t | beta) in dst[m]. Both have the same length.
	Eval(dst, lambda []float64, beta, t float64)
	// EvalGrad stores f in dst, ∂f/∂β in dBeta and ∂f/∂t in dT. All have the length
	// of lambda.
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

// Diffusion is f_Dif of Eq. (10): exp(-(1 + t)βλ). With it Eq. (5) is ModDif.
//
// It breaks FM-P3: f(0, t) = 1 at every t, so points do not become independent
// with distance, and different vertices become more alike. With no graph the
// kernel is constant. The paper has it to show what that costs.
type Diffusion struct{}

// Eval implements Modulator.
func (Diffusion) Eval(dst, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		dst[m] = math.Exp(-(1 + t) * beta * l)
	}
}

// EvalGrad implements Modulator.
func (Diffusion) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		f := math.Exp(-(1 + t) * beta * l)
		dst[m], dBeta[m], dT[m] = f, -(1+t)*l*f, -beta*l*f
	}
}
