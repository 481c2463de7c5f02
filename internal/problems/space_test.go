package problems

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

// Values and Point are inverse to each other, also through JSON.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, p := range All() {
		for range 20 {
			var c []float64
			var v []int
			for _, q := range p.Params {
				if q.Kind == Continuous {
					c = append(c, q.Low+(q.High-q.Low)*rng.Float64())
				} else {
					v = append(v, rng.IntN(q.Levels))
				}
			}
			values := p.Params.Values(c, v)
			text, err := json.Marshal(values)
			if err != nil {
				t.Fatal(err)
			}
			decoded := map[string]any{}
			if err := json.Unmarshal(text, &decoded); err != nil {
				t.Fatal(err)
			}
			for _, values := range []map[string]any{values, decoded} {
				gotC, gotV, err := p.Params.Point(values)
				if err != nil || !slices.Equal(gotC, c) || !slices.Equal(gotV, v) {
					t.Errorf("%s: %v became %v, %v with error %v, want %v, %v", p.Name, values, gotC, gotV, err, c, v)
				}
			}
		}
	}
}

func TestPointRefuses(t *testing.T) {
	space := Space{Float("x", 0, 1), ordinal("n", 1, 3, 3), nominal("h", 2)}
	for _, test := range []struct {
		values map[string]any
		why    string
	}{
		{map[string]any{"x": 0.5, "n": 2}, "h is missing"},
		{map[string]any{"x": 0.5, "n": 2, "h": "c"}, "no such choice"},
		{map[string]any{"x": 1.5, "n": 2, "h": "a"}, "out of range"},
		{map[string]any{"x": 0.5, "n": 2.5, "h": "a"}, "between two grid values"},
		{map[string]any{"x": 0.5, "n": 4, "h": "a"}, "beyond the grid"},
		{map[string]any{"x": "0.5", "n": 2, "h": "a"}, "text for a number"},
	} {
		if c, v, err := space.Point(test.values); err == nil {
			t.Errorf("%v is taken as %v, %v (%s)", test.values, c, v, test.why)
		}
	}
}

// The corners of a space are within its ranges, and formulas take values of numbers and levels of choices.
func TestAt(t *testing.T) {
	space := Space{Float("x", -1, 3), LogFloat("rate", 1e-4, 1e-2), Int("n", 2, 5), ordinal("step", 0.5, 2, 4), nominal("c", 3)}
	low, high := space.At(make([]float64, 5)), space.At(slices.Repeat([]float64{math.Nextafter(1, 0)}, 5))
	if want := []float64{-1, 1e-4, 2, 0.5, 0}; !slices.Equal(low, want) {
		t.Errorf("got %v, want %v", low, want)
	}
	if !(high[0] <= 3 && high[1] <= 1e-2 && high[0] > 2.99 && high[1] > 0.0099) || !slices.Equal(high[2:], []float64{5, 2, 2}) {
		t.Errorf("got %v, want the upper ends", high)
	}
	if got := space.Numbers([]float64{0.5, 1e-3}, []int{1, 2, 2}); !slices.Equal(got, []float64{0.5, 1e-3, 3, 1.5, 2}) {
		t.Errorf("got %v", got)
	}
}

// The graphs are those of the discrete parameters, in order.
func TestGraphs(t *testing.T) {
	cycle := graphs.Cycle(4)
	space := Space{ordinal("n", 1, 3, 3), Float("x", 0, 1), nominal("h", 5), {Name: "g", Kind: Nominal, Levels: 4, Graph: cycle}}
	gs := space.Graphs()
	if len(gs) != 3 || gs[0].Order() != 3 || len(gs[0].Neighbors(0)) != 1 || len(gs[1].Neighbors(0)) != 4 || gs[2] != cycle {
		t.Errorf("got %v", gs)
	}
}
