package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// planAttr is the system attribute that holds a plan, followed by the number
	// of the chunk; settledAttr holds the revision that its worker keeps.
	planAttr    = "fm:plan:"
	settledAttr = "fm:settled"
)

// Plan is what the sampler stores with a trial: the value of every parameter that
// the trial is expected to ask for, and the fit behind them. It is not changed
// once it is stored.
type Plan struct {
	Values   map[string]Value `json:"v"`
	Fit      *Fit             `json:"f,omitempty"`
	Revision int              `json:"i,omitempty"` // how many plans of the trial came before
}

// Value is a planned value and the fingerprint of the distribution it was planned
// for.
type Value struct {
	Value       float64 `json:"x"`
	Fingerprint string  `json:"d"`
}

// For returns the value that is planned for a parameter. ok is false where there is none, where
// it was planned for another distribution, and where it lies outside of this one.
func (p *Plan) For(param *space.Param) (value float64, ok bool) {
	planned, ok := p.Values[key(param.AskedName)]
	value = param.Clip(planned.Value)
	return value, ok && planned.Fingerprint == param.Fingerprint && param.Contains(value)
}

// InSpace returns the value that is planned for a parameter of a space, in the representation
// there: what the trial is expected to ask for may be one of several forms.
func (p *Plan) InSpace(param *space.Param) (value float64, ok bool) {
	if value, ok = p.For(param); ok {
		return value, true
	}
	for _, form := range param.Forms.By {
		if value, ok = p.For(form); ok {
			return param.Convert(value, form.Distribution)
		}
	}
	return 0, false
}

// Follows reports whether the trial has followed the plan so far.
func (p *Plan) Follows(trial goptuna.FrozenTrial) bool {
	for name, value := range trial.InternalParams {
		if planned, ok := p.Values[key(name)]; ok && planned.Value != value {
			return false
		}
	}
	return true
}

// Set plans a value for a parameter.
func (p *Plan) Set(param *space.Param, value float64) {
	p.Values[key(param.AskedName)] = Value{value, param.Fingerprint}
}

// With returns the plan with a value for one parameter more.
func (p *Plan) With(param *space.Param, value float64) *Plan {
	q := *p
	q.Values = maps.Clone(p.Values)
	q.Set(param, value)
	q.Revision++
	return &q
}

// key returns what stands for the name of a parameter in plans and fits: JSON would write
// another one for a name that is not UTF-8.
func key(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return strconv.QuoteToASCII(name)
}

// Store writes the plan as system attributes of the trial.
func (p *Plan) Store(study *goptuna.Study, trialID int) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("fm: encoding the plan of trial %d: %w", trialID, err)
	}
	rest := history.ASCII(text)
	for i := 0; rest != "" || i == 0; i++ {
		n := min(len(rest), history.SafeText)
		chunk := rest[:n]
		rest = rest[n:]
		if rest == "" {
			chunk += "\n" // the last chunk: what follows is of an older plan
		}
		if err := study.Storage.SetTrialSystemAttr(trialID, planAttr+strconv.Itoa(i), chunk); err != nil {
			return fmt.Errorf("fm: storing the plan of trial %d: %w", trialID, err)
		}
	}
	return nil
}

// Settle tells other workers that this revision of the plan stands, as far as its
// worker has seen.
func (p *Plan) Settle(study *goptuna.Study, trialID int) error {
	if err := study.Storage.SetTrialSystemAttr(trialID, settledAttr, strconv.Itoa(p.Revision)); err != nil {
		return fmt.Errorf("fm: settling the plan of trial %d: %w", trialID, err)
	}
	return nil
}

// Settled reports whether the worker of a trial has settled on the plan.
func (p *Plan) Settled(attrs map[string]string) bool {
	return attrs[settledAttr] == strconv.Itoa(p.Revision)
}

// Decode returns the plan in a trial's system attributes, empty if there is none
// or it cannot be read.
func Decode(attrs map[string]string) *Plan {
	p := &Plan{}
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
	if err := json.Unmarshal([]byte(text.String()), p); err != nil || p.Fit != nil && p.Fit.Trials < 0 {
		return &Plan{}
	}
	return p
}
