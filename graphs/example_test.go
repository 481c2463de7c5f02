package graphs_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Three colours that have no order.
func ExampleComplete() {
	g := graphs.Complete(3)
	s, err := g.Spectrum()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Shape(), g.Neighbors(1))
	fmt.Printf("%.4g %v\n", s.Lambda, s.Multiplicity())
	fmt.Printf("%.4g %.4g\n", s.Coef(0, 0), s.Coef(0, 1))
	// Output:
	// complete [0 2]
	// [0 3] [1 2]
	// [0.3333 0.6667] [0.3333 -0.3333]
}

// Batch sizes 16, 32, 64, 128: each is close to the next.
func ExamplePath() {
	g := graphs.Path(4)
	fmt.Println(g.Shape(), g.Neighbors(0), g.Neighbors(1))
	fmt.Printf("%.4g\n", g.Eigenvalues())
	// Output:
	// path [1] [0 2]
	// [0 0.5858 2 3.414]
}

// The four seasons: winter is followed by spring.
func ExampleCycle() {
	g := graphs.Cycle(4)
	fmt.Println(g.Shape(), g.Neighbors(0))
	fmt.Printf("%.4g\n", g.Eigenvalues())
	// Output:
	// cycle [1 3]
	// [0 2 2 4]
}

// Optimisers sgd, momentum, adam and adamw, where the last two differ least.
func ExampleFromEdges() {
	g, err := graphs.FromEdges(4,
		graphs.Edge{U: 0, V: 1, Weight: 1},
		graphs.Edge{U: 1, V: 2, Weight: 0.5},
		graphs.Edge{U: 2, V: 3, Weight: 4},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Shape(), g.Neighbors(2), g.Weight(3, 2))

	_, err = graphs.FromEdges(3, graphs.Edge{U: 0, V: 1, Weight: 1})
	fmt.Println(err)
	// Output:
	// general [1 3] 4
	// graphs: graph is not connected: vertex 2 cannot be reached from vertex 0; add an edge, with a small weight if the link is weak
}

func ExampleFromAdjacency() {
	g, err := graphs.FromAdjacency(mat.NewSymDense(3, []float64{
		0, 2, 1,
		2, 0, 0,
		1, 0, 0,
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mat.Formatted(g.Laplacian()))
	// Output:
	// ⎡ 3  -2  -1⎤
	// ⎢-2   2   0⎥
	// ⎣-1   0   1⎦
}

// A variable with three ordered values that may also be absent: the apex is
// vertex 3.
func ExampleGraph_Cone() {
	g, err := graphs.Path(3).Cone()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Neighbors(3))
	fmt.Printf("%.4g %.4g\n", g.Weight(0, 1), g.Weight(0, 3))
	// Output:
	// [0 1 2]
	// 1 0.25
}

// Only the ratios of weights count.
func ExampleGraph_Normalized() {
	g, err := graphs.FromEdges(3, graphs.Edge{U: 0, V: 1, Weight: 10}, graphs.Edge{U: 1, V: 2, Weight: 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	n := g.Normalized()
	fmt.Printf("%.4g %.4g\n", n.Weight(0, 1), n.Weight(1, 2))
	// Output: 0.5 1.5
}

// Two different values are unlike in the frequency 3, and alike in the frequency
// 0, which all values share.
func ExampleGraph_Spectrum() {
	s, err := graphs.Complete(3).Spectrum()
	if err != nil {
		fmt.Println(err)
		return
	}
	for m, c := range s.Coef(0, 1) {
		fmt.Printf("%.4g %.4g\n", s.Lambda[m], c)
	}
	// Output:
	// 0 0.3333
	// 3 -0.3333
}
