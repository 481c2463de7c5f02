// White box: priors and the density that is sampled are not exported.
package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/stat"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// The densities are those of their names, up to a constant, and their slopes
// those of finite differences.
func TestReferenceDensities(t *testing.T) {
	k, err := fmkernel.NewModLap(3, graphs.Complete(3), graphs.Path(2))
	if err != nil {
		t.Fatal(err)
	}
	prior := NewReferencePrior(k, 0.5, false)
	horseshoe := func(s float64) func(x float64) float64 {
		return func(x float64) float64 { // (lb + ub)/2 of Carvalho et al.
			return (0.5*math.Log(1+4*s*s/(x*x)) + math.Log(1+2*s*s/(x*x))) / 2
		}
	}
	inverse := func(a, b float64) func(x float64) float64 {
		return func(x float64) float64 { return math.Pow(x, -a-1) * math.Exp(-b/x) }
	}
	for _, test := range []struct {
		name string
		kind int
		unit float64 // of what the reference implementation calls the parameter
		want func(x float64) float64
	}{
		{"noise", ofNoise, 1, inverse(2, 0.01)},
		{"scale", ofScale, 1, func(x float64) float64 { return math.Exp(-sq(math.Log(x)/3)/2) / x }},
		{"α", ofAlpha, 0.5, horseshoe(0.1)},
		{"β", ofBeta, 1, horseshoe(2)},
		{"θ", ofTheta, 0.5 * math.Sqrt(3), inverse(2, 0.5)},
	} {
		base := math.NaN()
		for v := -3.0; v < 3; v += 0.4 {
			got, slope := prior.of[test.kind].at(v)
			offset := got + math.Log(test.want(math.Exp(v)/test.unit)) + v // p(v) = x p(x)
			if math.IsNaN(base) {
				base = offset
			}
			if math.Abs(offset-base) > 1e-12*(1+math.Abs(got)) {
				t.Errorf("%s: density off by a factor of e^%g at v = %g", test.name, offset-base, v)
			}
			want := fd.Derivative(func(v float64) float64 { value, _ := prior.of[test.kind].at(v); return value }, v, &fd.Settings{Formula: fd.Central})
			if math.Abs(slope-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("%s: slope %g at v = %g, finite differences %g", test.name, slope, v, want)
			}
		}
	}
}

func sq(x float64) float64 { return x * x }

// Product and sum kernels have no mean over the dimensions in their distance.
func TestReferencePriorOfProducts(t *testing.T) {
	k, err := fmkernel.NewProdLap(4, graphs.Complete(3))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := fmkernel.NewModLap(4, graphs.Complete(3))
	if err != nil {
		t.Fatal(err)
	}
	a, b := NewReferencePrior(k, 1, false).Typical(k), NewReferencePrior(mod, 1, false).Typical(mod)
	if ratio := b.Params.Theta[0] / a.Params.Theta[0]; math.Abs(ratio-2) > 1e-12 {
		t.Errorf("lengthscales of ModLap are %g times those of ProdLap, want √4", ratio)
	}
}

// Without observations the samples are those of the prior, whichever it is: of a
// log-normal, and of one over the parameter itself.
func TestSampleFromPrior(t *testing.T) {
	k, err := fmkernel.NewModLap(1)
	if err != nil {
		t.Fatal(err)
	}
	reference := NewReferencePrior(k, 1, false)
	for _, test := range []struct {
		name  string
		prior Prior
		of    func(h Hyper) float64
		want  [3]float64 // quartiles
		why   string
	}{
		{"log-normal scale", NewPrior(1, 0, false), func(h Hyper) float64 { return math.Log(h.Scale) },
			[3]float64{-0.6745 * 1.5, 0, 0.6745 * 1.5}, "N(0, 1.5²) in the logarithm"},
		{"mean", NewPrior(1, 0, false), func(h Hyper) float64 { return h.Mean },
			[3]float64{-0.6745 * 0.5, 0, 0.6745 * 0.5}, "N(0, 0.5²)"},
		{"log-normal scale of the reference", reference, func(h Hyper) float64 { return math.Log(h.Scale) },
			[3]float64{-0.6745 * 3, 0, 0.6745 * 3}, "N(0, 3²) in the logarithm"},
		{"inverse gamma lengthscale", reference, func(h Hyper) float64 { return 1 / h.Params.Theta[0] },
			[3]float64{0.9613 / 0.5, 1.6783 / 0.5, 2.6926 / 0.5}, "gamma(2, rate 0.5): the quartiles of gamma(2, 1) over 0.5"},
	} {
		samples, err := Sample(k, test.prior, nil, nil, rand.New(rand.NewPCG(1, 30)), test.prior.Typical(k), 4000)
		if err != nil {
			t.Fatal(err)
		}
		below := [3]float64{}
		for _, h := range samples {
			for q, want := range test.want {
				if test.of(h) < want {
					below[q]++
				}
			}
		}
		for q := range below { // four standard errors of independent draws
			if share := below[q] / float64(len(samples)); math.Abs(share-0.25*float64(q+1)) > 0.03 {
				t.Errorf("%s: %.3f of the samples are below quartile %d (%s)", test.name, share, q+1, test.why)
			}
		}
	}
}

// With one free hyperparameter the samples have the distribution that its
// density has by quadrature.
func TestSampleFromPosterior(t *testing.T) {
	k := spaces(t)["mixed"]
	rng := rand.New(rand.NewPCG(3, 31))
	f, v := randomDensity(rng, k, 15)
	prior := f.prior
	for kind, i := range []int{0, 1, 2, 4, 6} { // fix all but the scale
		if kind != ofScale {
			prior.box[kind] = [2]float64{math.Exp(v[i]), math.Exp(v[i])}
		}
	}
	f = newPosteriorDensity(k, prior, f.xs, f.y)
	for i, e := range f.entries {
		if i != 1 {
			v[i] = e.lower
		}
	}
	var weight, mean, square float64
	for x := math.Log(prior.box[ofScale][0]); x < math.Log(prior.box[ofScale][1]); x += 0.01 {
		v[1] = x
		w := math.Exp(-f.energy(v))
		weight, mean, square = weight+w, mean+w*x, square+w*x*x
	}
	mean /= weight
	sd := math.Sqrt(square/weight - mean*mean)

	v[1] = 0
	start := Hyper{Params: k.NewParams()}
	f.toHyper(&start, v)
	samples, err := Sample(k, prior, f.xs, f.y, rng, start, 3000)
	if err != nil {
		t.Fatal(err)
	}
	logs := make([]float64, len(samples))
	for i, h := range samples {
		logs[i] = math.Log(h.Scale)
	}
	gotMean, gotSD := stat.MeanStdDev(logs, nil)
	if math.Abs(gotMean-mean) > 0.1*sd || math.Abs(gotSD-sd) > 0.1*sd {
		t.Errorf("log scale %.3f ± %.3f in the samples, %.3f ± %.3f by quadrature", gotMean, gotSD, mean, sd)
	}
}

// The reference setting fits as well as the default one, and samples are the
// same for the same seed.
func TestReferenceFitAndSamples(t *testing.T) {
	for name, k := range spaces(t) {
		if name == "nothing" {
			continue
		}
		f, _ := randomDensity(rand.New(rand.NewPCG(1, 32)), k, 20)
		prior := NewReferencePrior(k, math.Sqrt(1./12), false)
		rng := func() *rand.Rand { return rand.New(rand.NewPCG(1, 33)) }
		_, first, err := Fit(k, prior, f.xs, f.y, rng(), FitSettings{MaxIterations: 1})
		if err != nil {
			t.Fatal(err)
		}
		h, value, err := Fit(k, prior, f.xs, f.y, rng(), FitSettings{RandomStarts: ReferenceStarts - 1})
		if err != nil {
			t.Fatal(err)
		}
		if !(value < first) {
			t.Errorf("%s: density %g after the fit, %g after one step", name, value, first)
		}
		a, err := Sample(k, prior, f.xs, f.y, rng(), h, 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Sample(k, prior, f.xs, f.y, rng(), h, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if a[i].Scale != b[i].Scale || a[i].Noise != b[i].Noise || a[i].Mean != b[i].Mean {
				t.Errorf("%s: sample %d is %+v and %+v", name, i, a[i], b[i])
			}
		}
	}
}
