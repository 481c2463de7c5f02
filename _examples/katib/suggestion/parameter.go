package suggestion

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// parameter is a parameter of an experiment.
type parameter struct {
	name string
	// distribution is what the sampler is asked for, and graph what it is told of
	// its values, or nil.
	distribution any
	graph        *graphs.Graph
	// shown is the distribution of the values that people see.
	shown any
	values
}

// values writes the numbers of a distribution as text, and reads them again.
type values interface {
	// text returns the value that x stands for.
	text(x float64) string
	// parse returns the x of a value.
	parse(text string) (x float64, err error)
}

// newParameter reads a parameter. Errors name it.
func newParameter(spec *api.ParameterSpec) (p parameter, err error) {
	p.name = spec.GetName()
	if p.name == "" {
		return p, errors.New("a parameter has no name")
	}
	space := spec.GetFeasibleSpace()
	switch spec.GetParameterType() {
	case api.ParameterType_DOUBLE, api.ParameterType_INT:
		err = p.setRange(space, spec.GetParameterType() == api.ParameterType_INT)
	case api.ParameterType_DISCRETE, api.ParameterType_CATEGORICAL:
		err = p.setList(space.GetList(), spec.GetParameterType() == api.ParameterType_DISCRETE)
	default:
		err = errors.New("has an unknown type: use double, int, discrete or categorical")
	}
	if err != nil {
		return p, fmt.Errorf("parameter %q %w", p.name, err)
	}
	return p, nil
}

func (p *parameter) setRange(space *api.FeasibleSpace, isInt bool) error {
	low, exactLow, err := parseNumber(space.GetMin())
	if err != nil {
		return fmt.Errorf("has min %q, which %w", space.GetMin(), err)
	}
	high, exactHigh, err := parseNumber(space.GetMax())
	if err != nil {
		return fmt.Errorf("has max %q, which %w", space.GetMax(), err)
	}
	if isInt && !(exactLow.IsInt() && exactHigh.IsInt()) {
		return fmt.Errorf("is an int from %q to %q: use whole numbers, or a double", space.GetMin(), space.GetMax())
	}
	if low > high {
		return fmt.Errorf("ranges from %s to %s: min must not exceed max", space.GetMin(), space.GetMax())
	}
	s := newScale(low, high, space.GetDistribution())
	if s.log && low <= 0 {
		return fmt.Errorf("is on a log scale from %s: min must be positive; use a small positive number or a uniform distribution", space.GetMin())
	}
	if _, known := api.Distribution_name[int32(space.GetDistribution())]; !known {
		return errors.New("has an unknown distribution: use uniform, logUniform, normal or logNormal")
	}
	step, err := parseStep(space.GetStep(), isInt)
	if err != nil {
		return err
	}
	tooLarge := fmt.Errorf("ranges from %s to %s: these numbers are too large or too small; use another unit", space.GetMin(), space.GetMax())
	if isInt && !(math.MinInt64 <= low && high < math.MaxInt64) || // as a float64, that is 2^63
		s.normal && !s.log && math.IsInf(high-low, 1) {
		return tooLarge
	}
	p.shown = goptuna.UniformDistribution{Low: low, High: high}
	if step == nil {
		if s.log {
			p.shown = goptuna.LogUniformDistribution{Low: low, High: high}
		}
		p.setContinuum(s)
		return nil
	}
	g, err := newGrid(exactLow, exactHigh, step)
	if err != nil {
		return err
	}
	if !g.isWritable() {
		return tooLarge
	}
	if isInt {
		p.shown = goptuna.IntUniformDistribution{Low: int(low), High: int(high)}
	}
	p.setGrid(g, s)
	return nil
}

// parseStep returns the step between two values, nil for a continuum. Some of
// Katib's services take a fraction as the step of an int, and cut the digits of
// its values off: up to 1, that leaves all ints.
func parseStep(text string, isInt bool) (*big.Rat, error) {
	one := big.NewRat(1, 1)
	switch {
	case text == "" && isInt:
		return one, nil
	case text == "":
		return nil, nil
	}
	_, step, err := parseNumber(text)
	if err != nil {
		return nil, fmt.Errorf("has step %q, which %w", text, err)
	}
	if isInt && step.Sign() > 0 && !step.IsInt() {
		if step.Cmp(one) > 0 {
			return nil, fmt.Errorf("is an int with step %q: use a whole number", text)
		}
		return one, nil
	}
	return step, nil
}

// setContinuum lets the sampler know a uniform or log-uniform range as such, and
// others by their quantiles.
func (p *parameter) setContinuum(s scale) {
	if s.normal && s.low < s.high {
		p.distribution, p.values = goptuna.UniformDistribution{Low: 0, High: 1}, scaled{s}
		return
	}
	p.distribution, p.values = p.shown, continuum{s.low, s.high}
}

// setGrid lets the sampler know the values of a uniform grid by their numbers. On
// other scales Goptuna has no grids: the sampler is asked for a quantile, and the
// nearest value is taken, which is what it is told of the trial later.
func (p *parameter) setGrid(g grid, s scale) {
	if g.count == 1 || !s.log && !s.normal {
		p.distribution = goptuna.IntUniformDistribution{Low: 0, High: g.count - 1}
		p.values = counted{g}
		return
	}
	if !s.normal { // the first and the last value have neighbourhoods like the others
		step, _ := g.step.Float64()
		s.low, s.high = max(s.low-step/2, s.low/2), s.high+step/2
	}
	p.distribution, p.values = goptuna.UniformDistribution{Low: 0, High: 1}, snapped{g, s}
}

// setList lets the sampler order a discrete list that reads as numbers. The values
// of a categorical one are all alike, even if they are numbers.
func (p *parameter) setList(list []string, isDiscrete bool) error {
	if len(list) == 0 {
		return errors.New("has an empty list: give at least one value")
	}
	l := choices{texts: list, index: make(map[string]int, len(list))}
	seen := map[float64]string{}
	for i, text := range list {
		if _, twice := l.index[text]; twice {
			return fmt.Errorf("has %q twice in its list", text)
		}
		l.index[text] = i
		if x, _, err := parseNumber(text); err == nil && isDiscrete {
			if other, twice := seen[x]; twice {
				return fmt.Errorf("has one number twice in its list, as %q and %q", other, text)
			}
			seen[x] = text
		}
	}
	l.isNumeric = len(seen) == len(list)
	if !isDiscrete {
		p.graph = graphs.Complete(len(list))
	}
	p.distribution = goptuna.CategoricalDistribution{Choices: list}
	p.shown, p.values = p.distribution, l
	return nil
}

// shownValue returns x in the shown distribution.
func (p parameter) shownValue(x float64) float64 {
	if _, ok := p.values.(choices); ok {
		return x
	}
	value, _, _ := parseNumber(p.text(x))
	return value
}

// isSnapped reports whether several numbers of the distribution are one value.
func (p parameter) isSnapped() bool {
	_, ok := p.values.(snapped)
	return ok
}
