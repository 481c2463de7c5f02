package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// The matrix that is kept equals its factor at t = 0 to the last bit, and so do its
// derivatives, at one β after another.
func TestUnmodulatedFactor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for name, g := range map[string]*graphs.Graph{
		"complete": graphs.Complete(5), "path": graphs.Path(7), "long path": graphs.Path(40), "cycle": graphs.Cycle(6),
	} {
		n := g.Order()
		plain, err := Laplacian{}.factor(g)
		if err != nil {
			t.Fatal(err)
		}
		kept := unmodulated(plain, n)
		if _, ok := kept.(*unmodulatedFactor); !ok {
			t.Fatalf("%s: nothing is kept", name)
		}
		const pairs = 30
		vs, zeros, u := make([]int32, pairs), make([]float64, pairs), make([]float64, pairs)
		for _, beta := range []float64{0.3, 2, 0.3} {
			kept.bind(beta) // and the plain one, which it has
			for range 4 {
				v := int32(rng.IntN(n))
				got, want := make([]float64, pairs), make([]float64, pairs)
				for j := range pairs {
					vs[j], u[j] = int32(rng.IntN(n)), rng.NormFloat64()
					got[j] = rng.Float64()
					want[j] = got[j]
				}
				kept.mulRow(got, v, vs, 0.7, zeros)
				plain.mulRow(want, v, vs, 0.7, zeros)
				for j := range pairs {
					if got[j] != want[j] {
						t.Errorf("%s, β = %v: entry (%d, %d) is %v, want %v", name, beta, v, vs[j], got[j], want[j])
					}
				}
				slope := make([]float64, pairs)
				gotBeta, gotAlpha := kept.gradRow(slope, u, v, vs, 0.7, zeros)
				wantBeta, wantAlpha := plain.gradRow(slope, u, v, vs, 0.7, zeros)
				if gotBeta != wantBeta || gotAlpha != wantAlpha {
					t.Errorf("%s, β = %v: derivatives %v, %v, want %v, %v", name, beta, gotBeta, gotAlpha, wantBeta, wantAlpha)
				}
			}
		}
	}
}

// A kernel keeps matrices where nothing modulates its graphs, and only there.
func TestIsUnmodulated(t *testing.T) {
	gs := []*graphs.Graph{graphs.Complete(3)}
	for _, test := range []struct {
		form Form
		dims int
		want bool
	}{{Modulated, 0, true}, {Modulated, 1, false}, {Product, 2, true}, {Sum, 2, true}} {
		k, err := New("", test.form, Laplacian{}, nil, test.dims, gs)
		if err != nil {
			t.Fatal(err)
		}
		f, err := k.factor(gs[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, got := f.(*unmodulatedFactor); got != test.want {
			t.Errorf("form %d on %d dimensions: %v, want %v", test.form, test.dims, got, test.want)
		}
	}
}
