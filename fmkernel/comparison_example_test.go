package fmkernel_test

import (
	"fmt"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// similarity prints a kernel's value between two different choices out of three
// whose continuous coordinates are 0, 1 and 3 apart.
func similarity(kernel *fmkernel.Kernel, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	x := fmkernel.Point{C: []float64{0}, V: []int{0}}
	for _, c := range []float64{0, 1, 3} {
		y := fmkernel.Point{C: []float64{c}, V: []int{1}}
		fmt.Printf("%.4g ", kernel.Eval(kernel.NewParams(), x, y))
	}
	fmt.Println(kernel)
}

// The kernels of the paper's comparison side by side.
func Example_comparison() {
	for _, build := range []func(int, ...*graphs.Graph) (*fmkernel.Kernel, error){
		fmkernel.NewModLap, fmkernel.NewModDif, fmkernel.NewProdLap, fmkernel.NewProdDif, fmkernel.NewAddLap, fmkernel.NewAddDif,
	} {
		similarity(build(1, graphs.Complete(3)))
	}
	// Output:
	// 0.25 0.1 0.007692 ModLap
	// 0.3167 0.3325 0.3333 ModDif
	// 0.25 0.1516 0.002777 ProdLap
	// 0.3167 0.1921 0.003519 ProdDif
	// 1.5 1.107 0.5111 AddLap
	// 1.864 1.471 0.8753 AddDif
}

// With continuous distance, different choices become more alike: f_Dif breaks
// FM-P3.
func ExampleNewModDif() {
	similarity(fmkernel.NewModDif(1, graphs.Complete(3)))
	// Output: 0.3167 0.3325 0.3333 ModDif
}

// A product is the continuous similarity times that of the choices.
func ExampleNewProdLap() {
	similarity(fmkernel.NewProdLap(1, graphs.Complete(3)))
	// Output: 0.25 0.1516 0.002777 ProdLap
}

func ExampleNewProdDif() {
	similarity(fmkernel.NewProdDif(1, graphs.Complete(3)))
	// Output: 0.3167 0.1921 0.003519 ProdDif
}

// In a sum, points with the same choice stay similar however far apart they are:
// what the two parts say adds up.
func ExampleNewAddLap() {
	similarity(fmkernel.NewAddLap(1, graphs.Complete(3)))
	// Output: 1.5 1.107 0.5111 AddLap
}

// Params.Mix is the weight of the continuous part.
func ExampleNewAddDif() {
	kernel, err := fmkernel.NewAddDif(1, graphs.Complete(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	params := kernel.NewParams()
	params.Mix[0] = 0.1
	x, y := fmkernel.Point{C: []float64{0}, V: []int{0}}, fmkernel.Point{C: []float64{3}, V: []int{0}}
	fmt.Printf("%.4g %.4g\n", kernel.Eval(params, x, x), kernel.Eval(params, x, y))
	// Output: 1.1 1.001
}
