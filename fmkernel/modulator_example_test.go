package fmkernel_test

import (
	"fmt"
	"math"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// The similarity of two different vertices at distances 0, 1 and 3, under the
// kernels of the paper's comparison. ModDif's grows: it breaks FM-P3.
func ExampleNewProdLap() {
	x := fmkernel.Point{C: []float64{0}, V: []int{0}}
	for _, build := range []func(int, ...*graphs.Graph) (*fmkernel.Kernel, error){
		fmkernel.NewModLap, fmkernel.NewModDif, fmkernel.NewProdLap, fmkernel.NewProdDif, fmkernel.NewAddLap, fmkernel.NewAddDif,
	} {
		kernel, err := build(1, graphs.Complete(3))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-8v", kernel)
		for _, c := range []float64{0, 1, 3} {
			other := fmkernel.Point{C: []float64{c}, V: []int{1}}
			fmt.Printf(" %.3f", kernel.Eval(kernel.NewParams(), x, other))
		}
		fmt.Println()
	}
	// Output:
	// ModLap   0.250 0.100 0.008
	// ModDif   0.317 0.333 0.333
	// ProdLap  0.250 0.152 0.003
	// ProdDif  0.317 0.192 0.004
	// AddLap   1.500 1.107 0.511
	// AddDif   1.864 1.471 0.875
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
		fmt.Printf("%.4f %v\n", kernel.Eval(kernel.NewParams(), x, y), kernel)
	}
	// Output:
	// 0.2415 Mod(fmkernel_test.exponential)
	// 0.2047 Mod(Family(0.5,2,1)(0.5,2,2))
	// 0.1392 Mod(Kernelized(fmkernel.NeuralNetwork{Bias:1}, 1))
}
