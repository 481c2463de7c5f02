package repeats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
	"github.com/goptuna-fm/goptuna-fm/internal/repeats"
)

// distinct are values without a search of which no two are the same.
var distinct = []float64{101, 102, 103, 104, 105, 106, 107, 108, 109, 110}

var space = []*graphs.Graph{graphs.Complete(3), graphs.Complete(4), graphs.Path(6)}

// draw returns a random point of two dimensions and the graphs of space.
func draw(rng *rand.Rand) fmkernel.Point {
	x := fmkernel.Point{C: []float64{rng.Float64(), rng.Float64()}}
	for _, g := range space {
		x.V = append(x.V, rng.IntN(g.Order()))
	}
	return x
}

// search returns points as a search has them: each differs from one of the first five in
// a coordinate or two.
func search(rng *rand.Rand, n int) []fmkernel.Point {
	var xs []fmkernel.Point
	for range 5 {
		xs = append(xs, draw(rng))
	}
	for len(xs) < n {
		x, other := xs[rng.IntN(5)].Clone(), draw(rng)
		for range 2 {
			if k := rng.IntN(5); k < 2 {
				x.C[k] = other.C[k]
			} else {
				x.V[k-2] = other.V[k-2]
			}
		}
		xs = append(xs, x)
	}
	return xs
}

func values(xs []fmkernel.Point, f func(x fmkernel.Point) float64) (ys []float64) {
	for _, x := range xs {
		ys = append(ys, f(x))
	}
	return ys
}

// A hundred trials tell what does nothing from what does something, in every kind of
// coordinate; where nothing repeats nothing is idle.
func TestIdle(t *testing.T) {
	for _, test := range []struct {
		name string
		f    func(x fmkernel.Point) float64
		c, v []bool
	}{
		{"the second of each kind", func(x fmkernel.Point) float64 {
			return math.Sin(9*x.C[0]) + float64(x.V[0]) + math.Sqrt(float64(x.V[2]))
		}, []bool{false, true}, []bool{false, true, false}},
		{"the first of each kind", func(x fmkernel.Point) float64 { return x.C[1] + math.Exp(float64(x.V[1])) }, []bool{true, false}, []bool{true, false, true}},
		{"none", func(x fmkernel.Point) float64 {
			return x.C[0] + math.Pi*x.C[1] + math.Sqrt2*float64(x.V[0]) + math.E*float64(x.V[1]) + math.Sqrt(float64(x.V[2]))
		}, []bool{false, false}, []bool{false, false, false}},
	} {
		for seed := range uint64(10) {
			xs := search(rand.New(rand.NewPCG(seed, 71)), 100)
			c, v := repeats.Fit(space, xs, values(xs, test.f), distinct).Idle(0.75)
			if !slices.Equal(c, test.c) || !slices.Equal(v, test.v) {
				t.Errorf("%s, seed %d: dimensions %v and graphs %v, want %v and %v", test.name, seed, c, v, test.c, test.v)
			}
		}
	}
}

// Nothing is learned where no value repeats, nor from one of those that are not good which
// repeats without a search.
func TestNothingRepeats(t *testing.T) {
	xs := search(rand.New(rand.NewPCG(1, 76)), 6)
	const unsearched = 5
	for _, ys := range [][]float64{{1, 2, 3, 4, 5, 6}, {2, 1, 2, 0, 3, 2}, {3, 0, 1, 3, 2, 3}, {1, 1, 1, 1, 1, 1}} {
		if m := repeats.Fit(space, xs, ys, ys[:unsearched]); m != nil {
			t.Errorf("values %v, the first %d without a search: %v, want nil", ys, unsearched, m)
		}
	}
	for _, ys := range [][]float64{{1, 2, 3, 4, 5, 2}, {1, 2, 3, 4, 3, 1}, {3, 1, 1, 2, 4, 5}} {
		if repeats.Fit(space, xs, ys, ys[:unsearched]) == nil {
			t.Errorf("values %v, the first %d without a search: nil", ys, unsearched)
		}
	}
	if m := repeats.Fit(space, nil, nil, nil); m != nil {
		t.Errorf("without observations: %v, want nil", m)
	}
}

// Values that are counts repeat by chance, as often as those of random points do, which
// makes nothing idle.
func TestChance(t *testing.T) {
	idle := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 72))
		xs := search(rng, 40)
		ys := values(xs, func(fmkernel.Point) float64 { return float64(rng.IntN(20)) })
		c, v := repeats.Fit(space, xs, ys, ys[:10]).Idle(0.75)
		for _, is := range append(c, v...) {
			if is {
				idle++
			}
		}
	}
	if idle > 5 {
		t.Errorf("%d of 100 coordinates are idle, though all values are drawn at random from twenty", idle)
	}
}

// Values at a bound that three quarters of the trials reach make nothing idle.
func TestBound(t *testing.T) {
	for seed := range uint64(10) {
		xs := search(rand.New(rand.NewPCG(seed, 75)), 60)
		ys := values(xs, func(x fmkernel.Point) float64 {
			return math.Sin(9*x.C[0]) + x.C[1] + float64(x.V[0]+x.V[1]) + math.Sqrt(float64(x.V[2]))
		})
		bound := slices.Sorted(slices.Values(ys))[15]
		for i := range ys {
			ys[i] = math.Min(ys[i], bound)
		}
		m := repeats.Fit(space, xs, ys, ys[:10])
		if m == nil {
			continue
		}
		if c, v := m.Idle(0.75); slices.Contains(append(c, v...), true) {
			t.Errorf("seed %d: dimensions %v and graphs %v are idle, want none", seed, c, v)
		}
	}
}

// The probability of another value is 0 at an observation, grows away from it, and all
// ways to ask for it agree.
func TestDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 73))
	xs := search(rng, 30)
	ys := values(xs, func(x fmkernel.Point) float64 {
		return math.Floor(4*x.C[0]) + 10*float64(x.V[0]) + math.Sqrt(float64(x.V[2]))
	})
	f := repeats.Distinct{Model: repeats.Fit(space, xs, ys, distinct), Points: xs}
	value := func(x fmkernel.Point) float64 {
		var dst [1]float64
		f.ValueBatch(dst[:], []fmkernel.Point{x})
		return dst[0]
	}
	grad := make([]float64, 2)
	for range 50 {
		x := draw(rng)
		got := f.ValueGrad(grad, x)
		if want := value(x); got != want || got > 0 {
			t.Errorf("ValueGrad gives %v, ValueBatch %v", got, want)
		}
		numeric := fd.Gradient(nil, func(c []float64) float64 { return value(fmkernel.Point{C: c, V: x.V}) }, x.C, &fd.Settings{Formula: fd.Central, Step: 1e-7})
		if floats.Distance(grad, numeric, math.Inf(1)) > 1e-4*math.Max(1, floats.Norm(numeric, math.Inf(1))) {
			t.Errorf("gradient %v, finite differences %v", grad, numeric)
		}
		var moves []kernel.Move
		var moved []float64
		for p, g := range space {
			for v := range g.Order() {
				y := x.Clone()
				y.V[p] = v
				moves, moved = append(moves, kernel.Move{Graph: p, Vertex: v}), append(moved, value(y))
			}
		}
		dst := make([]float64, len(moves))
		if f.ValueMoves(dst, x, moves); floats.Distance(dst, moved, math.Inf(1)) > 1e-9 {
			t.Errorf("moves %v, want %v", dst, moved)
		}
	}
	for _, x := range xs {
		if p := math.Exp(value(x)); p > 1e-9 {
			t.Errorf("another value with probability %v at an observation", p)
		}
	}
	if got := (repeats.Distinct{Model: f.Model}).ValueGrad(grad, xs[0]); got != 0 || grad[0] != 0 {
		t.Errorf("%v and slope %v without observations", got, grad)
	}
}

func BenchmarkFit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 74))
	xs := search(rng, 100)
	ys := values(xs, func(x fmkernel.Point) float64 { return x.C[0] + math.Sqrt(float64(x.V[0])) })
	for b.Loop() {
		repeats.Fit(space, xs, ys, distinct)
	}
}
