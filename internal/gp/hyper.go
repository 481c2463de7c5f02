package gp

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

// Hyper holds the hyperparameters of the process, for standardised targets.
type Hyper struct {
	Noise  float64 // noise variance
	Scale  float64 // prior variance of the latent function
	Mean   float64 // constant mean
	Params fmkernel.Params
}

// Clone returns a copy that shares nothing with h.
func (h Hyper) Clone() Hyper {
	h.Params = h.Params.Clone()
	return h
}

// logNormal is a normal prior on the logarithm of a hyperparameter.
type logNormal struct {
	median, sd float64 // sd in log units
}

// Prior holds the priors and the box of the hyperparameters. The continuous
// inputs are expected in [0, 1].
type Prior struct {
	noise, scale, alpha, beta, theta logNormal
	box                              [5][2]float64 // noise, scale, alpha, beta, theta
	meanSD                           float64
	pinNoise                         bool
}

const (
	noiseFloor = 1e-8 // variance, for targets of unit variance
	noiseCeil  = 1.0
)

// NewPrior returns the default priors for a kernel with d dimensions and p
// graphs. The medians of α and θ carry the normalisation of the reference
// implementation: with them α_p‖c-c'‖²_θ is the mean squared distance over the
// dimensions, in units of the standard deviation 1/√12 of a uniform input,
// shared among the graphs. With deterministic set, the noise is pinned to its
// floor.
func NewPrior(d, p int, deterministic bool) Prior {
	alpha := 1 / math.Max(1, float64(p))
	theta := math.Sqrt(math.Max(1, float64(d)) / 12)
	return Prior{
		noise: logNormal{1e-4, 2},
		scale: logNormal{1, 1.5},
		alpha: logNormal{alpha, 2},
		beta:  logNormal{1, 2},
		theta: logNormal{theta, 2},
		box: [5][2]float64{
			{noiseFloor, noiseCeil},
			{math.Exp(-6), math.Exp(8)},
			{1e-4 * alpha, 1e3 * alpha},
			{1e-4, 1e3},
			{0.02 * theta, 50 * theta},
		},
		meanSD:   0.5,
		pinNoise: deterministic,
	}
}

// layout maps hyperparameters to a vector of logarithms:
// noise, scale, α_1…α_P, β_1…β_P, θ_1…θ_D. The mean is profiled out.
type layout struct {
	d, p  int
	prior Prior
}

func (l layout) len() int { return 2 + 2*l.p + l.d }

// kind returns which of the five priors entry i has.
func (l layout) kind(i int) int {
	switch {
	case i < 2:
		return i
	case i < 2+l.p:
		return 2
	case i < 2+2*l.p:
		return 3
	}
	return 4
}

func (l layout) priorOf(i int) logNormal {
	return [...]logNormal{l.prior.noise, l.prior.scale, l.prior.alpha, l.prior.beta, l.prior.theta}[l.kind(i)]
}

func (l layout) bounds() (lower, upper []float64) {
	lower, upper = make([]float64, l.len()), make([]float64, l.len())
	for i := range lower {
		b := l.prior.box[l.kind(i)]
		lower[i], upper[i] = math.Log(b[0]), math.Log(b[1])
	}
	if l.prior.pinNoise {
		upper[0] = lower[0]
	}
	return lower, upper
}

// median returns the prior medians, the start of a first fit.
func (l layout) median() []float64 {
	v := make([]float64, l.len())
	for i := range v {
		v[i] = math.Log(l.priorOf(i).median)
	}
	return v
}

// random draws from the prior, narrowed: its tails are flat, and starts there
// rarely lead anywhere.
func (l layout) random(rng *rand.Rand) []float64 {
	v := l.median()
	for i := range v {
		v[i] += 0.5 * l.priorOf(i).sd * rng.NormFloat64()
	}
	return v
}

// toHyper stores exp(v) in h, whose Params have the right lengths.
func (l layout) toHyper(h *Hyper, v []float64) {
	h.Noise, h.Scale = math.Exp(v[0]), math.Exp(v[1])
	for p := range l.p {
		h.Params.Alpha[p] = math.Exp(v[2+p])
		h.Params.Beta[p] = math.Exp(v[2+l.p+p])
	}
	for d := range l.d {
		h.Params.Theta[d] = math.Exp(v[2+2*l.p+d])
	}
}

// fromHyper returns the logarithms of h.
func (l layout) fromHyper(h Hyper) []float64 {
	v := make([]float64, l.len())
	v[0], v[1] = math.Log(h.Noise), math.Log(h.Scale)
	for p := range l.p {
		v[2+p] = math.Log(h.Params.Alpha[p])
		v[2+l.p+p] = math.Log(h.Params.Beta[p])
	}
	for d := range l.d {
		v[2+2*l.p+d] = math.Log(h.Params.Theta[d])
	}
	return v
}

// Median returns the prior medians as hyperparameters.
func (prior Prior) Median(d, p int) Hyper {
	l := layout{d, p, prior}
	h := Hyper{Params: fmkernel.NewParams(d, p)}
	l.toHyper(&h, l.median())
	if prior.pinNoise {
		h.Noise = noiseFloor
	}
	return h
}
