package space

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// MaxPathOrder is the largest number of ordered values that become a path
// graph. With more, neighbouring values are so alike that a continuous
// dimension says the same, and costs less.
const MaxPathOrder = 20

// Param is one parameter with its distribution: what its values are and which
// coordinate they have. It is immutable.
type Param struct {
	// Name tells parameters of a space apart. It is what objectives ask by, AskedName,
	// unless several parameters have the same: see As.
	Name, AskedName string

	Distribution any
	Fingerprint  string // tells distributions apart
	// Forms are what it is asked for as, where that differs from the Distribution.
	Forms Forms

	codec
	// Graph is the graph of a discrete parameter, nil for a dimension.
	Graph *graphs.Graph
	// Open holds the vertices whose values the distribution has, ascending; nil
	// means all. Others are values that earlier distributions had.
	Open []int
	// Levels is the number of equally spaced values of a dimension on a grid,
	// both ends included; 0 means a continuum.
	Levels float64
	// Positions are the ascending coordinates of a grid that is not equally
	// spaced.
	Positions []float64
}

// codec converts between the internal representation of Goptuna and a
// coordinate: u in [0, 1] of a dimension, or the number of a vertex.
type codec interface {
	// decode returns the value at coordinate u, which lies in the domain.
	decode(u float64) float64
	// encode returns the coordinate of a value that another distribution may
	// have produced, and false when it has none here.
	encode(value float64, from any) (u float64, ok bool)
}

// NewParam maps a distribution. user is a graph of the user's, whose vertices are the
// values of a discrete parameter in order, or nil. Values of earlier
// distributions, which have no place in this one, get vertices too where that is
// possible: choices that were removed, and what a short grid has lost at its ends.
// Errors name the parameter and the remedy; a distribution that Goptuna does not
// know gives goptuna.ErrUnknownDistribution.
func NewParam(name string, distribution any, user *graphs.Graph, earlier ...any) (*Param, error) {
	p := &Param{Name: name, AskedName: name, Distribution: distribution, Fingerprint: fingerprint(distribution)}
	switch distribution.(type) {
	case goptuna.UniformDistribution, goptuna.LogUniformDistribution:
		if user != nil {
			return nil, fmt.Errorf("fm: parameter %q has a graph, but is a %T: give graphs to categorical, int and discrete parameters only", name, distribution)
		}
	}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return nil, err
		}
		p.codec = linear{low: d.Low, high: d.High}
	case goptuna.LogUniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return nil, err
		}
		if d.Low <= 0 {
			return nil, fmt.Errorf("fm: parameter %q is on a log scale from %v: the lower end must be positive; use a small positive number or a linear scale", name, d.Low)
		}
		p.codec = logarithmic{d.Low, d.High, math.Log(d.Low), math.Log(d.High)}
	case goptuna.IntUniformDistribution:
		if err := checkInts(name, d.Low, d.High); err != nil {
			return nil, err
		}
	case goptuna.StepIntUniformDistribution:
		if err := checkInts(name, d.Low, d.High); err != nil {
			return nil, err
		}
		if d.Step <= 0 {
			return nil, fmt.Errorf("fm: parameter %q has step %d: use a positive step", name, d.Step)
		}
	case goptuna.DiscreteUniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return nil, err
		}
		if !(d.Q > 0) || math.IsInf(d.Q, 1) {
			return nil, fmt.Errorf("fm: parameter %q has step %v: use a positive, finite step", name, d.Q)
		}
	case goptuna.CategoricalDistribution:
		if err := p.setCategorical(d.Choices, user, earlier); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("fm: parameter %q has a %T: %w; give one of package goptuna, and not a pointer to it", name, distribution, goptuna.ErrUnknownDistribution)
	}
	if g, ok := gridOf(distribution); ok {
		if err := p.setGrid(g, user, earlier); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// As returns the parameter by another name.
func (p *Param) As(name string) *Param {
	q := *p
	q.Name = name
	return &q
}

// fingerprint returns a short text that tells distributions apart as they are stored.
func fingerprint(distribution any) string {
	stored, _ := rounded(distribution)
	stored, _ = inUTF8(stored)
	h := fnv.New32a()
	fmt.Fprintf(h, "%#v", stored)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// Key identifies what NewParam returns, the graph of the user aside.
func Key(name string, distribution any, earlier ...any) string {
	lost := ""
	if d, ok := distribution.(goptuna.CategoricalDistribution); ok {
		lost = fmt.Sprintf("%q", withEarlier(d.Choices, earlier)[len(d.Choices):])
	} else if g, ok := gridOf(distribution); ok && g.count <= MaxPathOrder {
		g.widen(earlier)
		lost = fmt.Sprint(g.shift, g.order)
	}
	return fmt.Sprintf("%q %#v %s", name, distribution, lost)
}

// gridOf returns the grid of a valid distribution, and false for one that has
// none.
func gridOf(distribution any) (g grid, ok bool) {
	switch d := distribution.(type) {
	case goptuna.IntUniformDistribution:
		low, high := floatInts(d.Low, d.High)
		return grid{low: low, high: high, step: 1, count: high - low + 1, contains: d.Contains}, true
	case goptuna.StepIntUniformDistribution:
		// Contains leaves out High, although Goptuna's comment says otherwise.
		low, high := floatInts(d.Low, d.High)
		step := float64(d.Step)
		return grid{low: low, high: high, step: step, count: math.Max(1, math.Ceil((high-low)/step)), contains: d.Contains}, true
	case goptuna.DiscreteUniformDistribution:
		g := grid{low: d.Low, high: d.High, step: d.Q, contains: d.Contains}
		g.count = math.Floor(d.High/d.Q-d.Low/d.Q+g.tolerance()) + 1
		if !(g.count < maxSteps) {
			g.count = maxSteps
		}
		return g, true
	}
	return g, false
}

// OnGraph reports whether a parameter with the distribution has a graph, as a rule: a few
// values, or a choice.
func OnGraph(distribution any) bool {
	if _, ok := distribution.(goptuna.CategoricalDistribution); ok {
		return true
	}
	g, ok := gridOf(distribution)
	return ok && g.count <= MaxPathOrder
}

// maxSteps bounds the number of values of a grid. Goptuna counts steps as float64, too:
// of a value that lies more of them above the lower end, the objective would get +Inf.
const maxSteps = math.MaxFloat64 / 4

// Single reports whether the parameter has one value only, and returns it.
func (p *Param) Single() (value float64, ok bool) {
	switch c := p.codec.(type) {
	case linear:
		return c.low, c.low == c.high
	case logarithmic:
		return c.low, c.low == c.high
	case grid:
		return c.low, c.count == 1
	case choices:
		return 0, c.count == 1
	}
	return 0, false
}

// Count returns the number of values of the distribution, +Inf for a continuum.
func (p *Param) Count() float64 {
	switch {
	case p.Open != nil:
		return float64(len(p.Open))
	case p.Graph != nil:
		return float64(p.Graph.Order())
	case p.Positions != nil:
		return float64(len(p.Positions))
	case p.Levels > 0:
		return p.Levels
	}
	return math.Inf(1)
}

// Dim returns the dimension of a parameter that has no graph.
func (p *Param) Dim() acquisition.Dim {
	return acquisition.Dim{Levels: p.Levels, Values: p.Positions}
}

// cell returns which value has the coordinate u, or one that cannot be
// told from it.
func (p *Param) cell(u float64) float64 {
	const resolution = 1e9
	switch {
	case p.Levels > 0:
		u = math.Round(u * (p.Levels - 1))
	case p.Graph == nil && p.Positions == nil:
		u = math.Round(u * resolution)
	}
	return u + 0 // -0 is 0
}

// hasCoordinate reports whether u is the coordinate of a value of the
// distribution.
func (p *Param) hasCoordinate(u float64) bool {
	switch {
	case p.Open != nil:
		return slices.Contains(p.Open, int(u))
	case p.Graph != nil:
		return u < float64(p.Graph.Order())
	case p.Positions != nil:
		return slices.Contains(p.Positions, u)
	case !(0 <= u && u <= 1):
		return false
	case p.Levels > 0:
		k := u * (p.Levels - 1)
		return math.Abs(k-math.Round(k)) <= p.codec.(grid).tolerance()
	}
	return true
}

// Decode returns the value at coordinate u: a point of [0, 1], or the number of
// a vertex. It lies in the distribution.
func (p *Param) Decode(u float64) float64 { return p.decode(u) }

// Encode returns the coordinate of a value of the parameter's own distribution.
func (p *Param) Encode(value float64) (u float64, ok bool) {
	return p.encode(value, p.Distribution)
}

// EncodeFrom returns the coordinate of a value that another distribution may have
// produced, and false when it has none here.
func (p *Param) EncodeFrom(value float64, from any) (u float64, ok bool) {
	return p.encode(value, from)
}

// Clip returns the value of the distribution that is next to one of the distribution
// as it is stored, whose ends may lie beyond.
func (p *Param) Clip(value float64) float64 {
	if g, ok := p.codec.(grid); ok {
		return math.Min(math.Max(value, g.low), g.high)
	}
	return value
}

// Contains reports whether value is a value of the parameter's distribution.
func (p *Param) Contains(value float64) bool {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return false
	}
	switch d := p.Distribution.(type) {
	case goptuna.UniformDistribution:
		return d.Contains(value)
	case goptuna.LogUniformDistribution:
		return d.Contains(value)
	case goptuna.IntUniformDistribution:
		return d.Contains(value)
	case goptuna.StepIntUniformDistribution:
		return d.Contains(value)
	case goptuna.DiscreteUniformDistribution:
		return d.Contains(value)
	case goptuna.CategoricalDistribution:
		return value >= 0 && d.Contains(value)
	}
	return false
}

// FromUnit returns the value at quantile u in [0, 1): each of finitely many
// values has the same share.
func (p *Param) FromUnit(u float64) float64 {
	nth := func(n int) int { return min(int(u*float64(n)), n-1) }
	switch {
	case p.Open != nil:
		return p.decode(float64(p.Open[nth(len(p.Open))]))
	case p.Graph != nil:
		return p.decode(float64(nth(p.Graph.Order())))
	case p.Positions != nil:
		return p.decode(p.Positions[nth(len(p.Positions))])
	case p.Levels > 0:
		return p.decode(math.Min(math.Floor(u*p.Levels), p.Levels-1) / math.Max(1, p.Levels-1))
	}
	return p.decode(u)
}

func (p *Param) setGrid(g grid, user *graphs.Graph, earlier []any) error {
	switch {
	case user != nil:
		if float64(user.Order()) != g.count {
			return fmt.Errorf("fm: the graph of parameter %q has %d vertices for %v values: give SamplerOptionGraph one vertex per value, in order", p.Name, user.Order(), g.count)
		}
		g.vertices, g.order = true, g.count
		p.Graph = user
	case g.count <= MaxPathOrder:
		g.vertices, g.order = true, g.count
		g.widen(earlier)
		if g.order > g.count {
			for k := range int(g.count) {
				p.Open = append(p.Open, k+int(g.shift))
			}
		}
		p.Graph = graphs.Path(int(g.order))
	default:
		p.Levels = g.count
	}
	p.codec = g
	return nil
}

// widen adds vertices for the values of earlier short grids with the same step.
func (g *grid) widen(earlier []any) {
	from, to := 0.0, g.count-1
	for _, d := range earlier {
		e, ok := gridOf(d)
		if !ok || e.count > MaxPathOrder {
			continue
		}
		for v := range int(e.count) {
			k := (e.low + float64(float64(v)*e.step) - g.low) / g.step
			at := math.Round(k)
			if first, last := math.Min(from, at), math.Max(to, at); math.Abs(k-at) <= g.tolerance() && last-first < MaxPathOrder {
				from, to = first, last
			}
		}
	}
	g.shift, g.order = -from, to-from+1
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

// floatInts returns the smallest and the largest int of a range that Goptuna can
// hand over: its internal representation is float64, which has few ints beyond
// 2⁵³.
func floatInts(from, to int) (low, high float64) {
	low, high = float64(from), float64(to)
	if int(low) < from {
		low = math.Nextafter(low, math.Inf(1))
	}
	if int(high) > to {
		high = math.Nextafter(high, math.Inf(-1))
	}
	return low, high
}

func checkRange(name string, low, high float64) error {
	if math.IsNaN(low) || math.IsInf(low, 0) || math.IsNaN(high) || math.IsInf(high, 0) {
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
