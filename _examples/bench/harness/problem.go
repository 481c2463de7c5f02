package harness

import (
	"errors"
	"fmt"
	"math"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// ErrFailed is the error of an objective that has no value at a point: the trial
// fails, and the run goes on. Every other error ends the run.
var ErrFailed = errors.New("the objective failed")

// Problem is an objective, to be minimised.
type Problem struct {
	Name    string
	Optimum float64 // NaN if it is not known

	// Space has all parameters, in the order in which the objective asks for
	// them. It is nil where the objective decides by the values of some which
	// others there are.
	Space problems.Space

	// Conditions say which parameters of Space are there, where not all are.
	Conditions []problems.Condition

	// Objective is called by several goroutines at once. NaN and infinities fail
	// the trial, as ErrFailed does.
	Objective func(trial goptuna.Trial) (float64, error)

	// Plain returns a value on the scale on which runs have it, where that is not
	// the objective's; nil is the identity.
	Plain func(y float64) float64

	// Noise is the standard deviation of what is added to the values that the sampler
	// gets, see [Noise]; those of runs are without.
	Noise float64

	// Settings says what else decides about the values, such as the number of
	// epochs: runs with different settings are not mixed.
	Settings string
}

// Flat returns a problem whose parameters do not depend on each other, with an
// unknown optimum. Every error of eval fails the trial.
func Flat(name string, space problems.Space, eval func(c []float64, v []int) (float64, error)) *Problem {
	return &Problem{
		Name: name, Space: space, Optimum: math.NaN(),
		Objective: func(trial goptuna.Trial) (float64, error) {
			c, v, err := space.Suggest(&trial)
			if err != nil {
				return 0, err
			}
			value, err := eval(c, v)
			if err != nil {
				return 0, fmt.Errorf("%w: %w", ErrFailed, err)
			}
			return value, nil
		},
	}
}

// Function returns a test function as a problem.
func Function(f *problems.Problem) *Problem {
	p := Flat(f.Name, f.Params, f.Eval)
	p.Optimum, p.Plain = f.Plain(f.Optimum), f.Plain
	return p
}

// Conditional returns a test function with a tree of parameters as a problem.
func Conditional(f *problems.Conditional) *Problem {
	return &Problem{Name: f.Name, Optimum: f.Optimum, Objective: f.Objective}
}

// graphOptions returns the options of the FM sampler for the graphs of the nominal
// parameters that have one of their own.
func (p *Problem) graphOptions() (options []fm.SamplerOption) {
	for _, q := range p.Space {
		if q.Graph != nil {
			options = append(options, fm.SamplerOptionGraph(q.Name, q.Graph))
		}
	}
	return options
}

// plain returns the value of a run for that of a trial.
func (p *Problem) plain(y float64) float64 {
	if p.Plain == nil {
		return y
	}
	return p.Plain(y)
}
