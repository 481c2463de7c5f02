package graphs

import (
	"sort"
	"sync"

	"gonum.org/v1/gonum/mat"
)

const badVertex = "graphs: vertex out of range"

// Graph is a weighted, undirected, connected graph on the vertices 0, …, n-1.
// Build one with [Complete], [Path], [Cycle], [FromEdges] or [FromAdjacency];
// the zero value is not a graph. A Graph never changes after construction and
// is safe for concurrent use.
type Graph struct {
	order int
	shape Shape
	arcs  [][]arc // per vertex, sorted by to; nil unless shape is ShapeGeneral

	spectrum func() (*Spectrum, error) // computed by the first call, as is cone
	cone     func() (*Graph, error)
}

// newGraph returns the graph with the given arcs, which only ShapeGeneral has.
func newGraph(order int, shape Shape, arcs [][]arc) *Graph {
	if order < 1 {
		panic(badOrder)
	}
	g := &Graph{order: order, shape: shape, arcs: arcs}
	g.spectrum, g.cone = sync.OnceValues(g.newSpectrum), sync.OnceValues(g.newCone)
	return g
}

// fromArcs returns the connected graph with the given arcs, which are sorted.
func fromArcs(arcs [][]arc) *Graph {
	shape := detectShape(arcs)
	if shape != ShapeGeneral {
		return newGraph(len(arcs), shape, nil)
	}
	return newGraph(len(arcs), shape, arcs)
}

// arc is one direction of an edge.
type arc struct {
	to     int
	weight float64
}

// Order returns the number of vertices.
func (g *Graph) Order() int { return g.order }

// Shape returns the shape of the graph, which tells the closed forms that hold
// for it.
func (g *Graph) Shape() Shape { return g.shape }

// Neighbors returns the vertices adjacent to v in ascending order, in a new
// slice. It panics if v is out of range.
func (g *Graph) Neighbors(v int) []int {
	g.check(v)
	switch n := g.order; g.shape {
	case ShapeComplete:
		to := make([]int, 0, n-1)
		for u := range n {
			if u != v {
				to = append(to, u)
			}
		}
		return to
	case ShapePath, ShapeCycle:
		switch {
		case v > 0 && v < n-1:
			return []int{v - 1, v + 1}
		case g.shape == ShapePath && v == 0:
			return []int{1}
		case g.shape == ShapePath:
			return []int{n - 2}
		case v == 0:
			return []int{1, n - 1}
		default:
			return []int{0, n - 2}
		}
	}
	to := make([]int, len(g.arcs[v]))
	for i, a := range g.arcs[v] {
		to[i] = a.to
	}
	return to
}

// Weight returns the weight of the edge between u and v, and 0 if they are not
// adjacent or u == v. It panics if u or v is out of range.
func (g *Graph) Weight(u, v int) float64 {
	g.check(u)
	g.check(v)
	gap := max(u, v) - min(u, v)
	adjacent := false
	switch g.shape {
	case ShapeComplete:
		adjacent = gap != 0
	case ShapePath:
		adjacent = gap == 1
	case ShapeCycle:
		adjacent = gap == 1 || gap == g.order-1
	default:
		from := g.arcs[u]
		i := sort.Search(len(from), func(i int) bool { return from[i].to >= v })
		if i < len(from) && from[i].to == v {
			return from[i].weight
		}
	}
	if adjacent {
		return 1
	}
	return 0
}

// PathWeights returns the weights of the edges 0-1, 1-2, …, n-1 of them in a new
// slice, when the graph is a path in the natural order of its vertices, with any
// weights; otherwise ok is false.
func (g *Graph) PathWeights() (weights []float64, ok bool) {
	for u := range g.order - 1 {
		// No edge leads further up than to the next vertex, and one leads there.
		if near := g.Neighbors(u); near[len(near)-1] != u+1 {
			return nil, false
		}
		weights = append(weights, g.Weight(u, u+1))
	}
	return weights, true
}

// Normalized returns the graph with its weights divided by their mean, so that
// only their ratios count. It returns g itself when the mean is one.
func (g *Graph) Normalized() *Graph {
	if g.shape != ShapeGeneral {
		return g
	}
	var largest, sum float64
	edges := 0
	for _, from := range g.arcs {
		for _, a := range from {
			largest = max(largest, a.weight)
			edges++
		}
	}
	for _, from := range g.arcs {
		for _, a := range from {
			sum += a.weight / largest // the sum of the weights may overflow
		}
	}
	mean := sum / float64(edges)
	if mean*largest == 1 {
		return g
	}
	arcs := make([][]arc, len(g.arcs))
	for u, from := range g.arcs {
		for _, a := range from {
			arcs[u] = append(arcs[u], arc{a.to, max(a.weight/largest/mean, smallestWeight)})
		}
	}
	return fromArcs(arcs)
}

// smallestWeight keeps an edge that is negligible beside the others from
// vanishing.
const smallestWeight = 1e-300

// Laplacian returns L = D - A in a new n×n matrix.
func (g *Graph) Laplacian() *mat.SymDense {
	l := mat.NewSymDense(g.order, nil)
	for u := range g.order {
		var degree float64
		for _, v := range g.Neighbors(u) {
			w := g.Weight(u, v)
			degree += w
			if v > u {
				l.SetSym(u, v, -w)
			}
		}
		l.SetSym(u, u, degree)
	}
	return l
}

func (g *Graph) check(v int) {
	if v < 0 || v >= g.order {
		panic(badVertex)
	}
}
