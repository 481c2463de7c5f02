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

// The two probabilities add up to 1, and their logarithms are finite where neither is
// more than rounding.
func TestRepeats(t *testing.T) {
	r := acquisition.Repeats{Level: -3, Slope: 1.5, Scale: 2}
	for variance := 1e-300; variance < 1e300; variance *= 10 {
		repeat, distinct := r.Log(variance)
		if sum := math.Exp(repeat) + math.Exp(distinct); math.Abs(sum-1) > 1e-12 {
			t.Errorf("variance %g: the probabilities add up to %v", variance, sum)
		}
		logOdds := -3 - 1.5*math.Log(variance/2)
		if got := repeat - distinct; math.Abs(got-logOdds) > 1e-12*(1+math.Abs(logOdds)) {
			t.Errorf("variance %g: odds of exp(%v), want exp(%v)", variance, got, logOdds)
		}
	}
}

// Level and slope are the most probable ones: with labels drawn by known ones, many
// observations lead back to them, and without any the prior's are returned.
func TestFitRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 45))
	want := acquisition.Repeats{Level: -2, Slope: 1.5, Scale: 0.5}
	variances, repeated := make([]float64, 40_000), make([]bool, 40_000)
	for i := range variances {
		variances[i] = 0.5 * math.Exp(-4*rng.Float64())
		repeat, _ := want.Log(variances[i])
		repeated[i] = rng.Float64() < math.Exp(repeat)
	}
	variances[0], repeated[0] = -1e-20, true // by rounding
	if got := acquisition.FitRepeats(variances, repeated, 0.5); math.Abs(got.Level+2) > 0.1 || math.Abs(got.Slope-1.5) > 0.05 || got.Scale != 0.5 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := acquisition.FitRepeats(nil, nil, 1); got != (acquisition.Repeats{Level: -3, Slope: 1, Scale: 1}) {
		t.Errorf("%+v without observations", got)
	}
}

// The improvement counts with the probability of another value, and where nothing
// repeats it is that of EI.
func TestDistinctEI(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 44))
	s := newSurrogate(t, rng, 20)
	r := acquisition.Repeats{Level: -1, Slope: 1.5, Scale: 0.7}
	plain, f, none := acquisition.EI(s.post, s.best), acquisition.DistinctEI(s.post, s.best, r), acquisition.DistinctEI(s.post, s.best, acquisition.Repeats{})
	value := func(f acquisition.Func, x fmkernel.Point) float64 {
		var dst [1]float64
		f.ValueBatch(dst[:], []fmkernel.Point{x})
		return dst[0]
	}
	grad := make([]float64, 2)
	for range 20 {
		x := anywhere(rng, s.dom)
		_, variance := s.post.Predict(x)
		want := value(plain, x) + math.Log(1-1/(1+math.Exp(1.5*math.Log(variance/0.7)+1)))
		if got := value(f, x); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("value %v, want %v", got, want)
		}
		if v := f.ValueGrad(grad, x); math.Abs(v-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("ValueGrad gives %v, want %v", v, want)
		}
		numeric := fd.Gradient(nil, func(c []float64) float64 { return value(f, fmkernel.Point{C: c, V: x.V}) }, x.C, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		if floats.Distance(grad, numeric, math.Inf(1)) > 1e-4*math.Max(1, floats.Norm(numeric, math.Inf(1))) {
			t.Errorf("gradient %v, finite differences %v", grad, numeric)
		}
		if got, want := value(none, x), value(plain, x); got != want {
			t.Errorf("value %v where nothing repeats, want %v", got, want)
		}
	}
}
