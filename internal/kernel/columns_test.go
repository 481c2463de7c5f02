package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Where most points have one coordinate, as that of an absent parameter, what is computed
// from the others alone is the same, to the bit.
func TestUsualCoordinates(t *testing.T) {
	const dims, n = 6, 40
	rng := rand.New(rand.NewPCG(1, 0))
	xs := make([]Point, n)
	for i := range xs {
		xs[i].C = make([]float64, dims)
		for d := range xs[i].C {
			xs[i].C[d] = 0.5
			if rng.Float64() < float64(d)/dims { // from none to most
				xs[i].C[d] = rng.Float64()
			}
		}
	}
	k := &Kernel{dims: dims}
	cols := NewColumns(k, xs)
	plain := *cols
	plain.rest = make([][]int32, dims)
	if cols.rest[0] == nil || len(cols.rest[0]) > 0 || cols.rest[1] == nil || cols.rest[dims-1] != nil {
		t.Fatalf("other points %v", cols.rest)
	}
	a, b := make([]float64, n), make([]float64, n)
	for j := range a {
		a[j], b[j] = rng.NormFloat64(), rng.NormFloat64()
	}
	type result struct{ row, dA, dB, theta []float64 }
	compute := func(s distance, cols *Columns, c []float64, m int) result {
		r := result{make([]float64, m), make([]float64, dims), make([]float64, dims), make([]float64, dims)}
		s.row(r.row, c, cols)
		s.sumGrad(r.dA, r.dB, a[:m], b[:m], c, cols)
		s.addThetaGrad(r.theta, a[:m], c, cols)
		return r
	}
	for _, m := range []metric{squared, saturated, weighted, rough} {
		s := newScaledDistance(dims, m)
		s.bind([]float64{0.1, 0.3, 0.5, 1, 2, 3})
		for _, x := range xs {
			for _, first := range []int{0, 1, n / 2, n} {
				got, want := compute(s, cols, x.C, first), compute(s, &plain, x.C, first)
				if !slices.Equal(got.row, want.row) || !slices.Equal(got.dA, want.dA) || !slices.Equal(got.dB, want.dB) || !slices.Equal(got.theta, want.theta) {
					t.Errorf("%v%v and the first %d points: %v, want %v", m, x.C, first, got, want)
				}
			}
		}
	}
}
