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
	prior   Prior
	entries []entry
	ends    [kinds]int // where the entries of each kind end
}

// entry is what is known of one of the logarithms.
type entry struct {
	of           density // its prior, in its unit
	offset       float64 // the logarithm of that unit
	lower, upper float64
	idle         bool // of what does nothing: lower is upper, and there is no prior
}

func newLayout(k *fmkernel.Kernel, prior Prior) layout {
	idle := [kinds][]bool{ofBeta: prior.idle.V, ofTheta: prior.idle.C}
	limit := [kinds]float64{ofAlpha: 1 / idleLimit, ofBeta: idleLimit, ofTheta: idleLimit}
	if slices.Contains(prior.idle.V, false) {
		idle[ofAlpha] = prior.idle.V
	}
	l, params := layout{prior: prior}, k.NewParams()
	for kind, n := range [kinds]int{1, 1, len(params.Alpha), len(params.Beta), len(params.Theta), len(params.Mix)} {
		for i := range n {
			e := entry{of: prior.of[kind], idle: idle[kind] != nil && idle[kind][i]}
			if kind == ofBeta && prior.graphUnits {
				e.offset = math.Log((*kernel.Kernel)(k).BetaUnit(i))
			}
			box := prior.box[kind]
			if e.idle {
				box = [2]float64{limit[kind], limit[kind]}
			}
			e.lower, e.upper = math.Log(box[0])+e.offset, math.Log(box[1])+e.offset
			l.entries = append(l.entries, e)
		}
		l.ends[kind] = len(l.entries)
	}
	if prior.pinNoise {
		l.entries[0].upper = l.entries[0].lower
	}
	return l
}

// at is density.at of the prior at the logarithm v.
func (e entry) at(v float64) (value, slope float64) {
	if e.idle {
		return 0, 0
	}
	return e.of.at(v - e.offset)
}

// params returns the parts of v that belong to (α, β, θ, ω).
func (l layout) params(v []float64) fmkernel.Params {
	return fmkernel.Params{
		Alpha: v[l.ends[ofScale]:l.ends[ofAlpha]],
		Beta:  v[l.ends[ofAlpha]:l.ends[ofBeta]],
		Theta: v[l.ends[ofBeta]:l.ends[ofTheta]],
		Mix:   v[l.ends[ofTheta]:l.ends[ofMix]],
	}
}

func (l layout) bounds() (lower, upper []float64) {
	for _, e := range l.entries {
		lower, upper = append(lower, e.lower), append(upper, e.upper)
	}
	return lower, upper
}

// typical returns typical values under the prior, the start of a first fit.
func (l layout) typical() []float64 {
	v := make([]float64, len(l.entries))
	for i, e := range l.entries {
		v[i] = e.of.typical() + e.offset
		if e.idle {
			v[i] = e.lower
		}
	}
	return v
}

// random draws a start.
func (l layout) random(rng *rand.Rand) []float64 {
	v := make([]float64, len(l.entries))
	for i, e := range l.entries {
		v[i] = e.of.start(rng) + e.offset
	}
	return v
}

// toHyper stores exp(v) in h, whose Params have the right lengths.
func (l layout) toHyper(h *Hyper, v []float64) {
	h.Noise, h.Scale = math.Exp(v[0]), math.Exp(v[1])
	each(h.Params, l.params(v), func(x *float64, v float64) { *x = math.Exp(v) })
}

// fromHyper returns the logarithms of h.
func (l layout) fromHyper(h Hyper) []float64 {
	v := make([]float64, len(l.entries))
	v[0], v[1] = math.Log(h.Noise), math.Log(h.Scale)
	each(l.params(v), h.Params, func(v *float64, x float64) { *v = math.Log(x) })
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

// Adapt returns hyperparameters that were found under another prior, with those of what
// does nothing at their limits, and typical ones of what did nothing then.
func (prior Prior) Adapt(k *fmkernel.Kernel, h Hyper) Hyper {
	l := newLayout(k, prior)
	h = h.Clone()
	i := l.ends[ofScale]
	each(h.Params, l.params(l.typical()), func(x *float64, typical float64) {
		e := l.entries[i]
		if wasIdle := math.Abs(math.Log(*x)-e.offset) > math.Log(idleLimit/2); e.idle || wasIdle {
			*x = math.Exp(typical)
		}
		i++
	})
	return h
}
