package fmkernel_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// As lengthscales tend to 0, a point stays similar to itself, and two that differ in all
// coordinates are as far apart as the distance allows.
func TestTinyLengthscales(t *testing.T) {
	plain, err := fmkernel.NewModLap(3)
	if err != nil {
		t.Fatal(err)
	}
	x, y := fmkernel.Point{C: []float64{0, 0, 0}}, fmkernel.Point{C: []float64{0.5, 0.5, 0.5}}
	for _, test := range []struct {
		k    *fmkernel.Kernel
		want float64
		why  string
	}{
		{plain, 0, "1/(1+‖c-c'‖²), whose distance has no bound"},
		{plain.Saturated(), 1.0 / 3, "three terms of at most 2/3 each: 1/(1+2)"},
		{plain.Weighted(), 0, "as the plain distance"},
		{plain.Rough(), 0, "as the plain distance"},
	} {
		for _, theta := range []float64{1e-20, 1e-39, 1e-60, 1e-80, 1e-160, 1e-200, 1e-300, math.SmallestNonzeroFloat64} {
			params := test.k.NewParams()
			for d := range params.Theta {
				params.Theta[d] = theta
			}
			row, grad := make([]float64, 2), mat.NewDense(2, 3, nil)
			test.k.CrossGradTo(row, grad, params, x, []fmkernel.Point{x, y})
			if row[0] != 1 {
				t.Errorf("%v, θ = %g: a point has the similarity %g to itself, want 1", test.k, theta, row[0])
			}
			if !(math.Abs(row[1]-test.want) < 1e-15) {
				t.Errorf("%v, θ = %g: %g, want %g (%s)", test.k, theta, row[1], test.want, test.why)
			}
			slopes := test.k.NewParams()
			test.k.ParamGradTo(slopes, params, []fmkernel.Point{x, y}, mat.NewSymDense(2, []float64{1, 1, 1, 1}))
			for d := range 3 {
				for _, g := range []float64{grad.At(0, d), grad.At(1, d), slopes.Theta[d]} {
					if !isFinite(g) {
						t.Errorf("%v, θ = %g: a derivative is %g", test.k, theta, g)
					}
				}
			}
		}
	}
}
