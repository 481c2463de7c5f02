package gp

import (
	"math"
	"math/rand/v2"
)

// Kinds of hyperparameters, each with a prior.
const (
	ofNoise = iota
	ofScale
	ofAlpha
	ofBeta
	ofTheta
	ofMix
	kinds
)

// Prior holds the priors and the box of the hyperparameters.
type Prior struct {
	of         [kinds]density
	box        [kinds][2]float64
	meanSD     float64
	pinNoise   bool
	graphUnits bool // β is in units of the kernel's BetaUnit
	idle       Idle
}

// Idle says which dimensions and which graphs do nothing. Nil means none.
type Idle struct{ C, V []bool } // len D and P

// density is the prior of the logarithm v of one hyperparameter.
type density interface {
	// at returns the negative logarithm of the density over v, up to a constant,
	// and its derivative.
	at(v float64) (value, slope float64)
	// typical returns the logarithm of a typical value.
	typical() float64
	// start draws the logarithm of a start for a search.
	start(rng *rand.Rand) float64
}

// logNormal is a normal density of the logarithm.
type logNormal struct {
	median, sd float64 // sd in log units
}

func (d logNormal) at(v float64) (value, slope float64) {
	z := (v - math.Log(d.median)) / d.sd
	return 0.5 * z * z, z / d.sd
}

func (d logNormal) typical() float64 { return math.Log(d.median) }

// start draws from the density, narrowed: its tails are flat, and starts there
// rarely lead anywhere.
func (d logNormal) start(rng *rand.Rand) float64 {
	return d.typical() + 0.5*d.sd*rng.NormFloat64()
}

// idleLimit is the θ of a dimension that does nothing, and the β of such a graph, in
// its unit; its α is the inverse, where another graph is left for the dimensions to
// modulate.
const idleLimit = 1e8

// wideSD is the standard deviation of log α, log β and log θ under the wide prior.
const wideSD = 4

const (
	noiseFloor = 1e-8 // variance, for targets of unit variance
	noiseCeil  = 1.0
	noiseSD    = 2.0 // of its logarithm
)

// NewPrior returns the default priors for a kernel with d dimensions and p
// graphs. The continuous inputs are expected in [0, 1]. The medians of α and θ
// carry the normalisation of the reference implementation: with them
// α_p‖c-c'‖²_θ is the mean squared distance over the dimensions, in units of the
// standard deviation 1/√12 of a uniform input, shared among the graphs; that of
// β is the kernel's BetaUnit. With deterministic set, the noise is pinned to its
// floor.
func NewPrior(d, p int, deterministic bool) Prior {
	alpha := 1 / math.Max(1, float64(p))
	theta := math.Sqrt(math.Max(1, float64(d)) / 12)
	return Prior{
		of: [kinds]density{
			ofNoise: logNormal{1e-4, noiseSD},
			ofScale: logNormal{1, 1.5},
			ofAlpha: logNormal{alpha, 2},
			ofBeta:  logNormal{1, 2},
			ofTheta: logNormal{theta, 2},
			ofMix:   logNormal{1, 2},
		},
		box: [kinds][2]float64{
			ofNoise: {noiseFloor, noiseCeil},
			ofScale: {math.Exp(-6), math.Exp(8)},
			ofAlpha: {1e-4 * alpha, 1e3 * alpha},
			ofBeta:  {1e-4, 1e3},
			ofTheta: {0.02 * theta, 50 * theta},
			ofMix:   {1e-4, 1e4},
		},
		meanSD:     0.5,
		pinNoise:   deterministic,
		graphUnits: true,
	}
}

// NewLabelPrior is NewPrior for targets that are labels, 1 or -1, of a property
// that some regions have and others do not. A Gaussian process takes the jump at
// an edge for a short lengthscale, and then knows nothing a step away from its
// data. Noise that lets a smooth function miss the labels next to an edge, and
// priors that hold lengthscales near their medians, leave it with regions.
func NewLabelPrior(d, p int) Prior {
	prior := NewPrior(d, p, false)
	alpha, theta := prior.of[ofAlpha].(logNormal).median, prior.of[ofTheta].(logNormal).median
	prior.of[ofNoise] = logNormal{0.1, 0.5}
	prior.of[ofAlpha], prior.of[ofTheta] = logNormal{alpha, 0.5}, logNormal{theta, 0.5}
	prior.box[ofNoise][0] = 0.01
	prior.box[ofTheta][0] = 0.1 * theta
	return prior
}

// Wide returns the prior of NewPrior with α, β and θ that may be far from their
// medians: some parameters matter, and others do nothing.
func (prior Prior) Wide() Prior {
	for _, kind := range []int{ofAlpha, ofBeta, ofTheta} {
		prior.of[kind] = logNormal{math.Exp(prior.of[kind].typical()), wideSD}
	}
	return prior
}

// WithNoise returns the prior with another median of the noise's variance.
func (prior Prior) WithNoise(median float64) Prior {
	prior.of[ofNoise] = logNormal{median, noiseSD}
	return prior
}

// WithIdle returns the prior under which some dimensions and graphs do nothing: their
// hyperparameters are at limits where the kernel does not depend on them, and stay there.
func (prior Prior) WithIdle(idle Idle) Prior {
	prior.idle = idle
	return prior
}
