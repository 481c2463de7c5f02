package problems

import (
	"errors"
	"fmt"
)

// ErrInfeasible is returned for a point that violates a problem's constraints.
var ErrInfeasible = errors.New("problems: infeasible point")

// Problem is a test function to be minimised. It is immutable and safe for
// concurrent use.
type Problem struct {
	Name    string
	Optimum float64 // smallest feasible value
	Params  Space

	// BestC and BestV are a point at which Optimum is attained, up to rounding.
	BestC []float64
	BestV []int

	eval     func(c []float64, v []int) float64
	feasible func(c []float64, v []int) bool // nil: every point is feasible
	plain    func(y float64) float64         // nil: the identity
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

// Plain returns a value of a skewed problem on the scale of the problem that it
// is made from, on which averages mean something, and others as they are.
func (p *Problem) Plain(y float64) float64 {
	if p.plain == nil {
		return y
	}
	return p.plain(y)
}

// All returns every problem of the package, in a fixed order.
func All() []*Problem {
	return []*Problem{
		Func2C(), Func3C(), Ackley5C(), Ackley5CPermuted(), Ackley20C(), Ackley53Shifted(),
		Levy20C(), Levy6Mixed(), Rosenbrock10Scaled(), Hartmann6Mixed(), GMixed(),
		PressureVessel(), SpeedReducer(),
		Func2CHalfspace(), Func3CCategory(), Ackley5CLevels(), Hartmann6MixedEdge(),
		Hartmann6MixedHuge(), Func3CReward(), Hartmann6MixedPlateau(), Func3COutliers(), NoisyPlateau(), WidePlateau(), TimeLimit(), Cells(),
		BraninChoice(), Hartmann6(), Rosenbrock4(), QuadraticMixed(), Knobs(),
	}
}
