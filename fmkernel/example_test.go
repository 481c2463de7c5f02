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
	fmt.Printf("%.4f\n", kernel.Eval(params, x, x))
	fmt.Printf("%.4f\n", kernel.Eval(params, x, y))
	// Output:
	// 0.2381
	// 0.1103
}
