package gp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
)

// known is a process far from the prior medians: the second dimension and the
// first graph hardly matter.
var known = gp.Hyper{
	Noise: 1e-3, Scale: 1,
	Params: fmkernel.Params{Alpha: []float64{0.5, 0.5}, Beta: []float64{20, 0.3}, Theta: []float64{0.15, 5}},
}

// sample draws n standardised observations of a process with hyperparameters h
// on two dimensions, K_4 and P_5.
func sample(t *testing.T, rng *rand.Rand, h gp.Hyper, n int) problem {
	t.Helper()
	pr := problem{dims: 2, graphs: []*graphs.Graph{graphs.Complete(4), graphs.Path(5)}, hyper: h}
	pr.kernel = newKernel(t, pr.dims, pr.graphs)
	pr.xs = pr.points(rng, n)
	var cov mat.SymDense
	pr.kernel.GramTo(&cov, h.Params, pr.xs)
	cov.ScaleSym(h.Scale/meanDiagonal(pr), &cov)
	for i := range n {
		cov.SetSym(i, i, cov.At(i, i)+h.Noise)
	}
	var chol mat.Cholesky
	if !chol.Factorize(&cov) {
		t.Fatal("the process has no Cholesky factor")
	}
	var l mat.TriDense
	chol.LTo(&l)
	white := mat.NewVecDense(n, nil)
	for i := range n {
		white.SetVec(i, rng.NormFloat64())
	}
	var y mat.VecDense
	y.MulVec(&l, white)
	pr.y = y.RawVector().Data
	standardise(pr.y)
	return pr
}

func standardise(y []float64) {
	mean, sd := stat.PopMeanStdDev(y, nil)
	floats.AddConst(-mean, y)
	floats.Scale(1/sd, y)
}

// logScore returns the mean log predictive density of a model at new
// observations.
func logScore(t *testing.T, pr problem, h gp.Hyper, xs []fmkernel.Point, y []float64) float64 {
	t.Helper()
	model, err := gp.Condition(pr.kernel, h, pr.xs, pr.y)
	if err != nil {
		t.Fatal(err)
	}
	post, sum := model.Predictor(), 0.0
	for i, x := range xs {
		mean, variance := post.Predict(x)
		variance += h.Noise
		sum -= 0.5 * (math.Log(2*math.Pi*variance) + (y[i]-mean)*(y[i]-mean)/variance)
	}
	return sum / float64(len(xs))
}

func fit(t testing.TB, pr problem, deterministic bool, seed uint64, s gp.FitSettings) (gp.Hyper, float64) {
	t.Helper()
	prior := gp.NewPrior(pr.dims, len(pr.graphs), deterministic)
	h, value, err := gp.Fit(pr.kernel, prior, pr.xs, pr.y, rand.New(rand.NewPCG(seed, 99)), s)
	if err != nil {
		t.Fatal(err)
	}
	return h, value
}

// On data from a known process, the fitted model predicts new observations
// better than the prior medians do, and nearly as well as the truth.
func TestFitPredictsNewData(t *testing.T) {
	const (
		train, seeds = 60, 8
		margin       = 0.3 // in nats per observation
	)
	var fitted, median, truth float64
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 10))
		pr := sample(t, rng, known, train+200)
		newXs, newY := pr.xs[train:], pr.y[train:]
		pr.xs, pr.y = pr.xs[:train], pr.y[:train]
		h, _ := fit(t, pr, false, seed, gp.FitSettings{RandomStarts: 2})
		a := logScore(t, pr, h, newXs, newY)
		b := logScore(t, pr, gp.NewPrior(2, 2, false).Typical(pr.kernel), newXs, newY)
		if a <= b {
			t.Errorf("seed %d: log score %.3f, with the prior medians %.3f; hyperparameters %+v", seed, a, b, h)
		}
		fitted, median = fitted+a/seeds, median+b/seeds
		truth += logScore(t, pr, known, newXs, newY) / seeds
	}
	t.Logf("log score: fitted %.3f, prior medians %.3f, truth %.3f", fitted, median, truth)
	if fitted < median+margin || fitted < truth-margin {
		t.Errorf("log score %.3f, with the prior medians %.3f, with the truth %.3f", fitted, median, truth)
	}
}

func TestFitIsDeterministic(t *testing.T) {
	pr := sample(t, rand.New(rand.NewPCG(1, 11)), known, 30)
	a, fa := fit(t, pr, false, 5, gp.FitSettings{RandomStarts: 3})
	b, fb := fit(t, pr, false, 5, gp.FitSettings{RandomStarts: 3})
	if fa != fb || !reflect.DeepEqual(a, b) {
		t.Errorf("the same seed gives %+v (%v) and %+v (%v)", a, fa, b, fb)
	}
}

// In many dimensions a search that starts without noise ends in a model that
// follows every value. The other start gets it out of there.
func TestFitOtherStart(t *testing.T) {
	const (
		dims, graphCount = 6, 8
		n, settled       = 60, 20
		sd, highNoise    = 0.05, 0.1
		gain             = 5 // in nats
	)
	pr := problem{dims: dims}
	for range graphCount {
		pr.graphs = append(pr.graphs, graphs.Complete(6))
	}
	pr.kernel = newKernel(t, pr.dims, pr.graphs)
	escaped := 0
	for seed := range uint64(8) {
		// A sampler has settled at one combination of choices.
		rng := rand.New(rand.NewPCG(seed, 13))
		pr.xs, pr.y = pr.points(rng, n), make([]float64, n)
		for i, x := range pr.xs {
			if i >= settled {
				copy(x.V, pr.xs[0].V)
			}
			for d, c := range x.C {
				if i >= settled {
					x.C[d] = 0.5 + 0.4*(c-0.5)
				}
				pr.y[i] += sq(x.C[d] - 0.5)
			}
			for p, v := range x.V {
				if v != pr.xs[0].V[p] {
					pr.y[i] += 0.1
				}
			}
			pr.y[i] += sd * rng.NormFloat64()
		}
		noise := sd * sd / stat.PopVariance(pr.y, nil)
		standardise(pr.y)
		first, alone := fit(t, pr, false, seed, gp.FitSettings{})
		other := first.Clone()
		other.Noise = highNoise
		h, both := fit(t, pr, false, seed, gp.FitSettings{Warm: &first, Other: &other})
		if h.Noise < noise/4 || h.Noise > 4*noise {
			t.Errorf("seed %d: noise %.2g, want about %.2g", seed, h.Noise, noise)
		}
		if alone-both > gain {
			escaped++
		}
	}
	if escaped == 0 {
		t.Error("no search was caught: the test shows nothing")
	}
}

func sq(x float64) float64 { return x * x }

// More starts never end higher, and a warm start at the optimum stays there.
func TestFitStarts(t *testing.T) {
	const (
		maxGain  = 1e-3 // what the stopping rule of the first fit may have left
		maxMove  = 0.05 // in any log hyperparameter
		rounding = 1e-9 // a hyperparameter's logarithm is not its inverse's inverse
	)
	for seed := range uint64(8) {
		pr := sample(t, rand.New(rand.NewPCG(seed, 12)), known, 40)
		_, single := fit(t, pr, false, seed, gp.FitSettings{MaxIterations: 500})
		h, value := fit(t, pr, false, seed, gp.FitSettings{MaxIterations: 500, RandomStarts: 3})
		if value > single+rounding {
			t.Errorf("seed %d: four starts end at %v, one at %v", seed, value, single)
		}
		before := h.Clone()
		again, warm := fit(t, pr, false, seed, gp.FitSettings{Warm: &h})
		if !reflect.DeepEqual(h, before) {
			t.Errorf("seed %d: the warm start changed", seed)
		}
		if warm > value+rounding || warm < value-maxGain || !floats.EqualApprox(logs(again), logs(h), maxMove) {
			t.Errorf("seed %d: from %+v (%v) to %+v (%v)", seed, h, value, again, warm)
		}
	}
}

// logs returns the logarithms of the hyperparameters other than the mean.
func logs(h gp.Hyper) []float64 {
	v := slices.Concat([]float64{h.Noise, h.Scale}, h.Params.Alpha, h.Params.Beta, h.Params.Theta)
	for i := range v {
		v[i] = math.Log(v[i])
	}
	return v
}

// Data that says nothing, or contradicts itself, still gives a usable model.
func TestFitDegenerateData(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 13))
	some := sample(t, rng, known, 50)
	same := make([]fmkernel.Point, 50)
	for i := range same {
		same[i] = some.xs[0]
	}
	fill := func(n int, value float64) []float64 {
		y := make([]float64, n)
		floats.AddConst(value, y)
		return y
	}
	huge := slices.Clone(some.y)
	huge[7] = 1e6
	for _, test := range []struct {
		name string
		xs   []fmkernel.Point
		y    []float64
		why  string
	}{
		{"no data", nil, nil, "the priors remain"},
		{"one observation", some.xs[:1], []float64{0}, "standardised, it is 0"},
		{"one observation, not standardised", some.xs[:1], []float64{5}, "callers may not standardise"},
		{"constant targets", some.xs[:20], fill(20, 0), "standardised, they are 0"},
		{"constant targets, not standardised", some.xs[:20], fill(20, -3), "callers may not standardise"},
		{"one point, two targets", same[:2], []float64{-1, 1}, "only noise explains it"},
		{"50 identical points", same, some.y, "K has rank one and noise"},
		{"50 identical points and targets", same, fill(50, 0), "K has rank one, noise tends to its floor"},
		{"an outlier", some.xs, huge, "not standardised: the box bounds the scale"},
	} {
		for _, deterministic := range []bool{false, true} {
			pr := some
			pr.xs, pr.y = test.xs, test.y
			h, value := fit(t, pr, deterministic, 1, gp.FitSettings{RandomStarts: 2})
			if v := append(logs(h), h.Mean, value); floats.HasNaN(v) || floats.Norm(v, math.Inf(1)) > math.MaxFloat64 {
				t.Errorf("%s, deterministic %t: density %v at %+v (%s)", test.name, deterministic, value, h, test.why)
			}
			pr.hyper = h
			post := pr.condition(t).Predictor()
			for _, x := range some.xs[:5] {
				dMean, dVariance := make([]float64, 2), make([]float64, 2)
				mean, variance := post.PredictGrad(dMean, dVariance, x)
				if all := slices.Concat([]float64{mean}, dMean, dVariance); floats.HasNaN(all) || floats.Norm(all, math.Inf(1)) > math.MaxFloat64 || !(variance > 0) {
					t.Errorf("%s, deterministic %t: mean %v, variance %v, gradients %v, %v (%s)", test.name, deterministic, mean, variance, dMean, dVariance, test.why)
				}
			}
		}
	}
}

// Targets that contradict each other raise the noise, unless it is pinned.
func TestNoise(t *testing.T) {
	pr := sample(t, rand.New(rand.NewPCG(1, 14)), known, 20)
	pr.xs, pr.y = slices.Concat(pr.xs, pr.xs), slices.Concat(pr.y, pr.y)
	for i := range 20 {
		pr.y[i] += 0.5
		pr.y[20+i] -= 0.5
	}
	floor := gp.NewPrior(2, 2, true).Typical(newKernel(t, 2, []*graphs.Graph{graphs.Complete(4), graphs.Path(5)})).Noise
	if floor > 1e-7 {
		t.Errorf("noise floor %g: too high for an objective without noise", floor)
	}
	if h, _ := fit(t, pr, true, 1, gp.FitSettings{RandomStarts: 2}); math.Abs(h.Noise-floor) > 1e-12*floor {
		t.Errorf("noise %g although pinned to %g", h.Noise, floor)
	}
	// Each pair differs by 1: the variance within pairs is 1/4.
	if h, _ := fit(t, pr, false, 1, gp.FitSettings{RandomStarts: 2}); h.Noise < 0.05 || h.Noise > 0.5 {
		t.Errorf("noise %g, want about 1/4", h.Noise)
	}
}

// No start has a finite density: an error, not a NaN.
func TestFitWithoutDensity(t *testing.T) {
	pr := sample(t, rand.New(rand.NewPCG(1, 15)), known, 5)
	pr.xs[2].C[0] = math.NaN()
	_, _, err := gp.Fit(pr.kernel, gp.NewPrior(2, 2, false), pr.xs, pr.y, rand.New(rand.NewPCG(1, 1)), gp.FitSettings{RandomStarts: 2})
	if !errors.Is(err, gp.ErrNoFit) {
		t.Errorf("error %v, want ErrNoFit", err)
	}
}
