// Package problem says what an experiment minimises: the one description that
// Goptuna's samplers, the baselines and the workers of package bridge share.
package problem

import (
	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Problem is an objective to be minimised and its space. A point is a pair
// (c, v): the values of the continuous parameters and the levels 0, 1, ... of
// the discrete ones, each in the order of Space.
type Problem struct {
	Name  string
	Space problems.Space

	// Settings says what else decides about the values, such as the number of
	// epochs: studies with different settings must not be mixed.
	Settings string

	// Evaluate returns the objective at a point, by the values that Space.Values
	// gives for it. It is called by several goroutines at once. An error fails
	// the trial; the run goes on.
	Evaluate func(values map[string]any) (float64, error)
}

// Objective returns p as an objective for a Goptuna study that minimises.
func (p *Problem) Objective() goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		c, v, err := p.Space.Suggest(&trial)
		if err != nil {
			return 0, err
		}
		return p.Evaluate(p.Space.Values(c, v))
	}
}

// SamplerOptions tells the FM sampler the graphs of the nominal parameters that
// have one of their own.
func (p *Problem) SamplerOptions() []fm.SamplerOption {
	var options []fm.SamplerOption
	for _, q := range p.Space {
		if q.Graph != nil {
			options = append(options, fm.SamplerOptionGraph(q.Name, q.Graph))
		}
	}
	return options
}

// Function returns a test function as a problem.
func Function(f *problems.Problem) *Problem {
	return &Problem{
		Name:  f.Name,
		Space: f.Params,
		Evaluate: func(values map[string]any) (float64, error) {
			c, v, err := f.Params.Point(values)
			if err != nil {
				return 0, err
			}
			return f.Eval(c, v)
		},
	}
}
