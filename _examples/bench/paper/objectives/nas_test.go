package objectives

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The numbers of Supp. Sec. 3.2 and of Sec. 5.3.
func TestNASSpace(t *testing.T) {
	space := nasSpace()
	continuous, discrete := space.Dims()
	if continuous != 6 || discrete != 12 {
		t.Errorf("%d continuous and %d discrete parameters, want 6 and 12", continuous, discrete)
	}
	choices := 1
	for _, q := range space {
		if q.Kind == problems.Nominal {
			choices *= q.Levels
		}
	}
	if choices != 8_153_726_976 {
		t.Errorf("%d architectures, want 8,153,726,976", choices)
	}
	for name, want := range map[string][2]float64{
		"log_learning_rate": {math.Log(0.001), math.Log(0.1)},
		"momentum":          {0.8, 1},
		"log_weight_decay":  {math.Log(1e-6), math.Log(1e-2)},
		"reduction_factor":  {0.1, 0.9},
		"reduction_point1":  {0, 1},
		"reduction_point2":  {0, 1},
	} {
		i := slices.IndexFunc(space, func(q problems.Param) bool { return q.Name == name })
		if i < 0 || space[i].Low != want[0] || space[i].High != want[1] {
			t.Errorf("%s has another range than %v", name, want)
		}
	}
}

func TestNASGraphs(t *testing.T) {
	all := nasSpace().Graphs()
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
	if got, want := fmt.Sprint(inputPairs(3)), "[[-1 0] [-1 1] [-1 2] [0 1] [0 2] [1 2]]"; got != want {
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
	if slices.Contains(inputPairs(4), [2]int{-1, 0}) {
		t.Error("S4 may have both inputs of the block")
	}
}
