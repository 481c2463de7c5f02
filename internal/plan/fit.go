package plan

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// Hyper holds hyperparameters by parameter name, so that a fit in another space can
// start from those that they share.
type Hyper struct {
	Noise float64            `json:"n"`
	Scale float64            `json:"s"`
	Mean  float64            `json:"m"`
	Theta map[string]float64 `json:"t,omitempty"`
	Alpha map[string]float64 `json:"a,omitempty"`
	Beta  map[string]float64 `json:"b,omitempty"`
	Mix   []float64          `json:"w,omitempty"`
	// Presence holds the lengthscales of presence coordinates, by the first
	// parameter of each group.
	Presence map[string]float64 `json:"p,omitempty"`
	// Wide says that they were fitted under the wide prior.
	Wide bool `json:"d,omitempty"`
}

// Fit is the hyperparameters of a model, and what else was found with them.
type Fit struct {
	Kernel string `json:"k,omitempty"` // its name and that of its priors, none for the default
	Trials int    `json:"o"`           // observations it was fitted to
	Hyper
	// Rival is what the other prior makes of the same observations, if that was
	// asked, and Lead by how much it has predicted better than Hyper, never above 0.
	Rival *Hyper  `json:"r,omitempty"`
	Lead  float64 `json:"l,omitempty"`
	// Transform is the name of the transform of objective values.
	Transform string `json:"y,omitempty"`
	// Metric is the name of the distance between the continuous parameters, empty for the
	// default one.
	Metric string `json:"c,omitempty"`
	// Outliers are the numbers of trials that were left out: what all others predict of
	// them contradicts their values.
	Outliers []int `json:"x,omitempty"`
	// Failures is the hyperparameters of where trials fail, if some did.
	Failures *Hyper `json:"g,omitempty"`
	// Infeasible says that no trial was feasible: the values were sums of violations.
	Infeasible bool `json:"v,omitempty"`
	// Alone says that it knows nothing of trials with other values of what has one value left.
	Alone bool `json:"e,omitempty"`
	// Constraints holds the hyperparameters of the violation of each constraint, by its name.
	Constraints map[string]*Hyper `json:"q,omitempty"`
}

// NewHyper returns hyperparameters in a space.
func NewHyper(sp *space.Space, h gp.Hyper) Hyper {
	s := Hyper{
		Noise: h.Noise, Scale: h.Scale, Mean: h.Mean, Mix: h.Params.Mix,
		Theta: map[string]float64{}, Alpha: map[string]float64{}, Beta: map[string]float64{}, Presence: map[string]float64{},
	}
	s.each(sp, &h, func(stored map[string]float64, key string, at *float64) { stored[key] = *at })
	return s
}

// each calls f with every entry of h that belongs to a parameter, and where s has it.
func (s *Hyper) each(sp *space.Space, h *gp.Hyper, f func(stored map[string]float64, key string, at *float64)) {
	for d, p := range sp.Dims() {
		f(s.Theta, key(p.Name), &h.Params.Theta[d])
	}
	for i, p := range sp.Graphs() {
		f(s.Beta, key(p.Name), &h.Params.Beta[i])
		if len(h.Params.Alpha) > 0 {
			f(s.Alpha, key(p.Name), &h.Params.Alpha[i])
		}
	}
	for i, names := range sp.Presence() {
		f(s.Presence, key(names[0]), &h.Params.Theta[len(sp.Dims())+i])
	}
}

// Apply overwrites the entries of h that s knows, and reports whether those are
// all. Stored numbers that are no hyperparameters, by whatever accident, are
// passed over.
func (s *Hyper) Apply(sp *space.Space, h *gp.Hyper) (complete bool) {
	complete = true
	set := func(dst *float64, v float64) {
		if v > 0 && !math.IsInf(v, 1) {
			*dst = v
		} else {
			complete = false
		}
	}
	set(&h.Noise, s.Noise)
	set(&h.Scale, s.Scale)
	h.Mean = s.Mean
	for i := range h.Params.Mix {
		if i < len(s.Mix) {
			set(&h.Params.Mix[i], s.Mix[i])
		} else {
			complete = false
		}
	}
	s.each(sp, h, func(stored map[string]float64, key string, at *float64) { set(at, stored[key]) })
	return complete
}
