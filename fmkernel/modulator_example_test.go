package fmkernel_test

import (
	"fmt"
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// modulated prints f(λ, t | β = 1) at λ = 0, 1 and 4, for t = 0 and t = 1: how
// much of each frequency is left at no distance, and at distance 1.
func modulated(m fmkernel.Modulator) {
	lambda, f := []float64{0, 1, 4}, make([]float64, 3)
	for _, t := range []float64{0, 1} {
		m.Eval(f, lambda, 1, t)
		fmt.Printf("%.4g ", f)
	}
	fmt.Println()
}

// Distance takes from the low frequencies most: points become independent.
func ExampleLaplacian() {
	modulated(fmkernel.Laplacian{})
	// Output: [1 0.5 0.2] [0.5 0.3333 0.1667]
}

// Distance leaves the frequency 0 as it is, and takes the others.
func ExampleDiffusion() {
	modulated(fmkernel.Diffusion{})
	// Output: [1 0.3679 0.01832] [1 0.1353 0.0003355]
}

// A mixture of a rough and a smooth function of the distance.
func ExampleFamily() {
	modulated(fmkernel.Family{{Weight: 0.5, Tau: 1, Rho: 1}, {Weight: 0.5, Tau: 2, Rho: 2}})
	// Output: [1 0.375 0.12] [0.375 0.2222 0.09722]
}

// With τ = 1 in place of the 2 of f_Lap, values near each other differ more.
func ExampleReciprocal() {
	const near = 0.01
	var rough, smooth [1]float64
	fmkernel.Reciprocal(1).Eval(rough[:], []float64{0}, 1, near)
	fmkernel.Laplacian{}.Eval(smooth[:], []float64{0}, 1, near)
	fmt.Printf("%.4g %.4g\n", rough, smooth)
	// Output: [0.9091] [0.9901]
}

// 1/(1+βλ+t)²: the second power alone.
func ExamplePowerSum() {
	modulated(fmkernel.PowerSum(0, 1))
	// Output: [1 0.25 0.04] [0.25 0.1111 0.02778]
}

// Modulated by a neural network kernel, which is not stationary: the same step
// matters less far from the origin.
func ExampleKernelized() {
	kernel, err := fmkernel.New(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 1}}, 1, graphs.Complete(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	params := kernel.NewParams()
	for _, c := range []float64{0, 5} {
		x, y := fmkernel.Point{C: []float64{c}, V: []int{0}}, fmkernel.Point{C: []float64{c + 1}, V: []int{0}}
		correlation := kernel.Eval(params, x, y) / math.Sqrt(kernel.Eval(params, x, x)*kernel.Eval(params, y, y))
		fmt.Printf("%.4g\n", correlation)
	}
	// Output:
	// 0.9072
	// 0.9983
}

func ExampleNeuralNetwork() {
	k := fmkernel.NeuralNetwork{Bias: 1}
	theta := []float64{1}
	for _, y := range []float64{1, -1, 100} {
		fmt.Printf("%.4g\n", k.Eval(theta, []float64{1}, []float64{y}))
	}
	// Output:
	// 0.5903
	// 0
	// 0.4411
}

// exponential is a frequency modulating function of one's own: exp(-t)/(1+βλ)².
type exponential struct{}

func (exponential) Eval(dst, lambda []float64, beta, t float64) {
	for m, l := range lambda {
		dst[m] = math.Exp(-t) / ((1 + beta*l) * (1 + beta*l))
	}
}

func (e exponential) EvalGrad(dst, dBeta, dT, lambda []float64, beta, t float64) {
	e.Eval(dst, lambda, beta, t)
	for m, l := range lambda {
		dBeta[m], dT[m] = -2*l*dst[m]/(1+beta*l), -dst[m]
	}
}

func ExampleCheckConditions() {
	fmt.Println(fmkernel.CheckConditions(exponential{}))
	fmt.Println(fmkernel.CheckConditions(fmkernel.Diffusion{}, 1))
	// Output:
	// <nil>
	// fmkernel: not a frequency modulating function: FM-P3 fails at β = 1: h(λ) = f(λ, 0) - f(λ, 0.01) is not positive: h(0) = 0
}

func ExampleNew() {
	for _, m := range []fmkernel.Modulator{
		exponential{},
		fmkernel.PowerSum(0.5, 0.5),
		fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 1}},
	} {
		kernel, err := fmkernel.New(m, 1, graphs.Path(4))
		if err != nil {
			fmt.Println(err)
			return
		}
		x, y := fmkernel.Point{C: []float64{0.2}, V: []int{0}}, fmkernel.Point{C: []float64{0.6}, V: []int{1}}
		fmt.Printf("%.4g %v\n", kernel.Eval(kernel.NewParams(), x, y), kernel)
	}
	// Output:
	// 0.2415 Mod(fmkernel_test.exponential)
	// 0.2047 Mod(Family(0.5,2,1)(0.5,2,2))
	// 0.1392 Mod(Kernelized(fmkernel.NeuralNetwork{Bias:1}, 1))
}
