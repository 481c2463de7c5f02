package gp

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// ReferenceStarts is the number of searches for hyperparameters in the
// reference implementation: from a warm start, where there is one, and from
// random ones.
const ReferenceStarts = 10

// NewReferencePrior returns the priors of the paper's reference implementation,
// for targets of mean 0 and variance 1 and inputs whose standard deviation is
// inputSD: 1 when they are standardised as there, 1/√12 when they fill [0, 1].
//
//	noise variance   inverse gamma(2, 0.01)
//	output scale     log-normal(0, 3)
//	α                half-horseshoe, scale 0.1
//	β                half-horseshoe, scale 2
//	lengthscale      inverse gamma(2, 0.5)
//	mean             normal(0, 0.5²)
//
// There, ‖c-c'‖² in Eq. (5) is the mean over the dimensions and α is shared among
// the graphs, so that their hyperparameters are α·P and θ/(inputSD·√D) of those
// here; product and sum kernels have θ/inputSD. The two parts of a sum have an
// output scale each there; here ω, their ratio, has the distribution of the
// ratio of two. Factors are divided by another mean of their diagonal there,
// which changes the meaning of the output scale a little.
//
// As there, what is maximised is the density over the hyperparameters
// themselves, not over their logarithms. With deterministic set, the noise is
// pinned to its floor.
func NewReferencePrior(k *fmkernel.Kernel, inputSD float64, deterministic bool) Prior {
	d, p := k.Dims()
	alpha, theta := 1/math.Max(1, float64(p)), inputSD
	if k.Modulated() {
		theta *= math.Sqrt(math.Max(1, float64(d)))
	}
	return Prior{
		of: [kinds]density{
			ofNoise: natural{unit: 1, log: inverseGamma(2, 0.01), low: math.Exp(-4), high: math.Exp(-2), logUniform: true},
			ofScale: natural{unit: 1, log: logNormalDensity(3), low: 1, high: 1},
			ofAlpha: natural{unit: alpha, log: halfHorseshoe(0.1), low: 0, high: 2},
			ofBeta:  natural{unit: 1, log: halfHorseshoe(2), low: 0, high: 2},
			ofTheta: natural{unit: theta, log: inverseGamma(2, 0.5), low: 0.25, high: 2},
			ofMix:   natural{unit: 1, log: logNormalDensity(3 * math.Sqrt2), low: 1, high: 1},
		},
		box: [kinds][2]float64{
			ofNoise: {noiseFloor, 10},
			ofScale: {1e-6, 1e6},
			ofAlpha: {1e-6 * alpha, 1e4 * alpha},
			ofBeta:  {1e-6, 1e4},
			ofTheta: {1e-3 * theta, 1e3 * theta},
			ofMix:   {1e-6, 1e6},
		},
		meanSD:   0.5,
		pinNoise: deterministic,
		natural:  true,
	}
}

// natural is a density over a hyperparameter x itself, in units of unit.
type natural struct {
	unit float64
	// log returns -log p(x) at x = e^v, up to a constant, and its derivative in v.
	log func(v float64) (value, slope float64)
	// Starts are drawn uniformly from [low, high], of x or of its logarithm.
	low, high  float64
	logUniform bool
}

// minStart keeps the logarithm of a start finite.
const minStart = 1e-3

func (d natural) at(v float64) (value, slope float64) { return d.log(v - math.Log(d.unit)) }

func (d natural) typical() float64 { return math.Log(d.unit * d.quantile(0.5)) }

func (d natural) start(rng *rand.Rand) float64 { return math.Log(d.unit * d.quantile(rng.Float64())) }

// quantile returns that of the starts.
func (d natural) quantile(u float64) float64 {
	if d.logUniform {
		return d.low * math.Pow(d.high/d.low, u)
	}
	return math.Max(minStart, d.low+u*(d.high-d.low))
}

// inverseGamma has p(x) ∝ x^{-a-1} e^{-b/x}.
func inverseGamma(a, b float64) func(v float64) (value, slope float64) {
	return func(v float64) (value, slope float64) {
		r := b * math.Exp(-v)
		return (a+1)*v + r, a + 1 - r
	}
}

// logNormalDensity has log x ~ N(0, sd²), so that p(x) ∝ e^{-(log x)²/(2sd²)}/x.
func logNormalDensity(sd float64) func(v float64) (value, slope float64) {
	return func(v float64) (value, slope float64) {
		z := v / sd
		return 0.5*z*z + v, z/sd + 1
	}
}

// halfHorseshoe is the mean of the bounds of Carvalho, Polson and Scott, The
// horseshoe estimator for sparse signals (2010), Thm 1, which has no closed form:
// p(x) ∝ ½ log(1 + 4s²/x²) + log(1 + 2s²/x²).
func halfHorseshoe(s float64) func(v float64) (value, slope float64) {
	return func(v float64) (value, slope float64) {
		a := math.Exp(2 * (math.Log(s) - v))
		p := 0.5*math.Log1p(4*a) + math.Log1p(2*a)
		return -math.Log(p), (4*a/(1+4*a) + 4*a/(1+2*a)) / p
	}
}
