package acquisition_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// A bound is what it says, with the gradient of finite differences.
func TestBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 41))
	s := newSurrogate(t, rng, 25)
	for _, k := range []float64{-2, 0, 1} {
		f := acquisition.Bound(s.post, k)
		for range 20 {
			x := s.randomPoint(rng)
			at := func(x fmkernel.Point) float64 {
				mean, variance := s.post.Predict(x)
				return -mean - k*math.Sqrt(variance)
			}
			var batch [1]float64
			f.ValueBatch(batch[:], []fmkernel.Point{x})
			grad := make([]float64, 2)
			value, want := f.ValueGrad(grad, x), at(x)
			if math.Abs(value-want) > 1e-9*(1+math.Abs(want)) || math.Abs(batch[0]-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("k = %v: value %v and %v, want %v", k, value, batch[0], want)
			}
			wantGrad := fd.Gradient(nil, func(c []float64) float64 { return at(fmkernel.Point{C: c, V: x.V}) }, x.C, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			if floats.Distance(grad, wantGrad, math.Inf(1)) > 1e-4*math.Max(1, floats.Norm(wantGrad, math.Inf(1))) {
				t.Errorf("k = %v: gradient %v, finite differences %v", k, grad, wantGrad)
			}
		}
	}
}
