package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// space is a search space with an objective to be minimised.
type space struct {
	name   string
	params []param
	// objective takes the values of the parameters, in their order and in
	// Goptuna's internal representation: of a choice, its number.
	objective func(x []float64) float64
}

// param is a parameter with its distribution, one of Goptuna's.
type param struct {
	name         string
	distribution any
	graph        *graphs.Graph // which choices are alike; nil leaves it to the sampler
}

func spaceByName(name string) (*space, error) {
	switch strings.ToLower(name) {
	case "func3c":
		return func3C(), nil
	case "service":
		return service(), nil
	case "nas":
		return nas(), nil
	}
	return nil, fmt.Errorf("no space %q; there are func3c, service, nas", name)
}

// func3C is the problem of that name: 2 continuous parameters, and choices out
// of 3, 5 and 4.
func func3C() *space {
	problem := problems.Func3C()
	s := &space{name: "func3c"}
	for _, q := range problem.Params {
		if q.Kind == problems.Continuous {
			s.params = append(s.params, uniform(q.Name, q.Low, q.High))
		} else {
			s.params = append(s.params, choice(q.Name, q.Choices...))
		}
	}
	s.objective = func(x []float64) float64 {
		var c []float64
		var v []int
		for i, q := range problem.Params {
			if q.Kind == problems.Continuous {
				c = append(c, x[i])
			} else {
				v = append(v, int(x[i]))
			}
		}
		y, err := problem.Eval(c, v)
		if err != nil {
			panic(err) // every point of Func3C is feasible
		}
		return y
	}
	return s
}

func uniform(name string, low, high float64) param {
	return param{name: name, distribution: goptuna.UniformDistribution{Low: low, High: high}}
}

func logUniform(name string, low, high float64) param {
	return param{name: name, distribution: goptuna.LogUniformDistribution{Low: low, High: high}}
}

func integer(name string, low, high int) param {
	return param{name: name, distribution: goptuna.IntUniformDistribution{Low: low, High: high}}
}

func choice(name string, choices ...string) param {
	return param{name: name, distribution: goptuna.CategoricalDistribution{Choices: choices}}
}

// title describes the space in a few words.
func (s *space) title() string {
	continuous := 0
	for _, p := range s.params {
		switch p.distribution.(type) {
		case goptuna.UniformDistribution, goptuna.LogUniformDistribution:
			continuous++
		}
	}
	return fmt.Sprintf("%s: %d continuous, %d discrete", s.name, continuous, len(s.params)-continuous)
}

// options returns what the sampler has to be told about the space.
func (s *space) options() []fm.SamplerOption {
	var opts []fm.SamplerOption
	for _, p := range s.params {
		if p.graph != nil {
			opts = append(opts, fm.SamplerOptionGraph(p.name, p.graph))
		}
	}
	return opts
}

// suggest asks the trial for every parameter, as an objective would, and
// returns the values in the internal representation.
func (s *space) suggest(trial *goptuna.Trial) ([]float64, error) {
	x := make([]float64, len(s.params))
	for i, p := range s.params {
		var err error
		switch d := p.distribution.(type) {
		case goptuna.UniformDistribution:
			x[i], err = trial.SuggestFloat(p.name, d.Low, d.High)
		case goptuna.LogUniformDistribution:
			x[i], err = trial.SuggestLogFloat(p.name, d.Low, d.High)
		case goptuna.IntUniformDistribution:
			var value int
			value, err = trial.SuggestInt(p.name, d.Low, d.High)
			x[i] = float64(value)
		case goptuna.CategoricalDistribution:
			var value string
			value, err = trial.SuggestCategorical(p.name, d.Choices)
			x[i] = float64(slices.Index(d.Choices, value))
		}
		if err != nil {
			return nil, err
		}
	}
	return x, nil
}

// fromUnit returns the value at quantile u in [0, 1): each of finitely many
// values has the same share.
func (p *param) fromUnit(u float64) float64 {
	switch d := p.distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Low + u*(d.High-d.Low)
	case goptuna.LogUniformDistribution:
		x := d.Low * math.Pow(d.High/d.Low, u)
		return math.Max(d.Low, math.Min(x, d.High)) // rounding
	case goptuna.IntUniformDistribution:
		return float64(d.Low) + math.Floor(u*float64(d.High-d.Low+1))
	case goptuna.CategoricalDistribution:
		return math.Floor(u * float64(len(d.Choices)))
	}
	panic(fmt.Sprintf("suggest: parameter %s has a %T", p.name, p.distribution))
}

// toUnit is the inverse of fromUnit, for values with an order: the middle of
// the value's share.
func (p *param) toUnit(x float64) float64 {
	switch d := p.distribution.(type) {
	case goptuna.UniformDistribution:
		return (x - d.Low) / (d.High - d.Low)
	case goptuna.LogUniformDistribution:
		return math.Log(x/d.Low) / math.Log(d.High/d.Low)
	case goptuna.IntUniformDistribution:
		return (x - float64(d.Low) + 0.5) / float64(d.High-d.Low+1)
	}
	panic(fmt.Sprintf("suggest: parameter %s has a %T", p.name, p.distribution))
}

// check reports a point that is not in the space.
func (s *space) check(x []float64) error {
	if len(x) != len(s.params) {
		return fmt.Errorf("%d values for %d parameters", len(x), len(s.params))
	}
	for i, p := range s.params {
		if d := p.distribution; !contains(d, x[i]) {
			return fmt.Errorf("%s = %v is not in %+v", p.name, x[i], d)
		}
	}
	return nil
}

func contains(distribution any, x float64) bool {
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Contains(x)
	case goptuna.LogUniformDistribution:
		return d.Contains(x)
	case goptuna.IntUniformDistribution:
		return d.Contains(x)
	case goptuna.CategoricalDistribution:
		return x >= 0 && d.Contains(x)
	}
	return false
}
