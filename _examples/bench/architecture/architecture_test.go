package architecture

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

func TestGraphs(t *testing.T) {
	all := Space().Graphs()
	for i, g := range all[:8] {
		if g.Order() != 8 || len(g.Neighbors(0)) != 7 {
			t.Errorf("operation %d: a vertex of %d has %d neighbours, want the complete graph of 8", i, g.Order(), len(g.Neighbors(0)))
		}
	}
	path := graphs.Path(3)
	for v := range 3 {
		if got, want := fmt.Sprint(all[11].Neighbors(v)), fmt.Sprint(path.Neighbors(v)); got != want {
			t.Errorf("output %d has neighbours %s, want %s as in a path", v, got, want)
		}
	}

	// The pairs of S3 in the supplement's order: (-1,0) (-1,1) (-1,2) (0,1) (0,2) (1,2).
	if got, want := fmt.Sprint(InputPairs(3)), "[[-1 0] [-1 1] [-1 2] [0 1] [0 2] [1 2]]"; got != want {
		t.Errorf("pairs of S3: got %s, want %s", got, want)
	}
	want := [][]int{{1}, {0, 2, 3}, {1, 4}, {1, 4}, {2, 3, 5}, {4}} // by hand
	for v, neighbours := range want {
		got := slices.Sorted(slices.Values(all[9].Neighbors(v)))
		if !slices.Equal(got, neighbours) {
			t.Errorf("S3, pair %d: got neighbours %v, want %v", v, got, neighbours)
		}
	}
	for i, order := range []int{3, 6, 9} {
		if got := all[8+i].Order(); got != order {
			t.Errorf("S%d has %d pairs, want %d", i+2, got, order)
		}
	}
	if slices.Contains(InputPairs(4), [2]int{-1, 0}) {
		t.Error("S4 may have both inputs of the block")
	}
}
