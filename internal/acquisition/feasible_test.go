package acquisition_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// LogFeasible is log Φ(mean/sd): the logarithm of erfc where that does not
// underflow, and between the bounds 1/x - 1/x³ and 1/x of the Mills ratio at
// x = -z beyond (Abramowitz and Stegun 26.2.13).
func TestLogFeasibleValues(t *testing.T) {
	for z := 10.0; z > -37; z -= 0.1 {
		got, want := acquisition.LogFeasible(2*z, 4), math.Log(0.5*math.Erfc(-z/math.Sqrt2))
		if math.Abs(got-want) > 1e-12*(1+z*z) {
			t.Errorf("log Φ(%g) = %.17g, want %.17g", z, got, want)
		}
	}
	for z := -20.0; z > -1e8; z *= 1.1 {
		got, logPDF := acquisition.LogFeasible(z, 1), -0.5*z*z-0.5*math.Log(2*math.Pi)
		x, tol := -z, 1e-14*z*z
		if got < logPDF+math.Log(1/x-1/(x*x*x))-tol || got > logPDF-math.Log(x)+tol {
			t.Errorf("log Φ(%g) = %.17g is outside of its bounds", z, got)
		}
	}
}

func TestLogFeasibleGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 11))
	settings := &fd.Settings{Formula: fd.Central}
	for range 200 {
		mean, variance := 6*rng.NormFloat64(), 0.1+rng.ExpFloat64()
		value, dMean, dVariance := acquisition.LogFeasibleGrad(mean, variance)
		if want := acquisition.LogFeasible(mean, variance); value != want {
			t.Errorf("value %v, want %v", value, want)
		}
		wantMean := fd.Derivative(func(m float64) float64 { return acquisition.LogFeasible(m, variance) }, mean, settings)
		wantVariance := fd.Derivative(func(v float64) float64 { return acquisition.LogFeasible(mean, v) }, variance, settings)
		if math.Abs(dMean-wantMean) > 1e-6*(1+math.Abs(wantMean)) || math.Abs(dVariance-wantVariance) > 1e-6*(1+math.Abs(wantVariance)) {
			t.Errorf("at %v, %v: derivatives %v, %v; want %v, %v", mean, variance, dMean, dVariance, wantMean, wantVariance)
		}
	}
}

// One point alone and a batch have the same probability, and the slope is its own.
func TestFeasible(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 12))
	g := newSurrogate(t, rng, 20)
	f := acquisition.Feasible(g.post.Predictor(), 0.1)
	grad, other, value := make([]float64, 2), make([]float64, 2), make([]float64, 1)
	for range 20 {
		x := g.dom.Draw(rng)
		got := f.ValueGrad(grad, x)
		mean, variance := g.post.Predict(x)
		want := acquisition.LogFeasible(mean, variance+0.1)
		f.ValueBatch(value, []fmkernel.Point{x})
		if math.Abs(got-want) > 1e-12 || math.Abs(value[0]-want) > 1e-9 {
			t.Fatalf("log probability %v and %v, want %v", got, value[0], want)
		}
		for d := range grad {
			const h = 1e-6
			a, b := x.Clone(), x.Clone()
			a.C[d], b.C[d] = a.C[d]-h, b.C[d]+h
			if slope := (f.ValueGrad(other, b) - f.ValueGrad(other, a)) / (2 * h); math.Abs(slope-grad[d]) > 1e-5*(1+math.Abs(slope)) {
				t.Errorf("derivative %v along %d, want %v", grad[d], d, slope)
			}
		}
	}
}

// The search finds a larger product of improvement and feasibility than a grid
// does at the vertices that it chose.
func TestMaximizeFeasible(t *testing.T) {
	const seeds, minWins, steps = 10, 8, 60
	wins := 0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 12))
		s, g := newSurrogate(t, rng, 20), newSurrogate(t, rng, 20) // the latter is positive somewhere
		f := func() acquisition.Func {
			return acquisition.Product{
				acquisition.EI(s.post.Predictor(), s.best),
				acquisition.Feasible(g.post.Predictor(), 0.1),
			}
		}
		value := func(x fmkernel.Point) float64 {
			mean, variance := s.post.Predict(x)
			latent, spread := g.post.Predict(x)
			return acquisition.LogEI(s.best, mean, variance) + acquisition.LogFeasible(latent, spread+0.1)
		}
		c, ok := acquisition.Maximize(f(), []*acquisition.Domain{s.dom}, rng, acquisition.Settings{Fork: f})
		if want := value(c.X); !ok || math.Abs(c.Value-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("seed %d: value %v, %t; want %v", seed, c.Value, ok, want)
		}
		x, grid := c.X.Clone(), math.Inf(-1)
		for i := range steps + 1 {
			for j := range steps + 1 {
				x.C[0], x.C[1] = float64(i)/steps, float64(j)/steps
				grid = math.Max(grid, value(x))
			}
		}
		if c.Value >= grid {
			wins++
		} else {
			t.Logf("seed %d: value %.4f, grid %.4f", seed, c.Value, grid)
		}
	}
	if wins < minWins {
		t.Errorf("as good as a grid on %d of %d seeds, want %d", wins, seeds, minWins)
	}
}
