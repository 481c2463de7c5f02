package gp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
	"github.com/goptuna-fm/goptuna-fm/internal/linalg"
)

const (
	// posteriorTol is relative to the size of the targets and to the prior
	// variance: the noise keeps the condition number of K below 1e6.
	posteriorTol = 1e-9
	// gradTol is relative to the largest entry of the gradient, against
	// fourth-order central differences.
	gradTol = 1e-6
	draws   = 40
)

// fivePoint is the central difference of fourth order.
var fivePoint = fd.Formula{
	Stencil:    []fd.Point{{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -8. / 12}, {Loc: 1, Coeff: 8. / 12}, {Loc: 2, Coeff: -1. / 12}},
	Derivative: 1,
	Step:       1e-3,
}

// sizes are the shapes that each identity is checked on besides random ones.
func sizes(rng *rand.Rand, seed uint64) (d, p, n int) {
	switch seed % 8 {
	case 0:
		return 2, 2, 0
	case 1:
		return 2, 2, 1
	case 2:
		return 3, 0, 15 // the empty product
	case 3:
		return 0, 3, 15 // the graph kernel
	case 4:
		return 1, 1, 80 // more than a block of linalg
	}
	return rng.IntN(4), 1 + rng.IntN(3), 2 + rng.IntN(20)
}

func TestPosteriorIsTextbookFormula(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d, p, n := sizes(rng, seed)
		pr := draw(t, rng, d, p, n)
		ref, post := newReference(pr), pr.condition(t).Predictor()
		for _, x := range append(pr.points(rng, 10), pr.xs...) {
			mean, variance := post.Predict(x)
			wantMean, wantVariance := ref.predict(x)
			if math.Abs(mean-wantMean) > posteriorTol*(1+math.Abs(wantMean)) {
				t.Errorf("seed %d: mean %g, want %g", seed, mean, wantMean)
			}
			if math.Abs(variance-wantVariance) > posteriorTol*pr.hyper.Scale {
				t.Errorf("seed %d: variance %g, want %g", seed, variance, wantVariance)
			}
		}
	}
}

// All ways to ask for a prediction give the same one.
func TestPredictionsAgree(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 2))
		d, p, n := sizes(rng, seed)
		pr := draw(t, rng, d, p, n)
		post := pr.condition(t).Predictor()
		agree := func(what string, x fmkernel.Point, mean, variance float64) {
			t.Helper()
			wantMean, wantVariance := post.Predict(x)
			if math.Abs(mean-wantMean) > posteriorTol*(1+math.Abs(wantMean)) || math.Abs(variance-wantVariance) > posteriorTol*pr.hyper.Scale {
				t.Errorf("seed %d: %s at %v gives %g, %g; Predict %g, %g", seed, what, x, mean, variance, wantMean, wantVariance)
			}
		}
		for _, m := range []int{1, 3, 64, 65, 150} { // below, at and beyond the size of a batch
			xs := pr.points(rng, m)
			means, variances := make([]float64, m), make([]float64, m)
			post.PredictBatch(means, variances, xs)
			for i, x := range xs {
				agree("PredictBatch", x, means[i], variances[i])
			}
		}
		x := pr.points(rng, 1)[0]
		before := x.Clone()
		dMean, dVariance := make([]float64, d), make([]float64, d)
		mean, variance := post.PredictGrad(dMean, dVariance, x)
		agree("PredictGrad", x, mean, variance)
		var moves []kernel.Move
		for g, gr := range pr.graphs {
			for range 50 { // with repetitions, over several batches
				moves = append(moves, kernel.Move{Graph: g, Vertex: rng.IntN(gr.Order())})
			}
		}
		means, variances := make([]float64, len(moves)), make([]float64, len(moves))
		post.PredictMoves(means, variances, x, moves)
		for i, move := range moves {
			y := x.Clone()
			y.V[move.Graph] = move.Vertex
			agree("PredictMoves", y, means[i], variances[i])
		}
		one := make([]float64, 1)
		post.PredictMeans(one, []fmkernel.Point{x})
		agree("PredictMeans", x, one[0], variance)
		if !slices.Equal(x.C, before.C) || !slices.Equal(x.V, before.V) {
			t.Errorf("seed %d: the point changed from %v to %v", seed, before, x)
		}
	}
}

// The covariance of points that come later is that of all: one by one with the
// same bits in any portions, joined as a block up to rounding.
func TestExtended(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 8))
		d, p, n := sizes(rng, seed)
		pr := draw(t, rng, d, p, n+40)
		conditioned := func(c *gp.Covariance, err error) *gp.Predictor {
			t.Helper()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			m, err := c.Condition(pr.y)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return m.Predictor()
		}
		base, err := gp.NewCovariance(pr.kernel, pr.hyper, pr.xs[:n])
		if err != nil {
			t.Fatal(err)
		}
		half, err := base.Extended(pr.xs[n : n+17])
		if err != nil {
			t.Fatal(err)
		}
		want := pr.condition(t).Predictor()
		extended := conditioned(base.Extended(pr.xs[n:]))
		portions := conditioned(half.Extended(pr.xs[n+17:]))
		joined := conditioned(half.Joined(pr.xs[n+17:]))
		for _, x := range append(pr.points(rng, 10), pr.xs[n:]...) {
			mean, variance := want.Predict(x)
			for name, post := range map[string]*gp.Predictor{"Extended": extended, "Joined": joined} {
				m, v := post.Predict(x)
				if math.Abs(m-mean) > posteriorTol*(1+math.Abs(mean)) || math.Abs(v-variance) > posteriorTol*pr.hyper.Scale {
					t.Errorf("seed %d: %s predicts %g, %g; want %g, %g", seed, name, m, v, mean, variance)
				}
			}
			m1, v1 := extended.Predict(x)
			if m2, v2 := portions.Predict(x); m1 != m2 || v1 != v2 {
				t.Errorf("seed %d: in two portions %g, %g; at once %g, %g", seed, m2, v2, m1, v1)
			}
		}
	}
}

func TestPredictGrad(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 3))
		d, p, n := sizes(rng, seed)
		pr := draw(t, rng, d, p, n)
		if d == 0 {
			continue
		}
		post := pr.condition(t).Predictor()
		// The length on which k changes: where α d2 = 1.
		alpha := 1.0
		if p > 0 {
			alpha = slices.Max(pr.hyper.Params.Alpha)
		}
		length := slices.Min(pr.hyper.Params.Theta) / math.Sqrt(math.Max(alpha, 1))
		settings := &fd.Settings{Formula: fivePoint, Step: 3e-3 * length}
		for _, x := range append(pr.points(rng, 5), pr.xs[:min(n, 2)]...) {
			dMean, dVariance := make([]float64, d), make([]float64, d)
			floats.AddConst(math.NaN(), dMean) // whatever was there is overwritten
			post.PredictGrad(dMean, dVariance, x)
			for _, part := range []struct {
				name string
				got  []float64
				f    func(x fmkernel.Point) float64
			}{
				{"mean", dMean, func(x fmkernel.Point) float64 { mean, _ := post.Predict(x); return mean }},
				{"variance", dVariance, func(x fmkernel.Point) float64 { _, variance := post.Predict(x); return variance }},
			} {
				want := fd.Gradient(nil, func(c []float64) float64 { return part.f(fmkernel.Point{C: c, V: x.V}) }, x.C, settings)
				// Where the slope is far below that of the prior, what is left of
				// the differences is rounding.
				scale := math.Max(floats.Norm(want, math.Inf(1)), 1e-2*math.Sqrt(pr.hyper.Scale)/length)
				if diff := floats.Distance(part.got, want, math.Inf(1)); !(diff <= gradTol*scale) {
					t.Errorf("seed %d: gradient of the %s is %v, finite differences %v, off by %.2g", seed, part.name, part.got, want, diff/scale)
				}
			}
		}
	}
}

// With little or no noise the model interpolates, and rounding never makes a
// variance negative, whatever is repeated or nearly so.
func TestVarianceWithoutNoise(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 4))
		d, p, _ := sizes(rng, seed)
		pr := draw(t, rng, d, p, 30)
		if d > 0 {
			for i := range 5 { // nearly the same point, nearly the same value
				near := pr.xs[i].Clone()
				near.C[0] += 1e-9
				pr.xs, pr.y = append(pr.xs, near), append(pr.y, pr.y[i])
			}
		}
		for _, noise := range []float64{gp.NewPrior(d, p, true).Typical(pr.kernel).Noise, 0} {
			pr.hyper.Noise = noise
			post := pr.condition(t).Predictor()
			xs := slices.Concat(pr.xs, pr.points(rng, 100))
			means, variances := make([]float64, len(xs)), make([]float64, len(xs))
			post.PredictBatch(means, variances, xs)
			for i, x := range xs {
				_, single := post.Predict(x)
				for _, variance := range []float64{single, variances[i]} {
					if !(variance > 0) {
						t.Errorf("seed %d, noise %g: variance %g", seed, noise, variance)
					}
					// At a data point it is at most the noise, or the jitter, and
					// the error of solving with a condition number of 1e8 or more.
					if i < len(pr.xs) && variance > 1e-6*pr.hyper.Scale {
						t.Errorf("seed %d, noise %g: variance %g at a data point, scale %g", seed, noise, variance, pr.hyper.Scale)
					}
				}
			}
		}
	}
}

// Scale is the prior variance, averaged over the vertices, at any β.
func TestScaleIsMeanPriorVariance(t *testing.T) {
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 5))
		pr := draw(t, rng, 1, 1, 0)
		order := pr.graphs[0].Order()
		moves := make([]kernel.Move, order)
		for v := range moves {
			moves[v].Vertex = v
		}
		means, variances := make([]float64, order), make([]float64, order)
		pr.condition(t).Predictor().PredictMoves(means, variances, pr.points(rng, 1)[0], moves)
		if got := floats.Sum(variances) / float64(order); math.Abs(got-pr.hyper.Scale) > 1e-12*pr.hyper.Scale {
			t.Errorf("seed %d: mean prior variance %g, scale %g", seed, got, pr.hyper.Scale)
		}
	}
}

func TestConditionErrors(t *testing.T) {
	k := newKernel(t, 1, []*graphs.Graph{graphs.Complete(3)})
	point := func(c float64) fmkernel.Point { return fmkernel.Point{C: []float64{c}, V: []int{0}} }
	hyper := func(change func(h *gp.Hyper)) gp.Hyper {
		h := gp.Hyper{Noise: 1e-4, Scale: 1, Params: fmkernel.NewParams(1, 1)}
		change(&h)
		return h
	}
	good := hyper(func(*gp.Hyper) {})
	nan := math.NaN()
	for _, test := range []struct {
		name     string
		h        gp.Hyper
		xs       []fmkernel.Point
		y        []float64
		definite bool
		why      string
	}{
		{"NaN coordinate", good, []fmkernel.Point{point(0), point(nan)}, []float64{1, 2}, false, "a row of K is NaN"},
		{"NaN coordinate alone", good, []fmkernel.Point{point(nan)}, []float64{1}, false, "the distance to itself is NaN"},
		{"infinite coordinate", good, []fmkernel.Point{point(math.Inf(1))}, []float64{1}, false, "Inf - Inf"},
		{"NaN noise", hyper(func(h *gp.Hyper) { h.Noise = nan }), []fmkernel.Point{point(0)}, []float64{1}, false, "the diagonal is NaN"},
		{"negative noise", hyper(func(h *gp.Hyper) { h.Noise = -2 }), []fmkernel.Point{point(0)}, []float64{1}, false, "the diagonal is negative"},
		{"NaN lengthscale", hyper(func(h *gp.Hyper) { h.Params.Theta[0] = nan }), []fmkernel.Point{point(0), point(1)}, []float64{1, 2}, false, "every distance is NaN"},
		{"zero scale", hyper(func(h *gp.Hyper) { h.Scale, h.Noise = 0, 0 }), []fmkernel.Point{point(0)}, []float64{1}, false, "K = 0"},
		{"NaN target", good, []fmkernel.Point{point(0), point(1)}, []float64{1, nan}, true, "K is fine, the weights are not"},
		{"infinite target", good, []fmkernel.Point{point(0)}, []float64{math.Inf(1)}, true, "the weight is infinite, not NaN"},
	} {
		m, err := gp.Condition(k, test.h, test.xs, test.y)
		switch {
		case err == nil || m != nil:
			t.Errorf("%s: no error (%s)", test.name, test.why)
		case errors.Is(err, linalg.ErrNotPositiveDefinite) == test.definite:
			t.Errorf("%s: error %q (%s)", test.name, err, test.why)
		}
	}
}

func TestPanicsOnWrongLengths(t *testing.T) {
	k := newKernel(t, 1, []*graphs.Graph{graphs.Complete(3)})
	h := gp.Hyper{Noise: 1e-4, Scale: 1, Params: fmkernel.NewParams(1, 1)}
	xs := []fmkernel.Point{{C: []float64{0}, V: []int{0}}}
	condition := func(h gp.Hyper, xs []fmkernel.Point, y []float64) func() {
		return func() { _, _ = gp.Condition(k, h, xs, y) }
	}
	for name, f := range map[string]func(){
		"a target too many": condition(h, xs, []float64{1, 2}),
		"no targets":        condition(h, xs, nil),
		"no points":         condition(h, nil, []float64{1}),
		"no coordinate":     condition(h, []fmkernel.Point{{V: []int{0}}}, []float64{1}),
		"no vertex":         condition(h, []fmkernel.Point{{C: []float64{0}}}, []float64{1}),
		"vertex outside":    condition(h, []fmkernel.Point{{C: []float64{0}, V: []int{3}}}, []float64{1}),
		"params":            condition(gp.Hyper{Noise: 1, Scale: 1, Params: fmkernel.NewParams(2, 1)}, xs, []float64{1}),
		"targets of Fit": func() {
			_, _, _ = gp.Fit(k, gp.NewPrior(1, 1, false), xs, nil, rand.New(rand.NewPCG(1, 1)), gp.FitSettings{})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// A model does not see what callers do to their arguments and to its answers,
// nor does a Predictor change it.
func TestModelIsImmutable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	pr := draw(t, rng, 2, 2, 20)
	model := pr.condition(t)
	probe := pr.points(rng, 100)
	predictions := func() []float64 {
		all := make([]float64, 2*len(probe))
		model.Predictor().PredictBatch(all[:len(probe)], all[len(probe):], probe)
		for _, x := range probe {
			mean, variance := model.Predictor().Predict(x)
			all = append(all, mean, variance)
		}
		return all
	}
	want := predictions()

	post := model.Predictor()
	for _, x := range pr.points(rng, 10) {
		post.PredictGrad(make([]float64, 2), make([]float64, 2), x)
	}
	h := model.Hyper()
	for _, hyper := range []*gp.Hyper{&h, &pr.hyper} {
		hyper.Scale *= 7
		hyper.Params.Alpha[0], hyper.Params.Theta[1] = 100, 100
	}
	pr.y[3] = 100
	pr.xs[4].C[0], pr.xs[5].V[1] = 100, 0
	if !slices.Equal(predictions(), want) {
		t.Error("the predictions changed")
	}
}

// Predictors of one model may run at the same time.
func TestPredictorsConcurrently(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	pr := draw(t, rng, 2, 2, 20)
	model := pr.condition(t)
	probe := pr.points(rng, 100)
	var wg sync.WaitGroup
	results := make([][]float64, 2)
	for i := range results {
		wg.Add(1)
		go func() {
			defer wg.Done()
			post := model.Predictor()
			all := make([]float64, 2*len(probe))
			post.PredictBatch(all[:len(probe)], all[len(probe):], probe)
			dMean, dVariance := make([]float64, 2), make([]float64, 2)
			for _, x := range probe {
				mean, variance := post.PredictGrad(dMean, dVariance, x)
				all = slices.Concat(all, []float64{mean, variance}, dMean, dVariance)
				post.PredictMoves(all[:2], all[2:4], x, []kernel.Move{{Graph: 0, Vertex: 0}, {Graph: 0, Vertex: 1}})
			}
			results[i] = all
		}()
	}
	wg.Wait()
	if !slices.Equal(results[0], results[1]) {
		t.Error("two predictors of one model differ")
	}
}
