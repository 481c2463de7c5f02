package graphs

import "fmt"

// Shape tells which closed forms hold for a graph.
type Shape int

const (
	// ShapeGeneral is any graph that has none of the shapes below.
	ShapeGeneral Shape = iota

	// ShapeComplete is a graph with an edge of weight one between every two
	// vertices. The one-vertex graph, a single edge of weight one and a
	// triangle of such edges are complete, however they were built.
	ShapeComplete

	// ShapePath is 0 - 1 - … - (n-1), n ≥ 3, with weight one on every edge.
	ShapePath

	// ShapeCycle is the path closed by an edge of weight one between n-1 and
	// 0, n ≥ 4.
	ShapeCycle
)

// String returns the shape in lower case.
func (s Shape) String() string {
	switch s {
	case ShapeGeneral:
		return "general"
	case ShapeComplete:
		return "complete"
	case ShapePath:
		return "path"
	case ShapeCycle:
		return "cycle"
	}
	return fmt.Sprintf("Shape(%d)", int(s))
}

// detectShape returns the shape of the connected graph with the given arcs,
// which are sorted within each vertex. It compares vertices in their natural
// order only: a path whose vertices were renumbered is general.
func detectShape(arcs [][]arc) Shape {
	n := len(arcs)
	edges := 0
	consecutive := true // every edge joins i and i+1 mod n
	for u, from := range arcs {
		for _, a := range from {
			if a.weight != 1 {
				return ShapeGeneral
			}
			if a.to < u {
				continue
			}
			edges++
			if a.to != u+1 && (u != 0 || a.to != n-1) {
				consecutive = false
			}
		}
	}
	switch {
	case edges == n*(n-1)/2:
		return ShapeComplete
	case consecutive && edges == n:
		return ShapeCycle
	case consecutive && len(arcs[0]) == 1 && arcs[0][0].to == 1 && len(arcs[n-1]) == 1:
		return ShapePath
	}
	return ShapeGeneral
}
