package graphs_test

import (
	"math"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

func TestNormalized(t *testing.T) {
	edges := func(w ...float64) *graphs.Graph {
		var es []graphs.Edge
		for i, x := range w {
			es = append(es, graphs.Edge{U: i, V: i + 1, Weight: x})
		}
		g, err := graphs.FromEdges(len(w)+1, es...)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, test := range []struct {
		name  string
		g     *graphs.Graph
		want  []float64 // weights of the edges i to i+1
		shape graphs.Shape
		why   string
	}{
		{"equal weights", edges(7, 7, 7), []float64{1, 1, 1}, graphs.ShapePath, "becomes the unit path, with its closed form"},
		{"ratios", edges(1, 3), []float64{0.5, 1.5}, graphs.ShapeGeneral, "mean 2"},
		{"huge", edges(4e307, 4e307, 4e307), []float64{1, 1, 1}, graphs.ShapePath, "the sum of all overflows"},
		{"tiny beside huge", edges(1e-300, 1e300), []float64{1e-300, 2}, graphs.ShapeGeneral, "an edge does not vanish"},
		{"unit", graphs.Complete(4), []float64{1, 1, 1}, graphs.ShapeComplete, "unchanged"},
	} {
		n := test.g.Normalized()
		if n.Shape() != test.shape {
			t.Errorf("%s: shape %v, want %v (%s)", test.name, n.Shape(), test.shape, test.why)
		}
		for i, w := range test.want {
			if got := n.Weight(i, i+1); math.Abs(got-w) > 1e-15*w {
				t.Errorf("%s: edge %d has weight %g, want %g (%s)", test.name, i, got, w, test.why)
			}
		}
	}
}
