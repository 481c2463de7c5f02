package acquisition_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

// The average is the logarithm of the mean expected improvement, in all the ways
// to ask for it, and its gradient that of finite differences; the average of one
// function is the function.
func TestAverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 40))
	var fs acquisition.Average
	var dom *acquisition.Domain
	for n := range 3 {
		s := newSurrogate(t, rng, 20+5*n)
		fs = append(fs, acquisition.EI(s.post, s.best-0.1*float64(n)))
		dom = s.dom
	}
	for range 20 {
		x := anywhere(rng, dom)
		value := func(f acquisition.Func, x fmkernel.Point) float64 {
			var dst [1]float64
			f.ValueBatch(dst[:], []fmkernel.Point{x})
			return dst[0]
		}
		mean := 0.0
		for _, f := range fs {
			mean += math.Exp(value(f, x)) / float64(len(fs))
		}
		got := value(fs, x)
		if math.Abs(got-math.Log(mean)) > 1e-12*(1+math.Abs(got)) {
			t.Errorf("value %v, want %v", got, math.Log(mean))
		}
		moves := []kernel.Move{{Graph: 0, Vertex: 1}, {Graph: 2, Vertex: 3}}
		moved := make([]float64, 2)
		fs.ValueMoves(moved, x, moves)
		for i, move := range moves {
			y := x.Clone()
			y.V[move.Graph] = move.Vertex
			if want := value(fs, y); math.Abs(moved[i]-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("after %+v: %v, want %v", move, moved[i], want)
			}
		}
		for _, f := range []acquisition.Func{fs, fs[0], fs[:1]} {
			grad := make([]float64, 2)
			if v := f.ValueGrad(grad, x); math.Abs(v-value(f, x)) > 1e-9*(1+math.Abs(v)) {
				t.Errorf("ValueGrad gives %v, ValueBatch %v", v, value(f, x))
			}
			want := fd.Gradient(nil, func(c []float64) float64 { return value(f, fmkernel.Point{C: c, V: x.V}) }, x.C, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			if floats.Distance(grad, want, math.Inf(1)) > 1e-4*math.Max(1, floats.Norm(want, math.Inf(1))) {
				t.Errorf("gradient %v, finite differences %v", grad, want)
			}
		}
		if a, b := value(fs[:1], x), value(fs[0], x); math.Abs(a-b) > 1e-12*(1+math.Abs(b)) {
			t.Errorf("the average of one is %v, the one %v", a, b)
		}
	}
}

// Where every expected improvement has underflowed, the average of their
// logarithms still tells points apart.
func TestAverageFarAway(t *testing.T) {
	far := func(mean float64) acquisition.Func {
		return acquisition.EI(constant{mean}, 0)
	}
	var near, away [1]float64
	xs := []fmkernel.Point{{C: []float64{0}}}
	acquisition.Average{far(1e3), far(1e4)}.ValueBatch(near[:], xs)
	acquisition.Average{far(2e3), far(1e4)}.ValueBatch(away[:], xs)
	if !(near[0] > away[0]) || math.IsInf(away[0], -1) {
		t.Errorf("values %v and %v; want finite ones in this order", near[0], away[0])
	}
}

// constant predicts one mean, with variance 1.
type constant struct{ mean float64 }

func (p constant) PredictGrad(dMean, dVariance []float64, _ fmkernel.Point) (mean, variance float64) {
	clear(dMean)
	clear(dVariance)
	return p.mean, 1
}

func (p constant) PredictBatch(means, variances []float64, xs []fmkernel.Point) {
	for i := range xs {
		means[i], variances[i] = p.mean, 1
	}
}

func (p constant) PredictMoves(means, variances []float64, _ fmkernel.Point, moves []kernel.Move) {
	for i := range moves {
		means[i], variances[i] = p.mean, 1
	}
}
