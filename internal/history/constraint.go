package history

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
)

// measuredAttr is the system attribute of a trial whose constraints were measured.
const measuredAttr = "fm:measured"

// Measurement is what a trial with constraints has measured.
type Measurement struct {
	// Value is the objective value, nil where there is none.
	Value      *float64   `json:"y,omitempty"`
	Violations Violations `json:"c"`
}

// Violations holds by how much each constraint that was measured is violated, by its name:
// one that is at most 0 holds.
type Violations map[string]float64

// Names returns the names of the constraints that do not hold, sorted.
func (v Violations) Names() (names []string) {
	for name, violation := range v {
		if violation > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Store writes the measurement to the trial's attributes.
func (m Measurement) Store(trial goptuna.Trial) error {
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("fm: encoding the constraints of trial %d: %w", trial.ID, err)
	}
	if err := trial.SetSystemAttr(measuredAttr, ASCII(text)); err != nil {
		return fmt.Errorf("fm: storing the constraints of trial %d: %w", trial.ID, err)
	}
	return nil
}

// MeasurementOf returns the measurement in a trial's system attributes, empty where there is
// none or it cannot be read.
func MeasurementOf(attrs map[string]string) (m Measurement) {
	text, ok := attrs[measuredAttr]
	if !ok || json.Unmarshal([]byte(text), &m) != nil {
		return Measurement{}
	}
	return m
}

// ASCII escapes the characters of a JSON text that a database may not take, or
// count otherwise.
func ASCII(text []byte) string {
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

// Violates reports whether the trial violates a constraint.
func (t Trial) Violates() bool { return len(t.Violations.Names()) > 0 }

// measured returns a finished trial with what it has measured. A failed one that violates
// its constraints has a value all the same.
func (t Trial) measured(sign float64) Trial {
	m := MeasurementOf(t.SystemAttrs)
	t.Violations = m.Violations
	if t.State == goptuna.TrialStateFail && m.Value != nil {
		t.Y, t.NoValue = sign**m.Value, false
	}
	return t
}

// scaleViolations puts violations on a scale on which large ones do not hide the others: each
// is the asinh of itself, in units of the median size of those of its constraint.
func (h *History) scaleViolations() {
	sizes := map[string][]float64{}
	for _, t := range h.Finished {
		for name, violation := range t.Violations {
			if violation != 0 {
				sizes[name] = append(sizes[name], math.Abs(violation))
			}
		}
	}
	for _, of := range sizes {
		slices.Sort(of)
	}
	for _, t := range h.Finished {
		for name, violation := range t.Violations {
			if of := sizes[name]; violation != 0 {
				size := min(math.Abs(violation)/of[len(of)/2], math.MaxFloat64)
				t.Violations[name] = math.Copysign(math.Asinh(size), violation)
			}
		}
	}
}

// minimizeViolations puts the sum of a trial's violations in the place of its value as long as
// no trial is feasible, so that the search looks for one that is.
func (h *History) minimizeViolations() {
	for _, t := range h.Finished {
		if !t.NoValue && !t.Violates() {
			return
		}
	}
	for i := range h.Finished {
		t := &h.Finished[i]
		if !t.Violates() {
			continue
		}
		h.Infeasible = true
		t.Y, t.NoValue = 0, false
		for _, name := range t.Violations.Names() {
			t.Y += t.Violations[name]
		}
	}
}
