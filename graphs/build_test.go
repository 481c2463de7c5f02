package graphs_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

func TestFromEdgesErrors(t *testing.T) {
	edge := func(u, v int, w float64) graphs.Edge { return graphs.Edge{U: u, V: v, Weight: w} }
	for _, test := range []struct {
		name         string
		n            int
		edges        []graphs.Edge
		want         string
		disconnected bool
	}{
		{name: "no vertices", n: 0, want: "number of vertices is 0"},
		{name: "negative order", n: -2, want: "number of vertices is -2"},
		{name: "vertex too large", n: 3, edges: []graphs.Edge{edge(0, 1, 1), edge(1, 3, 1)}, want: "edge 1 joins 1 and 3; the vertices are 0 to 2"},
		{name: "vertex negative", n: 3, edges: []graphs.Edge{edge(0, -1, 1)}, want: "edge 0 joins 0 and -1"},
		{name: "loop", n: 3, edges: []graphs.Edge{edge(0, 1, 1), edge(2, 2, 1)}, want: "edge 1 joins vertex 2 to itself"},
		{name: "no weight", n: 2, edges: []graphs.Edge{{U: 0, V: 1}}, want: "edge 0 between 0 and 1 has weight 0"},
		{name: "negative weight", n: 2, edges: []graphs.Edge{edge(0, 1, -1)}, want: "has weight -1"},
		{name: "NaN weight", n: 2, edges: []graphs.Edge{edge(0, 1, math.NaN())}, want: "has weight NaN"},
		{name: "infinite weight", n: 2, edges: []graphs.Edge{edge(0, 1, math.Inf(1))}, want: "has weight +Inf"},
		{name: "duplicate", n: 3, edges: []graphs.Edge{edge(0, 1, 1), edge(1, 2, 1), edge(0, 1, 1)}, want: "edge 2 between 0 and 1 repeats edge 0"},
		{name: "duplicate reversed", n: 3, edges: []graphs.Edge{edge(0, 1, 1), edge(1, 0, 2)}, want: "edge 1 between 1 and 0 repeats edge 0"},
		{name: "overflow", n: 3, edges: []graphs.Edge{edge(0, 1, 1e308), edge(1, 2, 1e308)}, want: "scale all weights down"},
		{name: "no edges", n: 2, want: "vertex 1 cannot be reached", disconnected: true},
		{name: "two pieces", n: 4, edges: []graphs.Edge{edge(0, 2, 1), edge(3, 1, 1)}, want: "vertex 1 cannot be reached", disconnected: true},
	} {
		g, err := graphs.FromEdges(test.n, test.edges...)
		checkError(t, test.name, g, err, test.want, test.disconnected)
	}
}

func TestFromAdjacencyErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name         string
		a            mat.Matrix
		want         string
		disconnected bool
	}{
		{name: "nil", a: nil, want: "matrix is nil"},
		{name: "empty", a: &mat.Dense{}, want: "0×0"},
		{name: "not square", a: mat.NewDense(2, 3, nil), want: "2×3"},
		{name: "NaN", a: mat.NewDense(2, 2, []float64{0, nan, nan, 0}), want: "entry (0, 1) of the adjacency matrix is NaN"},
		{name: "infinite", a: mat.NewDense(2, 2, []float64{0, inf, inf, 0}), want: "entry (0, 1) of the adjacency matrix is +Inf"},
		{name: "negative", a: mat.NewDense(2, 2, []float64{0, -3, -3, 0}), want: "entry (0, 1) of the adjacency matrix is -3"},
		{name: "diagonal", a: mat.NewDense(2, 2, []float64{0, 1, 1, 2}), want: "entry (1, 1) of the adjacency matrix is 2"},
		{name: "NaN on the diagonal", a: mat.NewDense(2, 2, []float64{0, 1, 1, nan}), want: "entry (1, 1) of the adjacency matrix is NaN"},
		{name: "asymmetric", a: mat.NewDense(2, 2, []float64{0, 1, 1.5, 0}), want: "entry (1, 0) of the adjacency matrix is 1.5 but entry (0, 1) is 1"},
		{name: "NaN below the diagonal", a: mat.NewDense(2, 2, []float64{0, 1, nan, 0}), want: "entry (1, 0) of the adjacency matrix is NaN"},
		{name: "overflow", a: mat.NewDense(2, 2, []float64{0, 1e308, 1e308, 0}), want: "scale all weights down"},
		{name: "two pieces", a: mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 0, 0, 0, 0}), want: "vertex 2 cannot be reached", disconnected: true},
	} {
		g, err := graphs.FromAdjacency(test.a)
		checkError(t, test.name, g, err, test.want, test.disconnected)
	}
}

func checkError(t *testing.T, name string, g *graphs.Graph, err error, want string, disconnected bool) {
	t.Helper()
	switch {
	case err == nil || g != nil:
		t.Errorf("%s: no error, want %q", name, want)
	case !strings.HasPrefix(err.Error(), "graphs: ") || !strings.Contains(err.Error(), want):
		t.Errorf("%s: error %q, want %q", name, err, want)
	case errors.Is(err, graphs.ErrDisconnected) != disconnected:
		t.Errorf("%s: errors.Is(err, ErrDisconnected) = %v for %q", name, !disconnected, err)
	}
}

func TestPanics(t *testing.T) {
	path := graphs.Path(3)
	spectrum, err := path.Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		call func()
		want string
	}{
		{"Complete(0)", func() { graphs.Complete(0) }, "use n = 1"},
		{"Path(0)", func() { graphs.Path(0) }, "use n = 1"},
		{"Cycle(-1)", func() { graphs.Cycle(-1) }, "use n = 1"},
		{"Neighbors(3)", func() { path.Neighbors(3) }, "vertex out of range"},
		{"Neighbors(-1)", func() { path.Neighbors(-1) }, "vertex out of range"},
		{"Weight(0, 3)", func() { path.Weight(0, 3) }, "vertex out of range"},
		{"Coef(3, 0)", func() { spectrum.Coef(3, 0) }, "vertex out of range"},
		{"Coef(0, -1)", func() { spectrum.Coef(0, -1) }, "vertex out of range"},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "graphs: ") || !strings.Contains(got, test.want) {
					t.Errorf("%s: panic %q, want %q", test.name, got, test.want)
				}
			}()
			test.call()
		}()
	}
}

// The graph must not see later changes of the matrix it was built from.
func TestFromAdjacencyCopies(t *testing.T) {
	a := mat.NewSymDense(2, []float64{0, 2, 2, 0})
	g := must(graphs.FromAdjacency(a))
	a.SetSym(0, 1, 5)
	if got := g.Weight(0, 1); got != 2 {
		t.Errorf("weight %v after the matrix changed, want 2", got)
	}
}
