package plan

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// Fit holds hyperparameters by parameter name, so that a fit in another space can
// start from those that they share.
type Fit struct {
	Kernel string             `json:"k,omitempty"` // its name and that of its priors, none for the default
	Trials int                `json:"o"`           // observations it was fitted to
	Noise  float64            `json:"n"`
	Scale  float64            `json:"s"`
	Mean   float64            `json:"m"`
	Theta  map[string]float64 `json:"t,omitempty"`
	Alpha  map[string]float64 `json:"a,omitempty"`
	Beta   map[string]float64 `json:"b,omitempty"`
	Mix    []float64          `json:"w,omitempty"`
	// Presence holds the lengthscales of presence coordinates, by the first
	// parameter of each group.
	Presence map[string]float64 `json:"p,omitempty"`
	// Transform is the name of the transform of objective values.
	Transform string `json:"y,omitempty"`
	// Feasible is the fit of where trials give a value, if some gave none.
	Feasible *Fit `json:"g,omitempty"`
}

// NewFit returns hyperparameters in a space, fitted to so many trials.
func NewFit(kernel string, sp *space.Space, h gp.Hyper, trials int) *Fit {
	f := &Fit{
		Kernel: kernel, Trials: trials, Noise: h.Noise, Scale: h.Scale, Mean: h.Mean,
		Theta: map[string]float64{}, Alpha: map[string]float64{}, Beta: map[string]float64{}, Mix: h.Params.Mix,
	}
	for d, p := range sp.Dims() {
		f.Theta[p.Name] = h.Params.Theta[d]
	}
	for i, p := range sp.Vertices() {
		f.Beta[p.Name] = h.Params.Beta[i]
		if len(h.Params.Alpha) > 0 {
			f.Alpha[p.Name] = h.Params.Alpha[i]
		}
	}
	for i, names := range sp.Presence() {
		if f.Presence == nil {
			f.Presence = map[string]float64{}
		}
		f.Presence[names[0]] = h.Params.Theta[len(sp.Dims())+i]
	}
	return f
}

// Apply overwrites the entries of h that f knows, and reports whether those are
// all. Stored numbers that are no hyperparameters, by whatever accident, are
// passed over.
func (f *Fit) Apply(sp *space.Space, h *gp.Hyper) (complete bool) {
	complete = true
	set := func(dst *float64, v float64) {
		if v > 0 && !math.IsInf(v, 1) {
			*dst = v
		} else {
			complete = false
		}
	}
	set(&h.Noise, f.Noise)
	set(&h.Scale, f.Scale)
	h.Mean = f.Mean
	for d, p := range sp.Dims() {
		set(&h.Params.Theta[d], f.Theta[p.Name])
	}
	for i, p := range sp.Vertices() {
		set(&h.Params.Beta[i], f.Beta[p.Name])
		if len(h.Params.Alpha) > 0 {
			set(&h.Params.Alpha[i], f.Alpha[p.Name])
		}
	}
	for i := range h.Params.Mix {
		if i < len(f.Mix) {
			set(&h.Params.Mix[i], f.Mix[i])
		} else {
			complete = false
		}
	}
	for i, names := range sp.Presence() {
		set(&h.Params.Theta[len(sp.Dims())+i], f.Presence[names[0]])
	}
	return complete
}
