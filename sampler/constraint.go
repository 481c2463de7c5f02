package sampler

import (
	"fmt"
	"math"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// ErrInfeasible is what the error of a trial that violates a constraint wraps.
var ErrInfeasible = history.ErrInfeasible

// Constraint is a measured quantity and its limit: see AtMost and AtLeast.
type Constraint struct {
	name     string
	quantity history.Quantity
}

// AtMost is the constraint that a measured quantity is at most limit.
func AtMost(name string, measured, limit float64) Constraint {
	return Constraint{name, history.Quantity{Measured: measured, Limit: limit}}
}

// AtLeast is the constraint that a measured quantity is at least limit.
func AtLeast(name string, measured, limit float64) Constraint {
	return Constraint{name, history.Quantity{Measured: measured, Limit: limit, Least: true}}
}

// String says what was measured, and the limit.
func (c Constraint) String() string {
	return c.quantity.Describe(c.name)
}

// Constrained returns what an objective with constraints returns, and stores with the trial
// what was measured:
//
//	return fm.Constrained(trial, cost, fm.AtMost("p99_ms", latency, 20), fm.AtLeast("hit_rate", hits, 0.9))
//
// Where all constraints hold it is the value. Otherwise it is an error that wraps
// ErrInfeasible, so that the trial fails, and the best trial of the study is one that may be
// used. But the sampler learns the value and how far each quantity is from its limit: it goes
// to the limits, where the best configuration mostly is, and finds one within them where few
// are. Each constraint is modelled by a Gaussian process of its own. The trial's user attribute
// "fm: limits" has what was measured, as text.
//
// Call it once in a trial, with all constraints, and return what it returns. Where one rules
// the trial out before the others are measured these may be missing, and the value NaN. A
// measured quantity that is not finite is a violation of unknown size. Where a limit is edited
// in the program, the sampler judges earlier trials by the new one, too. Goptuna's best trial
// goes by the limits that each trial had; [CopyTrials] makes a study in which all have the new
// ones.
func Constrained(trial goptuna.Trial, value float64, constraints ...Constraint) (float64, error) {
	if err := mayMeasure(trial); err != nil {
		return math.NaN(), err
	}
	m, infeasible, err := measure(value, constraints)
	if err != nil {
		return math.NaN(), err
	}
	if err := m.Store(trial); err != nil {
		return math.NaN(), err
	}
	// That a database does not take the text is no reason to lose what the trial found.
	if err := trial.SetUserAttr(history.LimitsAttr, describe(constraints)); err != nil {
		trial.Study.GetLogger().Warn("fm: cannot store what a trial measured as text", fmt.Sprintf("trialID=%d", trial.ID), fmt.Sprintf("err=%s", err))
	}
	if infeasible != nil {
		return math.NaN(), infeasible
	}
	return value, nil
}

// mayMeasure returns an error where a trial has ended, or has measured before: storage would
// take what comes, and the trial would be another one.
func mayMeasure(trial goptuna.Trial) error {
	frozen, err := trial.Study.Storage.GetTrial(trial.ID)
	if err != nil {
		return fmt.Errorf("fm: reading trial %d: %w", trial.ID, err)
	}
	if frozen.State.IsFinished() {
		return fmt.Errorf("fm: trial %d has ended: call Constrained in its objective", frozen.Number)
	}
	attrs, err := trial.GetSystemAttrs()
	if err != nil {
		return fmt.Errorf("fm: reading trial %d: %w", trial.ID, err)
	}
	if history.MeasurementOf(attrs).Quantities != nil {
		return fmt.Errorf("fm: Constrained was called before in trial %d: give all constraints in one call", frozen.Number)
	}
	return nil
}

// infeasibility returns the error of a trial that has measured a violation, though its
// objective returned none; nil where there is none, or where that cannot be read.
func infeasibility(trial goptuna.Trial) error {
	attrs, err := trial.GetSystemAttrs()
	if err != nil {
		return nil
	}
	return history.MeasurementOf(attrs).Infeasible()
}

// describe returns what was measured, and the limits.
func describe(constraints []Constraint) string {
	texts := make([]string, len(constraints))
	for i, c := range constraints {
		texts[i] = c.String()
	}
	return storable(strings.Join(texts, "; "))
}

// measure returns what a trial has measured, and the error of one that violates a constraint.
// The other error is that of names and limits.
func measure(value float64, constraints []Constraint) (m history.Measurement, infeasible, err error) {
	m.Quantities = map[string]history.Quantity{}
	if isFinite(value) {
		m.Value = &value
	}
	var violated []string
	known := map[string]bool{}
	for i, c := range constraints {
		name, q := strings.ToValidUTF8(c.name, "\uFFFD"), c.quantity // as JSON has it
		switch {
		case name == "":
			return m, nil, fmt.Errorf("fm: constraint %d of %d has no name: give it one", i+1, len(constraints))
		case known[name]:
			return m, nil, fmt.Errorf("fm: two constraints have the name %q: give each one of its own", c.name)
		case math.IsNaN(q.Limit):
			return m, nil, fmt.Errorf("fm: the limit of constraint %q is NaN: give a number", c.name)
		}
		known[name] = true
		if isFinite(q.Measured) {
			q = q.WithLimit(q.Limit)
			m.Quantities[name] = q
		} else {
			m.Value = nil // by how much is not known
			m.Unknown = append(m.Unknown, name)
		}
		if !isFinite(q.Measured) || q.Violation() > 0 {
			violated = append(violated, c.String())
		}
	}
	if len(violated) > 0 {
		infeasible = fmt.Errorf("%w: %s", ErrInfeasible, strings.Join(violated, "; "))
	}
	return m, infeasible, nil
}
