package gp

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
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

// layout maps hyperparameters to a vector of logarithms: noise, scale, α_1…α_P,
// β_1…β_P, θ_1…θ_D, ω, of which a kernel need not have all. The mean is profiled
// out.
type layout struct {
	prior  Prior
	ends   [kinds]int // where the entries of each kind end
	offset []float64  // logarithm of the unit of each entry, in which its prior is
	limits []float64  // of the entries of what does nothing; NaN of all others
}

func newLayout(k *fmkernel.Kernel, prior Prior) layout {
	l := layout{prior: prior}
	params := k.NewParams()
	end := 0
	for kind, n := range [kinds]int{1, 1, len(params.Alpha), len(params.Beta), len(params.Theta), len(params.Mix)} {
		end += n
		l.ends[kind] = end
	}
	l.offset = make([]float64, end)
	if prior.graphUnits {
		for p, at := 0, l.ends[ofAlpha]; at < l.ends[ofBeta]; p, at = p+1, at+1 {
			l.offset[at] = math.Log((*kernel.Kernel)(k).BetaUnit(p))
		}
	}
	l.limits = make([]float64, end)
	for i := range l.limits {
		l.limits[i] = math.NaN()
	}
	l.limit(ofTheta, prior.idle.C, idleLimit)
	l.limit(ofBeta, prior.idle.V, idleLimit)
	if slices.Contains(prior.idle.V, false) {
		l.limit(ofAlpha, prior.idle.V, 1/idleLimit)
	}
	return l
}

func (l layout) len() int { return l.ends[kinds-1] }

// kind returns the kind of entry i.
func (l layout) kind(i int) int {
	kind := 0
	for i >= l.ends[kind] {
		kind++
	}
	return kind
}

func (l layout) priorOf(i int) density { return l.prior.of[l.kind(i)] }

// limit sets the limits of one kind to a value in units of the entries.
func (l layout) limit(kind int, idle []bool, value float64) {
	first := l.ends[kind-1]
	for i := first; i < l.ends[kind] && i-first < len(idle); i++ {
		if idle[i-first] {
			l.limits[i] = math.Log(value) + l.offset[i]
		}
	}
}

// idle reports whether entry i is one of what does nothing.
func (l layout) idle(i int) bool { return !math.IsNaN(l.limits[i]) }

// priorAt returns the negative logarithm of the prior density of entry i, up to
// a constant, and its derivative.
func (l layout) priorAt(i int, v float64) (value, slope float64) {
	if l.idle(i) {
		return 0, 0
	}
	return l.priorOf(i).at(v - l.offset[i])
}

// cut returns the parts of v that belong to (α, β, θ, ω).
func (l layout) cut(v []float64) fmkernel.Params {
	return fmkernel.Params{
		Alpha: v[l.ends[ofScale]:l.ends[ofAlpha]],
		Beta:  v[l.ends[ofAlpha]:l.ends[ofBeta]],
		Theta: v[l.ends[ofBeta]:l.ends[ofTheta]],
		Mix:   v[l.ends[ofTheta]:l.ends[ofMix]],
	}
}

func (l layout) bounds() (lower, upper []float64) {
	lower, upper = make([]float64, l.len()), make([]float64, l.len())
	for i := range lower {
		b := l.prior.box[l.kind(i)]
		lower[i], upper[i] = math.Log(b[0])+l.offset[i], math.Log(b[1])+l.offset[i]
		if l.idle(i) {
			lower[i], upper[i] = l.limits[i], l.limits[i]
		}
	}
	if l.prior.pinNoise {
		upper[0] = lower[0]
	}
	return lower, upper
}

// typical returns typical values under the prior, the start of a first fit.
func (l layout) typical() []float64 {
	v := make([]float64, l.len())
	for i := range v {
		v[i] = l.priorOf(i).typical() + l.offset[i]
		if l.idle(i) {
			v[i] = l.limits[i]
		}
	}
	return v
}

// random draws a start.
func (l layout) random(rng *rand.Rand) []float64 {
	v := make([]float64, l.len())
	for i := range v {
		v[i] = l.priorOf(i).start(rng) + l.offset[i]
	}
	return v
}

// toHyper stores exp(v) in h, whose Params have the right lengths.
func (l layout) toHyper(h *Hyper, v []float64) {
	h.Noise, h.Scale = math.Exp(v[0]), math.Exp(v[1])
	each(h.Params, l.cut(v), func(x *float64, v float64) { *x = math.Exp(v) })
}

// fromHyper returns the logarithms of h.
func (l layout) fromHyper(h Hyper) []float64 {
	v := make([]float64, l.len())
	v[0], v[1] = math.Log(h.Noise), math.Log(h.Scale)
	each(l.cut(v), h.Params, func(v *float64, x float64) { *v = math.Log(x) })
	return v
}

// each calls f with every entry of dst, and its value in src.
func each(dst, src fmkernel.Params, f func(*float64, float64)) {
	for _, pair := range [][2][]float64{{dst.Alpha, src.Alpha}, {dst.Beta, src.Beta}, {dst.Theta, src.Theta}, {dst.Mix, src.Mix}} {
		for i := range pair[0] {
			f(&pair[0][i], pair[1][i])
		}
	}
}

// Typical returns typical hyperparameters of the kernel under the prior: the
// medians, where they are known.
func (prior Prior) Typical(k *fmkernel.Kernel) Hyper {
	l := newLayout(k, prior)
	h := Hyper{Params: k.NewParams()}
	l.toHyper(&h, l.typical())
	if prior.pinNoise {
		h.Noise = noiseFloor
	}
	return h
}

// Settle returns hyperparameters that were found under another prior, with those of what
// does nothing at their limits, and typical ones of what did nothing then.
func (prior Prior) Settle(k *fmkernel.Kernel, h Hyper) Hyper {
	l := newLayout(k, prior)
	v, typical := l.fromHyper(h), l.typical()
	for i := range v {
		wasIdle := i >= l.ends[ofScale] && math.Abs(v[i]-l.offset[i]) > math.Log(idleLimit/2)
		if l.idle(i) || wasIdle {
			v[i] = typical[i]
		} else {
			v[i] = math.NaN()
		}
	}
	h = h.Clone()
	each(h.Params, l.cut(v), func(x *float64, v float64) {
		if !math.IsNaN(v) { // others stay as they are, to the last bit
			*x = math.Exp(v)
		}
	})
	return h
}
