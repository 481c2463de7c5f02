package space

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// MaxPathOrder is the largest number of ordered values that become a path
// graph. With more, neighbouring values are so alike that a continuous
// dimension says the same, and costs less.
const MaxPathOrder = 20

// Param is one parameter with its distribution: what its values are and which
// coordinate they have. It is immutable.
type Param struct {
	Name         string
	Distribution any

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

// NewParam maps a distribution. A graph is the user's for a categorical
// parameter, or nil. Values of earlier distributions, which have no place in this
// one, get vertices too where that is possible: choices that were removed, and
// what a short grid has lost at its ends. Errors name the parameter and the
// remedy; a distribution that Goptuna does not know gives
// goptuna.ErrUnknownDistribution.
func NewParam(name string, distribution any, g *graphs.Graph, earlier ...any) (*Param, error) {
	p := &Param{Name: name, Distribution: distribution}
	if _, categorical := distribution.(goptuna.CategoricalDistribution); g != nil && !categorical {
		return nil, fmt.Errorf("fm: parameter %q has a graph, but is a %T: give graphs to categorical parameters only", name, distribution)
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
		if d.Low > d.High {
			return nil, emptyRange(name, d.Low, d.High)
		}
		low, high, err := floatInts(name, d.Low, d.High, d.Contains)
		if err != nil {
			return nil, err
		}
		p.setGrid(grid{low: low, high: high, step: 1, count: high - low + 1, contains: d.Contains}, earlier)
	case goptuna.StepIntUniformDistribution:
		if d.Low > d.High {
			return nil, emptyRange(name, d.Low, d.High)
		}
		if d.Step <= 0 {
			return nil, fmt.Errorf("fm: parameter %q has step %d: use a positive step", name, d.Step)
		}
		// Contains leaves out High, although Goptuna's comment says otherwise.
		low, high, err := floatInts(name, d.Low, d.High, d.Contains)
		if err != nil {
			return nil, err
		}
		count := math.Max(1, math.Ceil((high-low)/float64(d.Step)))
		p.setGrid(grid{low: low, high: high, step: float64(d.Step), count: count, contains: d.Contains}, earlier)
	case goptuna.DiscreteUniformDistribution:
		if err := checkRange(name, d.Low, d.High); err != nil {
			return nil, err
		}
		if !(d.Q > 0) || math.IsInf(d.Q, 1) {
			return nil, fmt.Errorf("fm: parameter %q has step %v: use a positive, finite step", name, d.Q)
		}
		const nearHigh = 1e-8 // relative: High counts as a grid value within it
		if count := math.Floor((d.High/d.Q-d.Low/d.Q)*(1+nearHigh)) + 1; count < math.Inf(1) {
			p.setGrid(grid{low: d.Low, high: d.High, step: d.Q, count: count, contains: d.Contains}, earlier)
		} else { // the grid is finer than float64
			p.codec = linear{low: d.Low, high: d.High, contains: d.Contains}
		}
	case goptuna.CategoricalDistribution:
		if err := p.setCategorical(d.Choices, g, earlier); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("fm: parameter %q has a %T: %w", name, distribution, goptuna.ErrUnknownDistribution)
	}
	return p, nil
}

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

func (p *Param) setGrid(g grid, earlier []any) {
	if g.count <= MaxPathOrder {
		g.vertices, g.order = true, g.count
		g.widen(p.Name, earlier)
		if g.order > g.count {
			for k := range int(g.count) {
				p.Open = append(p.Open, k+int(g.shift))
			}
		}
		p.Graph = graphs.Path(int(g.order))
	} else {
		p.Levels = g.count
	}
	p.codec = g
}

// widen adds vertices for the values of earlier short grids with the same step.
func (g *grid) widen(name string, earlier []any) {
	from, to := 0.0, g.count-1
	for _, d := range earlier {
		p, err := NewParam(name, d, nil)
		if err != nil || p.Graph == nil {
			continue
		}
		if _, ok := p.codec.(grid); !ok {
			continue
		}
		for v := range p.Graph.Order() {
			k := (p.decode(float64(v)) - g.low) / g.step
			at := math.Round(k)
			if first, last := math.Min(from, at), math.Max(to, at); math.Abs(k-at) <= onGrid && last-first < MaxPathOrder {
				from, to = first, last
			}
		}
	}
	g.shift, g.order = -from, to-from+1
}

func (p *Param) setCategorical(texts []string, g *graphs.Graph, earlier []any) error {
	count := len(texts)
	if count == 0 {
		return fmt.Errorf("fm: parameter %q has no choices: give at least one", p.Name)
	}
	if g != nil && g.Order() != count {
		return fmt.Errorf("fm: the graph of parameter %q has %d vertices for %d choices: give SamplerOptionGraph one vertex per choice, in order", p.Name, g.Order(), count)
	}
	if g == nil {
		texts = withEarlier(texts, earlier)
	}
	n := len(texts)
	c := choices{texts: texts, count: count, vertexOf: make([]int, n), choiceOf: make([]int, n)}
	for i := range n {
		c.vertexOf[i], c.choiceOf[i] = i, i
	}
	switch numbers := readNumbers(texts); {
	case g != nil:
		p.Graph = g
	case numbers != nil && n > 2:
		sort.Slice(c.choiceOf, func(a, b int) bool { return numbers[c.choiceOf[a]] < numbers[c.choiceOf[b]] })
		sorted := make([]float64, n)
		for v, i := range c.choiceOf {
			c.vertexOf[i] = v
			sorted[v] = numbers[i]
		}
		at := evenScale(sorted)
		if n > MaxPathOrder {
			c.position = at
			for v, i := range c.choiceOf {
				if i < count {
					p.Positions = append(p.Positions, at[v])
				}
			}
		} else {
			p.Graph = weightedPath(at)
		}
	default:
		p.Graph = graphs.Complete(n)
	}
	if p.Graph != nil && n > count {
		p.Open = slices.Sorted(slices.Values(c.vertexOf[:count]))
	}
	p.codec = c
	return nil
}

// withEarlier returns the choices, followed by those that earlier distributions
// had and this one has not.
func withEarlier(texts []string, earlier []any) []string {
	all := slices.Clone(texts)
	for _, d := range earlier {
		if d, ok := d.(goptuna.CategoricalDistribution); ok {
			for _, text := range d.Choices {
				if !slices.Contains(all, text) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

// readNumbers returns the choices as numbers, or nil unless all of them read as
// different finite numbers.
func readNumbers(texts []string) []float64 {
	numbers := make([]float64, len(texts))
	seen := make(map[float64]bool, len(texts))
	for i, text := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || seen[x] {
			return nil
		}
		numbers[i], seen[x] = x, true
	}
	return numbers
}

// evenScale places ascending numbers on [0, 1], linearly or by their
// logarithms, whichever makes the gaps more even: 8, 16, …, 256 are equally
// spaced.
func evenScale(sorted []float64) []float64 {
	scale := func(f func(float64) float64) (at []float64, unevenness float64) {
		n := len(sorted)
		at = make([]float64, n)
		lo, hi := f(sorted[0]), f(sorted[n-1])
		for i, x := range sorted {
			at[i] = (f(x) - lo) / (hi - lo)
		}
		for i := range n - 1 {
			gap := at[i+1] - at[i]
			unevenness += gap * gap
		}
		return at, unevenness
	}
	unit := 1.0
	if math.IsInf(sorted[len(sorted)-1]-sorted[0], 1) {
		unit = 0.5 // which makes the smallest ones coincide, and costs nothing here
	}
	at, unevenness := scale(func(x float64) float64 { return unit * x })
	if sorted[0] > 0 {
		if byLog, u := scale(math.Log); u < unevenness {
			return byLog
		}
	}
	return at
}

// weightedPath returns the path on which the resistance between two vertices,
// the sum of the inverse weights, is their distance in at times the number of
// edges: equal gaps give unit weights.
func weightedPath(at []float64) *graphs.Graph {
	n := len(at)
	edges := make([]graphs.Edge, n-1)
	even := true
	for i := range edges {
		gap := math.Max(at[i+1]-at[i], minGap) * float64(n-1)
		even = even && math.Abs(gap-1) < 1e-9
		edges[i] = graphs.Edge{U: i, V: i + 1, Weight: 1 / gap}
	}
	if even {
		return graphs.Path(n)
	}
	g, err := graphs.FromEdges(n, edges...)
	if err != nil {
		panic("space: " + err.Error()) // n-1 edges of positive weight in a row
	}
	return g
}

// minGap bounds the edge weights of numbers that nearly coincide.
const minGap = 1e-6

// floatInts returns the smallest and the largest int of a range that Goptuna can
// hand over: its internal representation is float64, which has few ints beyond
// 2⁵³.
func floatInts(name string, from, to int, contains func(float64) bool) (low, high float64, err error) {
	low, high = float64(from), float64(to)
	if int(low) < from {
		low = math.Nextafter(low, math.Inf(1))
	}
	if high >= 1<<63 || int(high) > to {
		high = math.Nextafter(high, math.Inf(-1))
	}
	if low > high || !contains(low) {
		return 0, 0, fmt.Errorf("fm: parameter %q ranges from %d to %d: Goptuna keeps ints as float64, which has none there; stay below 2⁵³", name, from, to)
	}
	return low, high, nil
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
