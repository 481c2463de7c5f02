package history

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
)

// MeasuredAttr is the system attribute of a trial whose constraints were measured.
const MeasuredAttr = "fm:measured"

// Measurement is what a trial with constraints has measured.
type Measurement struct {
	// Value is the objective value, nil where there is none.
	Value *float64 `json:"y,omitempty"`
	// Quantities are those that have a constraint, by its name: nil in a trial without
	// constraints. One that is not finite is missing, and its name is in Unknown.
	Quantities map[string]Quantity `json:"c"`
	Unknown    []string            `json:"unknown,omitempty"`
}

// Quantity is a measured quantity and its limit.
type Quantity struct {
	Measured float64 `json:"m"`
	Limit    float64 `json:"l"`
	// Least says that the limit is a lower one.
	Least bool `json:"least,omitempty"`
}

// WithLimit returns the quantity with another limit, a finite one, as JSON has them.
func (q Quantity) WithLimit(limit float64) Quantity {
	q.Limit = max(-math.MaxFloat64, min(limit, math.MaxFloat64))
	return q
}

// Violation returns by how much the limit is exceeded: at most 0 where it holds.
func (q Quantity) Violation() float64 {
	violation := q.Measured - q.Limit
	if q.Least {
		violation = -violation
	}
	return max(-math.MaxFloat64, min(violation, math.MaxFloat64))
}

// Describe says what was measured by the name, and the limit.
func (q Quantity) Describe(name string) string {
	measured, bound := fmt.Sprintf("%.6g", q.Measured), q.Bound()
	if measured == fmt.Sprintf("%.6g", q.Limit) {
		measured, bound = fmt.Sprint(q.Measured), fmt.Sprintf("%s %v", q.bound(), q.Limit)
	}
	return fmt.Sprintf("%s is %s (%s)", name, measured, bound)
}

// Bound says what the limit is.
func (q Quantity) Bound() string {
	if sameLimit(q.WithLimit(q.Limit), q.unlimited()) {
		return "unlimited"
	}
	return fmt.Sprintf("%s %.6g", q.bound(), q.Limit)
}

// unlimited returns the quantity with a limit that all values are within.
func (q Quantity) unlimited() Quantity {
	if q.Least {
		return q.WithLimit(math.Inf(-1))
	}
	return q.WithLimit(math.Inf(1))
}

func (q Quantity) bound() string {
	if q.Least {
		return "at least"
	}
	return "at most"
}

func sameLimit(a, b Quantity) bool { return a.Limit == b.Limit && a.Least == b.Least }

// Violations holds by how much each constraint that was measured is violated, by its name:
// one that is at most 0 holds.
type Violations map[string]float64

// Violations returns those of the trial, nil where it has no constraints.
func (m Measurement) Violations() Violations {
	if m.Quantities == nil {
		return nil
	}
	v := make(Violations, len(m.Quantities))
	for name, q := range m.Quantities {
		v[name] = q.Violation()
	}
	return v
}

// String says what was measured, in the order of names.
func (m Measurement) String() string {
	return m.describe(slices.Sorted(maps.Keys(m.Quantities)))
}

// Infeasible returns the error of a trial that violates a constraint, or does not know whether
// it does, nil where all hold.
func (m Measurement) Infeasible() error {
	if len(m.Unknown) > 0 {
		return fmt.Errorf("%w: %s was no finite number", ErrInfeasible, strings.Join(m.Unknown, " and "))
	}
	if exceeded := m.Violations().Exceeded(); len(exceeded) > 0 {
		return fmt.Errorf("%w: %s", ErrInfeasible, m.describe(exceeded))
	}
	return nil
}

func (m Measurement) describe(names []string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = m.Quantities[name].Describe(name)
	}
	return strings.Join(texts, "; ")
}

// Exceeded returns the names of the constraints that do not hold, sorted.
func (v Violations) Exceeded() (names []string) {
	for name, violation := range v {
		if violation > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Attribute returns the system attribute of a trial that has the measurement.
func (m Measurement) Attribute() (key, text string, err error) {
	encoded, err := json.Marshal(m)
	if err != nil {
		return "", "", fmt.Errorf("fm: encoding the constraints of a trial: %w", err)
	}
	return MeasuredAttr, ASCII(encoded), nil
}

// Store writes the measurement to the trial's attributes.
func (m Measurement) Store(trial goptuna.Trial) error {
	key, text, err := m.Attribute()
	if err != nil {
		return err
	}
	if err := trial.SetSystemAttr(key, text); err != nil {
		hint := ""
		if len(text) > MaxText {
			hint = fmt.Sprintf("; they have %d characters and may have %d: give fewer of them, or shorter names", len(text), MaxText)
		}
		return fmt.Errorf("fm: storing the constraints of trial %d: %w%s", trial.ID, err, hint)
	}
	return nil
}

// MeasurementOf returns the measurement in a trial's system attributes, empty where there is
// none or it cannot be read.
func MeasurementOf(attrs map[string]string) (m Measurement) {
	text, ok := attrs[MeasuredAttr] // most trials have none
	if !ok || json.Unmarshal([]byte(text), &m) != nil {
		return Measurement{}
	}
	return m
}

// Violates reports whether the trial violates a constraint.
func (t Trial) Violates() bool { return len(t.Violations.Exceeded()) > 0 }

// measured returns a finished trial with what it has measured. A failed one that violates
// its constraints has a value all the same; one that violates none failed for another reason.
func (t Trial) measured(sign float64) Trial {
	m := MeasurementOf(t.SystemAttrs)
	t.Violations = m.Violations()
	if t.State == goptuna.TrialStateFail && m.Value != nil && t.Violates() {
		t.Y, t.NoValue = sign**m.Value, false
	}
	return t
}

// ScaleViolations replaces violations by those on a scale on which large ones do not hide the
// others: the asinh of each, in units of the median size of those of its constraint.
func ScaleViolations(all []Violations) {
	sizes := map[string][]float64{}
	for _, v := range all {
		for name, violation := range v {
			if violation != 0 {
				sizes[name] = append(sizes[name], math.Abs(violation))
			}
		}
	}
	for _, of := range sizes {
		slices.Sort(of)
	}
	for _, v := range all {
		for name, violation := range v {
			if of := sizes[name]; violation != 0 {
				size := math.Abs(violation) / of[len(of)/2]
				size = max(math.SmallestNonzeroFloat64, min(size, math.MaxFloat64))
				v[name] = math.Copysign(math.Asinh(size), violation)
			}
		}
	}
}

// SumViolations returns the sum of each trial's violations. One that was not measured counts as
// the largest violation of it: to be ruled out by another constraint before is no merit.
func SumViolations(all []Violations) []float64 {
	worst := map[string]float64{}
	for _, v := range all {
		for name, violation := range v {
			worst[name] = max(worst[name], violation)
		}
	}
	names := slices.Sorted(maps.Keys(worst))
	sums := make([]float64, len(all))
	for i, v := range all {
		for _, name := range names {
			violation, measured := v[name]
			if !measured {
				violation = worst[name]
			}
			sums[i] += max(violation, 0)
		}
	}
	return sums
}

// violations returns those of the finished trials, which share them.
func (h *History) violations() []Violations {
	all := make([]Violations, len(h.Finished))
	for i, t := range h.Finished {
		all[i] = t.Violations
	}
	return all
}

// OfViolations returns the history with the sum of a trial's violations in the place of its
// value, for a search that looks for a feasible trial; ok is false where none violates a
// constraint.
func (h *History) OfViolations() (of *History, ok bool) {
	sums := SumViolations(h.violations())
	q := *h
	q.Finished, q.Observations, q.Infeasible = slices.Clone(h.Finished), 0, true
	for i := range q.Finished {
		t := &q.Finished[i]
		if t.Violates() {
			t.Y, t.NoValue, t.Penalty, ok = sums[i], false, false, true
		}
		if !t.NoValue {
			q.Observations++
		}
	}
	return &q, ok
}
