package sampler

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// Constraint is a measured quantity and its limit: see AtMost and AtLeast.
type Constraint struct {
	name            string
	measured, limit float64
	least           bool
}

// AtMost is the constraint that a measured quantity is at most limit.
func AtMost(name string, measured, limit float64) Constraint {
	return Constraint{name, measured, limit, false}
}

// AtLeast is the constraint that a measured quantity is at least limit.
func AtLeast(name string, measured, limit float64) Constraint {
	return Constraint{name, measured, limit, true}
}

// violation returns by how much the constraint is violated: at most 0 where it holds.
func (c Constraint) violation() float64 {
	if c.least {
		return c.limit - c.measured
	}
	return c.measured - c.limit
}

// String says what was measured, and the limit.
func (c Constraint) String() string {
	bound := "at most"
	if c.least {
		bound = "at least"
	}
	return fmt.Sprintf("%s is %.6g, which should be %s %.6g", c.name, c.measured, bound, c.limit)
}

// Constrained returns what an objective with constraints returns, and stores with the trial
// what was measured:
//
//	return fm.Constrained(trial, cost, fm.AtMost("p99_ms", latency, 20), fm.AtLeast("hit_rate", hits, 0.9))
//
// Where all constraints hold it is the value. Otherwise it is an error, so that the trial
// fails, and the best trial of the study is one that may be used; but the sampler learns
// the value and how far each quantity is from its limit, so that it comes near to limits, and
// finds a configuration within them where few are. Each constraint is modelled by a Gaussian
// process of its own. Give all of them in every trial; one that was not measured, since
// another already rules the trial out, may be missing then, and a value that was not is NaN.
//
// A measured quantity that is not finite fails the trial, too. Names are part of the study:
// a constraint with another limit is another study, as one with another objective is.
func Constrained(trial goptuna.Trial, value float64, constraints ...Constraint) (float64, error) {
	m := history.Measurement{Violations: map[string]float64{}}
	if isFinite(value) {
		m.Value = &value
	}
	var violated []string
	for _, c := range constraints {
		if _, known := m.Violations[c.name]; known || c.name == "" {
			return math.NaN(), fmt.Errorf("fm: constraint %q: give each constraint a name of its own", c.name)
		}
		violation := c.violation()
		if isFinite(violation) {
			m.Violations[c.name] = violation
		} else {
			m.Value = nil // by how much is not known
		}
		if !(violation <= 0) {
			violated = append(violated, c.String())
		}
	}
	if err := m.Store(trial); err != nil {
		return math.NaN(), err
	}
	if len(violated) > 0 {
		return math.NaN(), errors.New("fm: " + strings.Join(violated, "; "))
	}
	return value, nil
}
