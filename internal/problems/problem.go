package problems

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInfeasible is returned for a point that violates a problem's constraints.
var ErrInfeasible = errors.New("problems: infeasible point")

// Kind says what values a parameter takes.
type Kind int

const (
	// Continuous parameters take every value of [Low, High].
	Continuous Kind = iota
	// Ordinal parameters take Levels equally spaced values from Low to High.
	Ordinal
	// Nominal parameters take one of Choices.
	Nominal
)

// Param describes one parameter of a problem.
type Param struct {
	Name      string
	Kind      Kind
	Low, High float64  // range, both ends included; not for Nominal
	Levels    int      // number of values; not for Continuous
	Choices   []string // names of the levels, len Levels; only for Nominal
}

// step returns the distance between neighbouring values of an ordinal parameter.
func (q *Param) step() float64 { return (q.High - q.Low) / float64(q.Levels-1) }

// value returns the grid value of an ordinal parameter's level.
func (q *Param) value(level int) float64 { return q.Low + float64(level)*q.step() }

// Problem is a test function to be minimised. It is immutable and safe for
// concurrent use.
type Problem struct {
	Name    string
	Optimum float64 // smallest feasible value
	Params  []Param

	// BestC and BestV are a point at which Optimum is attained, up to rounding.
	BestC []float64
	BestV []int

	eval     func(c []float64, v []int) float64
	feasible func(c []float64, v []int) bool // nil: every point is feasible
}

// Eval returns the value at the point (c, v), see the package comment for the
// coding. At an infeasible point the error is ErrInfeasible, and the value is
// that of the unconstrained function. Eval panics if the lengths of c and v
// are not those of the problem; it does not check ranges.
func (p *Problem) Eval(c []float64, v []int) (float64, error) {
	if len(c) != len(p.BestC) || len(v) != len(p.BestV) {
		panic(fmt.Sprintf("problems: %s takes %d continuous and %d discrete values, not %d and %d",
			p.Name, len(p.BestC), len(p.BestV), len(c), len(v)))
	}
	value := p.eval(c, v)
	if p.feasible != nil && !p.feasible(c, v) {
		return value, ErrInfeasible
	}
	return value, nil
}

// All returns every problem of the package, in a fixed order.
func All() []*Problem {
	return []*Problem{
		Func2C(), Func3C(), Ackley5C(), Ackley5CPermuted(), Ackley20C(), Ackley53Shifted(),
		Levy20C(), Levy6Mixed(), Rosenbrock10Scaled(), Hartmann6Mixed(), GMixed(),
		PressureVessel(), SpeedReducer(),
	}
}

// ByName returns the problem of that name, ignoring case, or an error that
// lists the names there are.
func ByName(name string) (*Problem, error) {
	all := All()
	names := make([]string, len(all))
	for i, p := range all {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names[i] = p.Name
	}
	return nil, fmt.Errorf("problems: no problem %q; there are %s", name, strings.Join(names, ", "))
}

func continuous(name string, low, high float64) Param {
	return Param{Name: name, Kind: Continuous, Low: low, High: high}
}

func ordinal(name string, low, high float64, levels int) Param {
	return Param{Name: name, Kind: Ordinal, Low: low, High: high, Levels: levels}
}

// nominal names its levels a, b, c, ...: choices that read as numbers would
// tell a sampler that they have an order.
func nominal(name string, levels int) Param {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return Param{Name: name, Kind: Nominal, Levels: levels, Choices: strings.Split(letters[:levels], "")}
}

// repeat returns count parameters made by param and named prefix1, prefix2, ...
func repeat(prefix string, count int, param func(name string) Param) []Param {
	params := make([]Param, count)
	for i := range params {
		params[i] = param(fmt.Sprintf("%s%d", prefix, i+1))
	}
	return params
}
