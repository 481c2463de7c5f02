package graphs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ErrDisconnected is returned, wrapped with a vertex that cannot be reached,
// for a graph in more than one piece.
var ErrDisconnected = errors.New("graphs: graph is not connected")

const badOrder = "graphs: graph needs at least one vertex; use n = 1 for a variable with a single value"

// Edge is an undirected edge between the vertices U and V.
type Edge struct {
	U, V   int
	Weight float64 // positive and finite; 1 in an unweighted graph
}

// Complete returns the graph with an edge of weight one between every two of n
// vertices: values that all differ alike. It uses constant memory.
//
// Complete panics if n < 1.
func Complete(n int) *Graph { return newGraph(n, ShapeComplete, nil) }

// Path returns the path 0 - 1 - … - (n-1) with unit weights: ordered values. It
// uses constant memory.
//
// Path panics if n < 1.
func Path(n int) *Graph {
	if n <= 2 {
		return newGraph(n, ShapeComplete, nil)
	}
	return newGraph(n, ShapePath, nil)
}

// Cycle returns the cycle 0 - 1 - … - (n-1) - 0 with unit weights: periodic
// values. One vertex stays alone and two share a single edge. It uses constant
// memory.
//
// Cycle panics if n < 1.
func Cycle(n int) *Graph {
	if n <= 3 {
		return newGraph(n, ShapeComplete, nil)
	}
	return newGraph(n, ShapeCycle, nil)
}

// FromEdges returns the graph on n vertices with the given edges, each listed
// once and in either direction.
//
// The error names the first edge that has an end outside 0, …, n-1, joins a
// vertex to itself, has a weight that is not positive and finite, or repeats an
// earlier edge. It wraps [ErrDisconnected] if the edges do not connect all
// vertices.
func FromEdges(n int, edges ...Edge) (*Graph, error) {
	if n < 1 {
		return nil, fmt.Errorf("graphs: number of vertices is %d; need at least 1", n)
	}
	first := make(map[[2]int]int, len(edges))
	for i, e := range edges {
		key := [2]int{min(e.U, e.V), max(e.U, e.V)}
		switch {
		case key[0] < 0 || key[1] >= n:
			return nil, fmt.Errorf("graphs: edge %d joins %d and %d; the vertices are 0 to %d", i, e.U, e.V, n-1)
		case e.U == e.V:
			return nil, fmt.Errorf("graphs: edge %d joins vertex %d to itself", i, e.U)
		case !(e.Weight > 0) || math.IsInf(e.Weight, 1):
			return nil, fmt.Errorf("graphs: edge %d between %d and %d has weight %v; need a positive, finite one (1 if unweighted)", i, e.U, e.V, e.Weight)
		}
		if j, ok := first[key]; ok {
			return nil, fmt.Errorf("graphs: edge %d between %d and %d repeats edge %d", i, e.U, e.V, j)
		}
		first[key] = i
	}
	arcs := make([][]arc, n)
	for _, e := range edges {
		arcs[e.U] = append(arcs[e.U], arc{to: e.V, weight: e.Weight})
		arcs[e.V] = append(arcs[e.V], arc{to: e.U, weight: e.Weight})
	}
	for _, from := range arcs {
		slices.SortFunc(from, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
	}
	return explicit(arcs)
}

// FromAdjacency returns the graph whose edge weights are the entries of a; a
// zero means no edge. The matrix is copied.
//
// The error names the first entry that breaks one of the requirements: a is
// square and exactly symmetric, with finite, non-negative entries and a zero
// diagonal. It wraps [ErrDisconnected] if the edges do not connect all
// vertices.
func FromAdjacency(a mat.Matrix) (*Graph, error) {
	if a == nil {
		return nil, errors.New("graphs: adjacency matrix is nil")
	}
	n, cols := a.Dims()
	if n != cols || n < 1 {
		return nil, fmt.Errorf("graphs: adjacency matrix is %d×%d; need a square one with at least one row", n, cols)
	}
	arcs := make([][]arc, n)
	for i := range n {
		for j := range n {
			w := a.At(i, j)
			switch {
			case math.IsNaN(w) || math.IsInf(w, 0):
				return nil, fmt.Errorf("graphs: entry (%d, %d) of the adjacency matrix is %v; weights must be finite", i, j, w)
			case w < 0:
				return nil, fmt.Errorf("graphs: entry (%d, %d) of the adjacency matrix is %v; weights must not be negative", i, j, w)
			case i == j && w != 0:
				return nil, fmt.Errorf("graphs: entry (%d, %d) of the adjacency matrix is %v; the diagonal must be zero", i, j, w)
			case j < i && w != a.At(j, i):
				return nil, fmt.Errorf("graphs: entry (%d, %d) of the adjacency matrix is %v but entry (%d, %d) is %v; the matrix must be symmetric", i, j, w, j, i, a.At(j, i))
			}
			if w > 0 {
				arcs[i] = append(arcs[i], arc{to: j, weight: w})
			}
		}
	}
	return explicit(arcs)
}

// explicit returns the graph with the given arcs, which are sorted and valid
// one by one. It checks what concerns them together.
func explicit(arcs [][]arc) (*Graph, error) {
	for v, from := range arcs {
		var degree float64
		for _, a := range from {
			degree += a.weight
		}
		// No eigenvalue of L exceeds twice the largest degree.
		if math.IsInf(2*degree, 1) {
			return nil, fmt.Errorf("graphs: weights at vertex %d add up to %v, which overflows; scale all weights down", v, degree)
		}
	}
	if v, ok := unreached(arcs); ok {
		return nil, fmt.Errorf("%w: vertex %d cannot be reached from vertex 0; add an edge, with a small weight if the link is weak", ErrDisconnected, v)
	}
	return fromArcs(arcs), nil
}

// unreached returns the first vertex that no walk from vertex 0 reaches.
func unreached(arcs [][]arc) (vertex int, ok bool) {
	seen := make([]bool, len(arcs))
	seen[0] = true
	stack := []int{0}
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, a := range arcs[u] {
			if !seen[a.to] {
				seen[a.to] = true
				stack = append(stack, a.to)
			}
		}
	}
	vertex = slices.Index(seen, false)
	return vertex, vertex >= 0
}
