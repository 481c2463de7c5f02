package fmkernel

import (
	"errors"
	"fmt"
	"math"
)

// Kernelized modulates by a kernel on the continuous coordinates in place of
// their distance, Eq. (7) and Supp. Prop. 3:
//
//	f(λ, t | β) = 1 / (δ + t + βλ),  t = α (u - k_H(c, c' | θ)),
//
// with k_H bounded above by u. At α = 1 it is 1/(δ + u + βλ - k_H); Eq. (7) has
// k_NN, u = 1 and δ = 1. Since u - k_H is conditionally negative definite, so is
// α times it.
type Kernelized struct {
	Kernel BoundedKernel
	Delta  float64 // δ > 0; 0 means 1
}

// BoundedKernel is a positive definite kernel on R^D that is bounded above, k_H
// of Supp. Prop. 3. It is safe for concurrent use.
type BoundedKernel interface {
	// Bound returns u, with k(x, y | θ) ≤ u for all x, y and θ.
	Bound() float64
	// Eval returns k(x, y | theta). All have length D.
	Eval(theta, x, y []float64) float64
	// EvalGrad returns it too, and stores ∂k/∂x_d in dX and ∂k/∂log θ_d in
	// dTheta.
	EvalGrad(dX, dTheta, theta, x, y []float64) float64
}

func (k Kernelized) validate() error {
	if k.Kernel == nil {
		return errors.New("Kernelized has no kernel; set Kernel, for example to NeuralNetwork{}")
	}
	if !(k.Delta >= 0) || math.IsInf(k.Delta, 1) {
		return fmt.Errorf("Kernelized has δ = %v; need a finite δ > 0 (0 means 1)", k.Delta)
	}
	return nil
}

func (k Kernelized) delta() float64 {
	if k.Delta == 0 {
		return 1
	}
	return k.Delta
}

// Eval implements Modulator.
func (k Kernelized) Eval(dst, lambda []float64, beta, t float64) {
	delta := k.delta()
	for m, l := range lambda {
		dst[m] = 1 / (delta + t + beta*l)
	}
}

// EvalGrad implements Modulator.
func (k Kernelized) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	delta := k.delta()
	for m, l := range lambda {
		f := 1 / (delta + t + beta*l)
		dst[m], dBeta[m], dT[m] = f, -l*f*f, -f*f
	}
}

// String names the kernel.
func (k Kernelized) String() string {
	return fmt.Sprintf("Kernelized(%#v, %g)", k.Kernel, k.delta())
}

// NeuralNetwork is the neural network kernel k_NN of Eq. (7), with
// Σ = diag(1/θ_d²) and Bias added to every product:
//
//	k(x, y) = 2/π · asin( 2xᵀΣy / √((1 + 2xᵀΣx)(1 + 2yᵀΣy)) )
//
// This is Rasmussen and Williams, Gaussian Processes for Machine Learning
// (2006), Eq. (4.29): the covariance of a network with infinitely many hidden
// units, positive definite by construction. The paper prints the denominator
// (1 + xᵀΣx)(1 + yᵀΣy), without the square root and the factors 2. That is the
// kernel of no network: it stays within ±1/3, and falls back to 0 far from the
// origin where this one saturates, also for x = y.
type NeuralNetwork struct {
	// Bias is the prior variance of the bias of a hidden unit, added to xᵀΣy.
	// 0 is the print: then the origin is unlike all points, itself included.
	Bias float64
}

// Bound returns 1.
func (NeuralNetwork) Bound() float64 { return 1 }

// Eval implements BoundedKernel.
func (k NeuralNetwork) Eval(theta, x, y []float64) float64 {
	xy, xx, yy := k.products(theta, x, y)
	return 2 / math.Pi * math.Asin(sine(xy, xx, yy))
}

// EvalGrad implements BoundedKernel.
func (k NeuralNetwork) EvalGrad(dX, dTheta, theta, x, y []float64) float64 {
	xy, xx, yy := k.products(theta, x, y)
	z := sine(xy, xx, yy)
	// 1 - z² from its numerator (1+2xx)(1+2yy) - 4xy², which is at least
	// 1 + 2xx + 2yy by the Cauchy-Schwarz inequality.
	norm := (1 + 2*xx) * (1 + 2*yy)
	cos := math.Sqrt(math.Max(1+2*xx+2*yy+4*(xx*yy-xy*xy), 1) / norm)
	c := 2 / math.Pi / cos
	root := math.Sqrt(norm)
	for d, th := range theta {
		w := 1 / (th * th)
		dX[d] = c * w * (2*y[d]/root - z*2*x[d]/(1+2*xx))
		// ∂(xᵀΣy)/∂log θ_d = -2 x_d y_d/θ_d²
		dTheta[d] = -2 * c * w * (2*x[d]*y[d]/root - z*(x[d]*x[d]/(1+2*xx)+y[d]*y[d]/(1+2*yy)))
	}
	return 2 / math.Pi * math.Asin(z)
}

func (k NeuralNetwork) products(theta, x, y []float64) (xy, xx, yy float64) {
	xy, xx, yy = k.Bias, k.Bias, k.Bias
	for d, th := range theta {
		a, b := x[d]/th, y[d]/th
		xy += a * b
		xx += a * a
		yy += b * b
	}
	return xy, xx, yy
}

func sine(xy, xx, yy float64) float64 {
	z := 2 * xy / math.Sqrt((1+2*xx)*(1+2*yy))
	return min(1, max(-1, z)) // rounding may pass the ends
}
