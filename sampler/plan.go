package sampler

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// planAttr is the system attribute that holds a plan, followed by the
	// number of the chunk.
	planAttr = "fm:plan:"
	// chunkSize keeps an attribute below the 2,046 characters that every
	// database takes.
	chunkSize = 2000
)

// plan is what the sampler stores with a trial: the value of every parameter
// it foresees, and the hyperparameters of the fit behind them.
type plan struct {
	Values map[string]planned `json:"v"`
	Fit    *storedFit         `json:"f,omitempty"`
}

// planned is a value and the distribution it was planned for.
type planned struct {
	Value        float64 `json:"x"`
	Distribution string  `json:"d"` // fingerprint
}

// storedFit holds hyperparameters by parameter name, so that a fit in another
// space can start from those that they share.
type storedFit struct {
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
	// Ordered are the parameters whose choices form a path in the order given,
	// by the evidence.
	Ordered []string `json:"r,omitempty"`
	// Transform is the name of the transform of objective values.
	Transform string `json:"y,omitempty"`
	// Feasible is the fit of where trials give a value, if some gave none.
	Feasible *storedFit `json:"g,omitempty"`
}

func newStoredFit(kernel string, sp *space.Space, h gp.Hyper, trials int) *storedFit {
	f := &storedFit{
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

// apply overwrites the entries of h that f knows, and reports whether those are
// all. Stored numbers that are no hyperparameters, by whatever accident, are
// passed over.
func (f *storedFit) apply(sp *space.Space, h *gp.Hyper) (complete bool) {
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

// fingerprint tells distributions apart.
func fingerprint(distribution any) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%#v", distribution)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// value returns the planned value of a parameter if the plan still holds: it
// was made for this distribution, and the trial has followed it so far.
func (p *plan) value(trial goptuna.FrozenTrial, param *space.Param) (float64, bool) {
	planned, ok := p.Values[param.Name]
	if !ok || planned.Distribution != fingerprint(param.Distribution) || !param.Contains(planned.Value) {
		return 0, false
	}
	for name, value := range trial.InternalParams {
		if other, ok := p.Values[name]; ok && other.Value != value {
			return 0, false
		}
	}
	return planned.Value, true
}

// storePlan writes the plan as system attributes of the trial.
func storePlan(study *goptuna.Study, trialID int, p *plan) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("fm: encoding the plan of trial %d: %w", trialID, err)
	}
	rest := ascii(text)
	for i := 0; rest != "" || i == 0; i++ {
		n := min(len(rest), chunkSize)
		chunk := rest[:n]
		if rest = rest[n:]; rest == "" {
			chunk += "\n" // the last chunk: what follows is of an older plan
		}
		if err := study.Storage.SetTrialSystemAttr(trialID, planAttr+strconv.Itoa(i), chunk); err != nil {
			return fmt.Errorf("fm: storing the plan of trial %d: %w", trialID, err)
		}
	}
	return nil
}

// decodePlan returns the plan in a trial's system attributes, empty if there is
// none or it cannot be read.
func decodePlan(attrs map[string]string) *plan {
	p := &plan{}
	var text strings.Builder
	for i := 0; ; i++ {
		chunk, ok := attrs[planAttr+strconv.Itoa(i)]
		if !ok {
			return p
		}
		text.WriteString(chunk)
		if strings.HasSuffix(chunk, "\n") {
			break
		}
	}
	if err := json.Unmarshal([]byte(text.String()), p); err != nil {
		return &plan{}
	}
	return p
}

// ascii escapes the characters of a JSON text that a database may not take, or
// count otherwise.
func ascii(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}
