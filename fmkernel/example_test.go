package fmkernel_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Gaussian process regression on mixed data: how long a job takes, by the
// logarithm of its batch size and by the machine it runs on. Nobody has tried
// the fast machine at batch size 64 (coordinate 0.5).
func Example_regression() {
	const slow, medium, fast = 0, 1, 2
	kernel, err := fmkernel.NewModLap(1, graphs.Path(3)) // one dimension, three machines in order
	if err != nil {
		fmt.Println(err)
		return
	}
	params := fmkernel.NewParams(1, 1)
	params.Theta[0] = 0.5

	at := func(c float64, v int) fmkernel.Point { return fmkernel.Point{C: []float64{c}, V: []int{v}} }
	xs := []fmkernel.Point{
		at(0, slow), at(0.5, slow), at(1, slow),
		at(0, medium), at(0.5, medium), at(1, medium),
		at(0, fast), at(1, fast),
	}
	seconds := mat.NewVecDense(len(xs), []float64{90, 60, 70, 60, 40, 45, 30, 24})

	var gram mat.SymDense
	kernel.GramTo(&gram, params, xs)
	for i := range xs {
		gram.SetSym(i, i, gram.At(i, i)+1e-4) // noise variance
	}
	var chol mat.Cholesky
	chol.Factorize(&gram)

	// Mean kᵀK⁻¹(y - m) + m and variance k(x,x) - kᵀK⁻¹k with m the mean of y.
	m := mat.Sum(seconds) / float64(len(xs))
	var centred, weights, solved mat.VecDense
	centred.AddScaledVec(seconds, -m, mat.NewVecDense(len(xs), ones(len(xs))))
	if err := chol.SolveVecTo(&weights, &centred); err != nil {
		fmt.Println(err)
		return
	}
	x := at(0.5, fast)
	cross := mat.NewVecDense(len(xs), nil)
	kernel.CrossTo(cross.RawVector().Data, params, x, xs)
	if err := chol.SolveVecTo(&solved, cross); err != nil {
		fmt.Println(err)
		return
	}
	variance := kernel.Eval(params, x, x) - mat.Dot(cross, &solved)
	scale := mat.Dot(&centred, &weights) / float64(len(xs)) // output scale, by maximum likelihood
	fmt.Printf("%.0f ± %.0f seconds\n", mat.Dot(cross, &weights)+m, math.Sqrt(scale*variance))
	// Output: 19 ± 10 seconds
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func ExampleNewModLap() {
	// Two continuous dimensions, a nominal variable with three choices and an
	// ordinal one with four.
	kernel, err := fmkernel.NewModLap(2, graphs.Complete(3), graphs.Path(4))
	if err != nil {
		fmt.Println(err)
		return
	}
	x := fmkernel.Point{C: []float64{0.1, 0.7}, V: []int{0, 2}}
	y := fmkernel.Point{C: []float64{0.3, 0.7}, V: []int{1, 2}}
	params := fmkernel.NewParams(2, 2)
	fmt.Printf("%.4g\n", kernel.Eval(params, x, x))
	fmt.Printf("%.4g\n", kernel.Eval(params, x, y))
	// Output:
	// 0.2381
	// 0.1103
}

// The lengths are those of the kernel: a sum has a weight, and no α.
func ExampleKernel_NewParams() {
	kernel, err := fmkernel.NewAddLap(1, graphs.Complete(3), graphs.Path(4))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", kernel.NewParams())
	// Output: {Alpha:[] Beta:[1 1] Theta:[1] Mix:[1]}
}

func ExampleNewParams() {
	params := fmkernel.NewParams(2, 1) // two dimensions, one graph
	params.Theta[1] = 0.3              // the second coordinate matters more
	fmt.Printf("%+v\n", params)
	// Output: {Alpha:[1] Beta:[1] Theta:[1 0.3] Mix:[]}
}

func ExampleKernel_GramTo() {
	kernel, err := fmkernel.NewModLap(1, graphs.Path(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	var gram mat.SymDense
	kernel.GramTo(&gram, kernel.NewParams(), []fmkernel.Point{
		{C: []float64{0}, V: []int{0}},
		{C: []float64{0}, V: []int{2}},
		{C: []float64{1}, V: []int{0}},
	})
	fmt.Printf("%.4g\n", mat.Formatted(&gram))
	// Output:
	// ⎡  0.625    0.125   0.3667⎤
	// ⎢  0.125    0.625  0.03333⎥
	// ⎣ 0.3667  0.03333    0.625⎦
}

// The gradient of the sum of all entries of a Gram matrix, by the logarithms of
// the hyperparameters.
func ExampleKernel_ParamGradTo() {
	kernel, err := fmkernel.NewModLap(1, graphs.Complete(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	xs := []fmkernel.Point{{C: []float64{0}, V: []int{0}}, {C: []float64{1}, V: []int{1}}}
	weights := mat.NewSymDense(2, []float64{1, 1, 1, 1})
	grad := kernel.NewParams()
	kernel.ParamGradTo(grad, kernel.NewParams(), xs, weights)
	fmt.Printf("%.4g %.4g %.4g\n", grad.Alpha, grad.Beta, grad.Theta)
	// Output: [-0.1875] [-0.09722] [0.375]
}

// How the similarities with two points change as x moves.
func ExampleKernel_CrossGradTo() {
	kernel, err := fmkernel.NewModLap(1, graphs.Complete(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	x := fmkernel.Point{C: []float64{0.5}, V: []int{0}}
	xs := []fmkernel.Point{{C: []float64{0}, V: []int{0}}, {C: []float64{1}, V: []int{1}}}
	row, grad := make([]float64, 2), mat.NewDense(2, 1, nil)
	kernel.CrossGradTo(row, grad, kernel.NewParams(), x, xs)
	fmt.Printf("%.4g\n%.4g\n", row, mat.Formatted(grad))
	// Output:
	// [0.5538 0.2462]
	// ⎡-0.3673⎤
	// ⎣ 0.2727⎦
}
