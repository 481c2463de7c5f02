// White box: the density that Fit minimises is not exported, and an error in
// its gradient would only show as slow or poor fits.
package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const (
	// densityTol is relative to the size of the terms of the density.
	densityTol = 1e-10
	// densityGradTol is relative to the largest entry of the gradient, against
	// fourth-order central differences.
	densityGradTol = 1e-6
)

// spaces are kernels that differ in which hyperparameters there are, and in
// whether the prior variance depends on the vertex.
func spaces(t *testing.T) map[string]*fmkernel.Kernel {
	t.Helper()
	weighted, err := graphs.FromEdges(4, graphs.Edge{U: 0, V: 1, Weight: 2}, graphs.Edge{U: 1, V: 2, Weight: 0.3}, graphs.Edge{U: 1, V: 3, Weight: 1})
	if err != nil {
		t.Fatal(err)
	}
	modLap := func(d int, gs ...*graphs.Graph) *fmkernel.Kernel {
		k, err := fmkernel.NewModLap(d, gs...)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	of := func(build func(int, ...*graphs.Graph) (*fmkernel.Kernel, error), d int, gs ...*graphs.Graph) *fmkernel.Kernel {
		k, err := build(d, gs...)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	network := func(d int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
		return fmkernel.New(fmkernel.Kernelized{Kernel: fmkernel.NeuralNetwork{Bias: 1}}, d, gs...)
	}
	family := func(d int, gs ...*graphs.Graph) (*fmkernel.Kernel, error) {
		return fmkernel.New(fmkernel.PowerSum(1, 1), d, gs...)
	}
	return map[string]*fmkernel.Kernel{
		"ModDif":         of(fmkernel.NewModDif, 2, graphs.Complete(3), graphs.Path(5)),
		"ProdLap":        of(fmkernel.NewProdLap, 2, graphs.Complete(3), weighted),
		"ProdDif":        of(fmkernel.NewProdDif, 1, graphs.Path(5)),
		"AddLap":         of(fmkernel.NewAddLap, 2, graphs.Complete(3), graphs.Path(5)),
		"AddDif":         of(fmkernel.NewAddDif, 1, weighted),
		"neural network": of(network, 2, graphs.Complete(3), graphs.Path(5)),
		"power sum":      of(family, 2, graphs.Complete(3)),
		"mixed":          modLap(2, graphs.Complete(3), graphs.Path(5)),
		"long path":      modLap(1, graphs.Path(30)),
		"weighted":       modLap(3, weighted, graphs.Cycle(5)),
		"no graphs":      modLap(2),
		"no dimensions":  modLap(0, graphs.Complete(4), weighted),
		"nothing":        modLap(0),
	}
}

// randomDensity returns the density of a kernel on n random observations, and a
// random place to evaluate it at.
func randomDensity(rng *rand.Rand, k *fmkernel.Kernel, n int) (f *posteriorDensity, v []float64) {
	d, p := k.Dims()
	xs, y := make([]fmkernel.Point, n), make([]float64, n)
	for i := range xs {
		xs[i] = fmkernel.Point{C: make([]float64, d), V: make([]int, p)}
		for j := range xs[i].C {
			xs[i].C[j] = rng.Float64()
		}
		for j := range xs[i].V {
			xs[i].V[j] = rng.IntN((*kernel.Kernel)(k).Graph(j).Order())
		}
		y[i] = 0.5 + rng.NormFloat64() // a mean that matters
	}
	f = newPosteriorDensity(k, NewPrior(d, p, false), xs, y)
	v = f.random(rng)
	v[0] = math.Log(1e-3) + 3*rng.Float64() // noise of 1e-3 or more: differences keep their digits
	return f, v
}

// The value is -log p(y | hyper) - n/2·log 2π - log of the priors, with the
// mean at its optimum.
func TestDensityIsTextbookFormula(t *testing.T) {
	for name, k := range spaces(t) {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 1))
			n := int(5 * seed)
			f, v := randomDensity(rng, k, n)
			got := f.at(make([]float64, len(v)), v)

			// By the definition of the covariance, at any mean.
			h := Hyper{Params: k.NewParams()}
			f.toHyper(&h, v)
			factor := h.Scale / kernel.NewEvaluator((*kernel.Kernel)(k), h.Params).MeanDiag()
			at := func(mean float64) float64 {
				value := 0.5 * mean * mean / (f.prior.meanSD * f.prior.meanSD)
				if n > 0 {
					var gram, cov mat.SymDense
					k.GramTo(&gram, h.Params, f.xs)
					cov.ScaleSym(factor, &gram)
					residual := mat.NewVecDense(n, nil)
					for i, yi := range f.y {
						cov.SetSym(i, i, cov.At(i, i)+h.Noise)
						residual.SetVec(i, yi-mean)
					}
					var w mat.VecDense
					if err := w.SolveVec(&cov, residual); err != nil {
						t.Fatal(err)
					}
					logDet, _ := mat.LogDet(&cov)
					value += 0.5 * (logDet + mat.Dot(residual, &w))
				}
				for i, vi := range v {
					of := f.entries[i].of.(logNormal)
					z := (vi - f.entries[i].offset - math.Log(of.median)) / of.sd
					value += 0.5 * z * z
				}
				return value
			}
			want := at(f.hyper.Mean)
			if math.Abs(got-want) > densityTol*(float64(n)+math.Abs(want)) {
				t.Errorf("%s, seed %d: density %v, want %v", name, seed, got, want)
			}
			for _, step := range []float64{-0.01, 0.01} {
				if other := at(f.hyper.Mean + step); other < want {
					t.Errorf("%s, seed %d: density %v at mean %g, but %v at %g", name, seed, want, f.hyper.Mean, other, f.hyper.Mean+step)
				}
			}
		}
	}
}

func TestDensityGradient(t *testing.T) {
	fivePoint := fd.Formula{
		Stencil:    []fd.Point{{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -8. / 12}, {Loc: 1, Coeff: 8. / 12}, {Loc: 2, Coeff: -1. / 12}},
		Derivative: 1,
		Step:       1e-3,
	}
	for name, k := range spaces(t) {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 2))
			f, v := randomDensity(rng, k, int(4*seed)) // n = 0 leaves the priors
			got, scratch := make([]float64, len(v)), make([]float64, len(v))
			floats.AddConst(math.NaN(), got) // whatever was there is overwritten
			f.at(got, v)
			want := fd.Gradient(nil, func(v []float64) float64 { return f.at(scratch, v) }, v, &fd.Settings{Formula: fivePoint})
			scale := math.Max(1, floats.Norm(want, math.Inf(1)))
			if diff := floats.Distance(got, want, math.Inf(1)); !(diff <= densityGradTol*scale) {
				t.Errorf("%s, seed %d: gradient %v, finite differences %v, off by %.2g", name, seed, got, want, diff/scale)
			}
		}
	}
}

// Fit returns the density at what it returns, and the mean that belongs to it.
func TestFitReturnsDensityAndMean(t *testing.T) {
	for name, k := range spaces(t) {
		rng := rand.New(rand.NewPCG(1, 4))
		f, _ := randomDensity(rng, k, 20)
		h, value, err := Fit(k, f.prior, f.xs, f.y, rng, FitSettings{RandomStarts: 1})
		if err != nil {
			t.Fatal(err)
		}
		v := f.fromHyper(h)
		want := f.at(make([]float64, len(v)), v)
		if math.Abs(value-want) > densityTol*(20+math.Abs(want)) || math.Abs(h.Mean-f.hyper.Mean) > 1e-9 {
			t.Errorf("%s: density %v and mean %v, want %v and %v", name, value, h.Mean, want, f.hyper.Mean)
		}
	}
}

// The vector of logarithms keeps its order in both directions.
func TestLayoutRoundTrip(t *testing.T) {
	for name, k := range spaces(t) {
		l := newLayout(k, NewPrior(3, 2, false))
		v := l.random(rand.New(rand.NewPCG(1, 3)))
		h := Hyper{Params: k.NewParams()}
		l.toHyper(&h, v)
		if got := l.fromHyper(h); !floats.EqualApprox(got, v, 1e-14) {
			t.Errorf("%s: got %v, want %v", name, got, v)
		}
	}
}
