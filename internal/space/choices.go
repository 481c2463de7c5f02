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

// choices are the vertices of a graph, or with position the levels of a
// dimension, in an order of their own.
type choices struct {
	interval           // of the indices of the distribution's choices
	texts    []string  // those of the distribution, then those of earlier ones
	count    int       // how many the distribution has
	vertexOf []int     // by choice
	choiceOf []int     // by vertex
	position []float64 // by vertex, ascending on [0, 1]; nil for a graph
}

func (c choices) contains(value float64) bool { return 0 <= value && value < float64(c.count) }

func (c choices) Decode(u float64) float64 {
	if c.position == nil {
		return float64(c.choiceOf[int(u)])
	}
	nearest, gap := 0, math.Inf(1)
	for v, at := range c.position {
		if i := c.choiceOf[v]; i < c.count && math.Abs(at-u) < gap {
			nearest, gap = i, math.Abs(at-u)
		}
	}
	return float64(nearest)
}

func (c choices) EncodeFrom(value float64, from any) (float64, bool) {
	d, _ := from.(goptuna.CategoricalDistribution)
	i, ok := choiceAt(value, len(d.Choices))
	if !ok {
		return 0, false
	}
	if i >= len(c.texts) || c.texts[i] != d.Choices[i] {
		// Choices were added, removed or reordered: they match by text.
		if i = slices.Index(c.texts, d.Choices[i]); i < 0 {
			return 0, false
		}
	}
	if c.position != nil {
		return c.position[c.vertexOf[i]], true
	}
	return float64(c.vertexOf[i]), true
}

// choiceAt returns which of n choices a value stands for, and false where it is none of them.
// What int makes of NaN depends on the CPU.
func choiceAt(value float64, n int) (i int, ok bool) {
	return int(value), n > 0 && -1 < value && value < float64(n)
}

// setCategorical maps choices: to the graph of the user, to a path or a dimension
// in the order of their numbers, or to a complete graph.
func (p *Param) setCategorical(texts []string, g *graphs.Graph, earlier []any) error {
	count := len(texts)
	if g != nil && g.Order() != count {
		return fmt.Errorf("fm: the graph of parameter %q has %d vertices for %d choices: give SamplerOptionGraph one vertex per choice, in order", p.Name, g.Order(), count)
	}
	if g == nil {
		texts = withEarlier(texts, earlier)
	}
	n := len(texts)
	c := choices{interval: interval{0, float64(count - 1)}, texts: texts, count: count, vertexOf: make([]int, n), choiceOf: make([]int, n)}
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
			at = byRank(at)
			c.position = at
			for v, i := range c.choiceOf {
				if i < count {
					p.dim.Values = append(p.dim.Values, at[v])
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
		if err != nil || !isFinite(x) || seen[x] {
			return nil
		}
		numbers[i], seen[x] = x, true
	}
	return numbers
}

// evenScale places ascending numbers on [0, 1], linearly or by their
// logarithms, whichever makes the gaps more even: 8, 16, …, 256 are equally
// spaced. Where some are 0 or negative, as in -1, 0, 1, 1024, 1048576, the logarithm of
// the size, log(1 + |x|/least), has the sign of the number.
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
	log := math.Log
	if sorted[0] <= 0 {
		least := leastSize(sorted)
		log = func(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)/least), x) }
	}
	if byLog, u := scale(log); u < unevenness {
		at = byLog
	}
	return at
}

// leastSize returns the least absolute value that is not 0.
func leastSize(xs []float64) float64 {
	least := math.Inf(1)
	for _, x := range xs {
		if x != 0 {
			least = math.Min(least, math.Abs(x))
		}
	}
	return least
}

// byRank places numbers whose places do not tell them apart by their ranks.
func byRank(at []float64) []float64 {
	for i := range len(at) - 1 {
		if at[i+1]-at[i] < minGap {
			for k := range at {
				at[k] = float64(k) / float64(len(at)-1)
			}
			break
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

// minGap is the least difference, as a share of the range, at which the places of
// two numbers tell them apart. It bounds the edge weights.
const minGap = 1e-6
