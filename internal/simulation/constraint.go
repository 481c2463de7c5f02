package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// constraints are what the objective of a study measures beside its value.
type constraints struct {
	all []constraint
	// Shares of the trials that violate a constraint: those that measure no value, and those
	// that are complete all the same.
	noValue, ignored float64
}

// constraint is a quantity and its limit, both as a function of the trial.
type constraint struct {
	name string
	kind int
	// salt chooses the configurations that violate it, limit how many do.
	salt  string
	limit float64
	least bool
	// It is measured in trials from number from on, before number to.
	from, to int
	// From number edit on, the limit is another one.
	edit   int
	edited float64
	scale  float64
}

// kinds of constraints.
const (
	smooth  = iota // of the parameters
	counted        // a whole number, of which 0 is the limit
	byTrial        // by chance
	never
	always
	kindsOfConstraints
)

// drawConstraints draws those of a study: of two in three, none. The random numbers are
// others than those of the simulation, whose studies without constraints stay as they are.
func drawConstraints(rng *rand.Rand) *constraints {
	if !chance(rng, 1.0/3) {
		return nil
	}
	c := &constraints{noValue: pick(rng, 0, 0, 0.5, 1), ignored: pick(rng, 0, 0, 0.3)}
	for i := range 1 + rng.IntN(3) {
		one := constraint{
			name: pick(rng, "p99", "日本", `"`, "\xff", "a b") + fmt.Sprint(i), kind: rng.IntN(kindsOfConstraints), salt: fmt.Sprint(rng.Uint64()),
			limit: pick(rng, 0.02, 0.3, 0.5, 0.8), least: chance(rng, 0.5), to: math.MaxInt, edit: math.MaxInt, scale: pick(rng, 1, 1, 1e-300, 1e12, 1e305),
		}
		switch rng.IntN(6) {
		case 0:
			one.from = rng.IntN(20)
		case 1:
			one.to = 5 + rng.IntN(15)
		case 2:
			one.edit, one.edited = 3+rng.IntN(20), pick(rng, 0.02, 0.3, 0.8)
		}
		c.all = append(c.all, one)
	}
	return c
}

// measured returns the measured quantity in a trial, from 0 to 1, and its limit.
func (c constraint) measured(t *running) (value, limit float64) {
	if t.ID >= c.edit {
		c.limit = c.edited
	}
	switch c.kind {
	case never:
		return 0, 1
	case always:
		return 1, 0.5
	case byTrial:
		return part(fmt.Sprint(c.salt, t.ID)), c.limit
	}
	sum, n := 0.0, 0.0
	for _, node := range t.space.nodes {
		if value, ok := t.values[node.name]; ok && node.isActive(t.values) {
			sum, n = sum+math.Abs(position(node.distribution, value)-part(c.salt+node.name)), n+1
		}
	}
	if n > 0 {
		sum /= n
	}
	if c.kind == counted {
		return math.Floor(sum / c.limit), 0
	}
	return sum, c.limit
}

// of returns the constraints of a trial, and whether one is violated. What would be measured
// after one that is violated is missing in half of the studies.
func (c *constraints) of(t *running) (measured []fm.Constraint, violated bool) {
	for _, one := range c.all {
		if t.ID < one.from || t.ID >= one.to || violated && c.noValue > 0 {
			continue
		}
		value, limit := one.measured(t)
		if odd := part(fmt.Sprint("odd", one.salt, t.ID)); odd < 0.02 {
			value = math.NaN()
		} else if odd < 0.04 {
			value = math.Inf(1)
		} else if odd < 0.05 {
			value = math.Inf(-1)
		}
		violated = violated || !(value <= limit) || math.IsInf(value, 0)
		if value, limit = value*one.scale, limit*one.scale; one.least {
			measured = append(measured, fm.AtLeast(one.name, -value, -limit))
		} else {
			measured = append(measured, fm.AtMost(one.name, value, limit))
		}
	}
	return measured, violated
}

// constrain measures the constraints of a trial, and returns how it ends then. What decides is
// the trial, and no random number: in a crowd the order of trials is none.
func (c *constraints) constrain(t *running, value float64, state goptuna.TrialState) (float64, goptuna.TrialState, error) {
	measured, isViolated := c.of(t)
	if isViolated && part(fmt.Sprint("no value", t.ID)) < c.noValue {
		value = math.NaN()
	}
	got, err := fm.Constrained(t.Trial, value, measured...)
	switch {
	case (err != nil) != isViolated:
		return 0, state, violated("trial id %d: constraints %v give the error %v", t.ID, measured, err)
	case err == nil && got != value && !math.IsNaN(value):
		return 0, state, violated("trial id %d: constraints that hold make %v of the value %v", t.ID, got, value)
	case err != nil && state == goptuna.TrialStateComplete && part(fmt.Sprint("ignored", t.ID)) >= c.ignored:
		state = goptuna.TrialStateFail
	}
	return value, state, nil
}

// strangeMeasurements are attributes that no program of this version has written.
var strangeMeasurements = [...]string{
	"", "null", "{", `{"c":null}`, `{"y":null,"c":{"a":{"m":null}}}`, `{"y":1e999,"c":{"p990":{"m":1}}}`, `{"y":"NaN","c":{"p990":{"m":"Inf"}}}`,
	`{"y":0.5,"c":{"p990":{"m":1e308},"p991":{"m":-1e308}}}`, `{"y":0.1,"c":{"":{"m":1}}}`, `{"y":-1e308,"c":{"p990":{"m":0}}}`, `[1]`, `{"y":1}`, `{"c":{"new":{"m":-1}}}`, `{"c":{"new":-1}}`, `{"y":1,"c":{"p990":{"m":1e308,"l":-1e308,"least":true}}}`,
}
