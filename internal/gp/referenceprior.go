package gp

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
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
// What is maximised here is the density over the logarithms of the
// hyperparameters. That over the hyperparameters themselves, which is maximised
// there, has no maximum: a half-horseshoe grows without bound as α or β go to 0,
// and a good search for it ends where no input matters. With deterministic set,
// the noise is pinned to its floor.
func NewReferencePrior(k *fmkernel.Kernel, inputSD float64, deterministic bool) Prior {
	d, p := k.Dims()
	alpha, theta := 1/math.Max(1, float64(p)), inputSD
	if (*kernel.Kernel)(k).Modulated() {
		theta *= math.Sqrt(math.Max(1, float64(d)))
	}
	return Prior{
		of: [kinds]density{
			ofNoise: scaled{unit: 1, log: inverseGamma(2, 0.01), low: math.Exp(-4), high: math.Exp(-2), logUniform: true},
			ofScale: scaled{unit: 1, log: logNormal{1, 3}.at, low: 1, high: 1},
			ofAlpha: scaled{unit: alpha, log: halfHorseshoe(0.1), low: 0, high: 2},
			ofBeta:  scaled{unit: 1, log: halfHorseshoe(2), low: 0, high: 2},
			ofTheta: scaled{unit: theta, log: inverseGamma(2, 0.5), low: 0.25, high: 2},
			ofMix:   scaled{unit: 1, log: logNormal{1, 3 * math.Sqrt2}.at, low: 1, high: 1},
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
	}
}

// scaled is a prior of a hyperparameter in units of unit.
type scaled struct {
	unit float64
	log  func(v float64) (value, slope float64) // density.at, at unit 1
	// Starts are drawn uniformly from [low, high], of x or of its logarithm.
	low, high  float64
	logUniform bool
}

// minStart keeps the logarithm of a start finite.
const minStart = 1e-3

func (d scaled) at(v float64) (value, slope float64) { return d.log(v - math.Log(d.unit)) }

func (d scaled) typical() float64 { return math.Log(d.unit * d.quantile(0.5)) }

func (d scaled) start(rng *rand.Rand) float64 { return math.Log(d.unit * d.quantile(rng.Float64())) }

// quantile returns that of the starts.
func (d scaled) quantile(u float64) float64 {
	if d.logUniform {
		return d.low * math.Pow(d.high/d.low, u)
	}
	return math.Max(minStart, d.low+u*(d.high-d.low))
}

// inverseGamma has p(x) ∝ x^{-a-1} e^{-b/x}; with dx = x dv, p(v) ∝ x p(x).
func inverseGamma(a, b float64) func(v float64) (value, slope float64) {
	return func(v float64) (value, slope float64) {
		r := b * math.Exp(-v)
		return a*v + r, a - r
	}
}

// halfHorseshoe is the mean of the bounds of Carvalho, Polson and Scott, The
// horseshoe estimator for sparse signals (2010), Thm 1, which has no closed form:
// p(x) ∝ ½ log(1 + 4s²/x²) + log(1 + 2s²/x²).
func halfHorseshoe(s float64) func(v float64) (value, slope float64) {
	return func(v float64) (value, slope float64) {
		a := math.Exp(2 * (math.Log(s) - v))
		p := 0.5*math.Log1p(4*a) + math.Log1p(2*a)
		return -math.Log(p) - v, (4*a/(1+4*a)+4*a/(1+2*a))/p - 1
	}
}
