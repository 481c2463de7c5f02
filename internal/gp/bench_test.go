package gp_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// func3C returns n random observations of Func3C, with standardised targets:
// two dimensions and complete graphs of 3, 5 and 4 vertices.
func func3C(b *testing.B, n int) problem {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	pr := problem{dims: 2, graphs: []*graphs.Graph{graphs.Complete(3), graphs.Complete(5), graphs.Complete(4)}}
	pr.kernel = newKernel(b, pr.dims, pr.graphs)
	pr.xs = pr.points(rng, n)
	pr.y = make([]float64, n)
	for i, x := range pr.xs {
		y, err := problems.Func3C().Eval([]float64{2*x.C[0] - 1, 2*x.C[1] - 1}, x.V)
		if err != nil {
			b.Fatal(err)
		}
		pr.y[i] = y
	}
	standardise(pr.y)
	return pr
}

var benchSizes = []int{50, 100, 200, 500}

// BenchmarkFit is one fit that starts from the optimum of the same data without
// the last observation, as in a study.
func BenchmarkFit(b *testing.B) {
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("func3c/n=%d", n), func(b *testing.B) {
			pr := func3C(b, n)
			before := pr
			before.xs, before.y = pr.xs[:n-1], pr.y[:n-1]
			warm, _ := fit(b, before, false, 1, gp.FitSettings{})
			b.ReportAllocs()
			for b.Loop() {
				fit(b, pr, false, 1, gp.FitSettings{Warm: &warm})
			}
		})
	}
}

// BenchmarkPredictBatch is the prediction of 512 points, the candidates of one
// suggestion.
func BenchmarkPredictBatch(b *testing.B) {
	const candidates = 512
	for _, n := range benchSizes {
		b.Run(fmt.Sprintf("func3c/n=%d", n), func(b *testing.B) {
			pr := func3C(b, n)
			pr.hyper = gp.Hyper{Noise: 1e-4, Scale: 1, Params: fmkernel.NewParams(2, 3)}
			post := pr.condition(b).Predictor()
			xs := pr.points(rand.New(rand.NewPCG(2, 1)), candidates)
			means, variances := make([]float64, candidates), make([]float64, candidates)
			b.ReportAllocs()
			for b.Loop() {
				post.PredictBatch(means, variances, xs)
			}
		})
	}
}
