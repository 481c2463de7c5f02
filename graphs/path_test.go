package graphs_test

import (
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// weightedPath returns the path 0 - 1 - … with the given weights.
func weightedPath(weights ...float64) *graphs.Graph {
	edges := make([]graphs.Edge, len(weights))
	for i, w := range weights {
		edges[i] = graphs.Edge{U: i, V: i + 1, Weight: w}
	}
	return must(graphs.FromEdges(len(weights)+1, edges...))
}

func TestPathWeights(t *testing.T) {
	edge := func(u, v int, w float64) graphs.Edge { return graphs.Edge{U: u, V: v, Weight: w} }
	for _, test := range []struct {
		name string
		g    *graphs.Graph
		want []float64
		ok   bool
		why  string
	}{
		{"K_1", graphs.Complete(1), nil, true, "a path without edges"},
		{"K_2", graphs.Complete(2), []float64{1}, true, "K_2 = P_2"},
		{"heavy K_2", weightedPath(3), []float64{3}, true, "one edge is a path"},
		{"K_3", graphs.Complete(3), nil, false, "an edge too many"},
		{"P_5", graphs.Path(5), []float64{1, 1, 1, 1}, true, "as built"},
		{"weighted", weightedPath(2, 0.5, 7), []float64{2, 0.5, 7}, true, "any weights"},
		{"weighted, edges reversed", must(graphs.FromEdges(3, edge(2, 1, 5), edge(1, 0, 2))), []float64{2, 5}, true, "the order of the edges does not matter"},
		{"adjacency", must(graphs.FromAdjacency(adjacency(weightedPath(2, 3)))), []float64{2, 3}, true, "however it was built"},
		{"C_4", graphs.Cycle(4), nil, false, "closed"},
		{"weighted cycle", must(graphs.FromEdges(3, edge(0, 1, 1), edge(1, 2, 1), edge(0, 2, 2))), nil, false, "closed: n edges"},
		{"weighted cycle of 4", must(graphs.FromEdges(4, edge(0, 1, 1), edge(1, 2, 1), edge(2, 3, 1), edge(0, 3, 2))), nil, false, "no vertex has more than two neighbours, but n edges"},
		{"path with a chord", must(graphs.FromEdges(4, edge(0, 1, 1), edge(1, 2, 1), edge(2, 3, 1), edge(0, 2, 1))), nil, false, "vertex 2 has three neighbours"},
		{"chord on the last vertices", must(graphs.FromEdges(4, edge(0, 1, 2), edge(1, 2, 2), edge(2, 3, 2), edge(1, 3, 2))), nil, false, "vertex 1 has three neighbours"},
		{"star", must(graphs.FromEdges(4, star(4)...)), nil, false, "a tree, not a path"},
		{"P_3 renumbered", must(graphs.FromEdges(3, star(3)...)), nil, false, "1-0-2 is a path in another order"},
		{"P_4 renumbered", must(graphs.FromEdges(4, edge(0, 1, 2), edge(1, 3, 2), edge(3, 2, 2))), nil, false, "0-1-3-2 is a path in another order"},
		{"heavy K_3", scaled(graphs.Complete(3), 2), nil, false, "closed"},
	} {
		got, ok := test.g.PathWeights()
		if ok != test.ok || ok && !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %t; want %v, %t (%s)", test.name, got, ok, test.want, test.ok, test.why)
		}
	}
}
