package linalg_test

import (
	"fmt"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

func Benchmark(b *testing.B) {
	for _, n := range []int{100, 200, 500} {
		rng := newRand(b)
		whole := randomSPD(rng, n+1)
		a := leading(whole, n+1, n)
		var c, grown linalg.Cholesky
		if _, err := c.Factorize(a, n); err != nil {
			b.Fatal(err)
		}
		ainv := make([]float64, n*n)
		x, dst := randomVec(rng, n), make([]float64, n)
		source, columns := randomVec(rng, n*200), make([]float64, n*200)

		for _, bench := range []struct {
			name string
			run  func()
		}{
			{"Factorize", func() { _, _ = grown.Factorize(a, n) }},
			{"FactorizeExtend", func() { _, _ = grown.Factorize(a, n); _ = grown.Extend(whole[n*(n+1):], 1) }},
			{"InverseTo", func() { c.InverseTo(ainv) }},
			{"SolveVecTo", func() { c.SolveVecTo(dst, x) }},
			{"ForwardVecTo", func() { c.ForwardVecTo(dst, x) }},
			{"BackwardVecTo", func() { c.BackwardVecTo(dst, x) }},
			{"ForwardColumns200", func() { copy(columns, source); c.ForwardColumns(columns, 200) }},
			{"ForwardColumns8", func() { copy(columns, source); c.ForwardColumns(columns[:n*8], 8) }},
			{"ForwardColumns24", func() { copy(columns, source); c.ForwardColumns(columns[:n*24], 24) }},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", bench.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					bench.run()
				}
			})
		}
	}
}
