package space

import (
	"fmt"
	"math"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// check returns why a distribution, with or without a graph of the user's, cannot be a
// parameter's.
func check(name string, distribution any, user *graphs.Graph) error {
	switch distribution.(type) {
	case goptuna.UniformDistribution, goptuna.LogUniformDistribution:
		if user != nil {
			return fmt.Errorf("fm: parameter %q has a graph, but is a %T: give graphs to categorical, int and discrete parameters only", name, distribution)
		}
	}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return checkRange(name, d.Low, d.High)
	case goptuna.LogUniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return err
		}
		if d.Low <= 0 {
			return fmt.Errorf("fm: parameter %q is on a log scale from %v: the lower end must be positive; use a small positive number or a linear scale", name, d.Low)
		}
	case goptuna.IntUniformDistribution:
		return checkInts(name, d.Low, d.High)
	case goptuna.StepIntUniformDistribution:
		if err := checkInts(name, d.Low, d.High); err != nil {
			return err
		}
		if d.Step <= 0 {
			return fmt.Errorf("fm: parameter %q has step %d: use a positive step", name, d.Step)
		}
		if d.High-d.Low < 0 { // an overflow
			return fmt.Errorf("fm: parameter %q ranges from %d to %d in steps: Goptuna takes that for a single value; use a range shorter than 2⁶³, or SuggestInt", name, d.Low, d.High)
		}
	case goptuna.DiscreteUniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return err
		}
		if !(d.Q > 0) || math.IsInf(d.Q, 1) {
			return fmt.Errorf("fm: parameter %q has step %v: use a positive, finite step", name, d.Q)
		}
		if math.IsInf(d.High-d.Low, 1) {
			return fmt.Errorf("fm: parameter %q ranges from %v to %v in steps: Goptuna would give the objective +Inf; use a range shorter than 1.8e308, or SuggestFloat", name, d.Low, d.High)
		}
	case goptuna.CategoricalDistribution:
		if len(d.Choices) == 0 {
			return fmt.Errorf("fm: parameter %q has no choices: give at least one", name)
		}
	default:
		return fmt.Errorf("fm: parameter %q has a %T: %w; give one of package goptuna, and not a pointer to it", name, distribution, goptuna.ErrUnknownDistribution)
	}
	return nil
}

// maxInt is where the ints end that Goptuna's databases can hold: it writes the
// ends of a range as float64, and 2⁶³ is no int any more.
const maxInt = 1 << 63

func checkInts(name string, from, to int) error {
	if from > to {
		return emptyRange(name, from, to)
	}
	if float64(from) <= -maxInt || float64(to) >= maxInt {
		return fmt.Errorf("fm: parameter %q ranges from %d to %d: no database of Goptuna's can read that back; stay away from ±2⁶³", name, from, to)
	}
	if low, high := floatInts(from, to); low > high {
		return fmt.Errorf("fm: parameter %q ranges from %d to %d: Goptuna keeps ints as float64, which has none there; stay below 2⁵³", name, from, to)
	}
	return nil
}

func checkRange(name string, low, high float64) error {
	if !isFinite(low) || !isFinite(high) {
		return fmt.Errorf("fm: parameter %q ranges from %v to %v: both ends must be finite numbers", name, low, high)
	}
	if low > high {
		return emptyRange(name, low, high)
	}
	return nil
}

func emptyRange(name string, low, high any) error {
	return fmt.Errorf("fm: parameter %q ranges from %v to %v: the lower end must not exceed the upper", name, low, high)
}
