package graphs_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// The cone keeps the eigenvectors of the graph, shifts their eigenvalues by the
// weight of the new edges, and adds one mode at the smallest of the graph's.
func TestCone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, g := range []*graphs.Graph{
		graphs.Path(3), graphs.Path(19), graphs.Path(30), graphs.Cycle(7), random(rng, 6), random(rng, 12),
	} {
		cone, err := g.Cone()
		if err != nil {
			t.Fatal(err)
		}
		n := g.Order()
		before, after := g.Eigenvalues(), cone.Eigenvalues()
		if cone.Order() != n+1 {
			t.Fatalf("cone over %d vertices has %d", n, cone.Order())
		}
		w := cone.Weight(0, n)
		want := append([]float64{0, before[1]}, before[1:]...)
		for i := 2; i <= n; i++ {
			want[i] += w
		}
		for i := range want {
			if math.Abs(after[i]-want[i]) > 1e-11*before[n-1] {
				t.Errorf("order %d: eigenvalue %d is %v, want %v", n, i, after[i], want[i])
			}
		}
		for u := range n {
			if cone.Weight(u, n) != w {
				t.Errorf("order %d: the apex is joined to %d by %v, to 0 by %v", n, u, cone.Weight(u, n), w)
			}
			for v := range u {
				if cone.Weight(u, v) != g.Weight(u, v) {
					t.Errorf("order %d: the weight of %d-%d changed", n, u, v)
				}
			}
		}
		if again, _ := g.Cone(); again != cone {
			t.Errorf("order %d: the cone is built again", n)
		}
	}
	for _, n := range []int{1, 2, 5} {
		if cone, err := graphs.Complete(n).Cone(); err != nil || cone.Shape() != graphs.ShapeComplete || cone.Order() != n+1 {
			t.Errorf("the cone over a complete graph of %d vertices is not complete", n)
		}
	}
}
