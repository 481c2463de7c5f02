package space_test

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// Values that a distribution has lost keep a vertex, so that the trials that had
// them have a point; they are never handed out.
func TestEarlierDistributions(t *testing.T) {
	ints := func(low, high int) any { return goptuna.IntUniformDistribution{Low: low, High: high} }
	texts := func(choices ...string) any { return goptuna.CategoricalDistribution{Choices: choices} }
	late := func(low, high float64) any {
		return goptuna.DiscreteUniformDistribution{Low: 1.7e9 + low, High: 1.7e9 + high, Q: 0.001}
	}
	for _, test := range []struct {
		name    string
		now     any
		earlier []any
		order   int // vertices
		values  int // that may be handed out
		from    any
		value   float64 // of an earlier trial
		vertex  int     // -1: has none
	}{
		{"a removed choice", texts("a", "c"), []any{texts("a", "b", "c")}, 3, 2, texts("a", "b", "c"), 1, 2},
		{"a choice that stays", texts("a", "c"), []any{texts("a", "b", "c")}, 3, 2, texts("a", "b", "c"), 2, 1},
		{"removed twice", texts("a"), []any{texts("a", "b"), texts("c", "b")}, 3, 1, texts("c", "b"), 0, 2},
		{"a removed number", texts("1", "2", "8"), []any{texts("4", "1")}, 4, 3, texts("4", "1"), 0, 2},
		{"an added choice", texts("a", "b", "c"), []any{texts("a", "b")}, 3, 3, texts("b", "a"), 0, 1},
		{"a narrowed int", ints(3, 5), []any{ints(1, 9)}, 9, 3, ints(1, 9), 1, 0},
		{"a moved int", ints(5, 15), []any{ints(1, 10)}, 15, 11, ints(1, 10), 1, 0},
		{"a value both have", ints(5, 15), []any{ints(1, 10)}, 15, 11, ints(1, 10), 7, 6},
		{"a widened int", ints(0, 10), []any{ints(3, 5)}, 11, 11, ints(3, 5), 3, 3},
		{"too far", ints(0, 10), []any{ints(100, 105)}, 11, 11, ints(100, 105), 100, -1},
		{"another step", ints(0, 4), []any{goptuna.StepIntUniformDistribution{Low: -4, High: 3, Step: 2}}, 9, 5, goptuna.StepIntUniformDistribution{Low: -4, High: 3, Step: 2}, -4, 0},
		{"off the grid", goptuna.StepIntUniformDistribution{Low: 0, High: 7, Step: 2}, []any{ints(1, 3)}, 4, 4, ints(1, 3), 3, -1},
		{"a moved float far from zero", late(0, 0.01), []any{late(-0.004, 0.002)}, 15, 11, late(-0.004, 0.002), 1.7e9 - 0.004, 0},
		{"another kind", texts("a", "b"), []any{ints(0, 1)}, 2, 2, ints(0, 1), 1, -1},
	} {
		p, err := space.NewParam("x", test.now, nil, test.earlier...)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if p.Graph.Order() != test.order {
			t.Errorf("%s: %d vertices, want %d", test.name, p.Graph.Order(), test.order)
		}
		s := spaceOf(t, p)
		if len(s.Params()) != 1 {
			t.Fatalf("%s: the space has no parameter", test.name)
		}
		x, bad := s.Encode(space.Values{Internal: map[string]float64{"x": test.value}, Distributions: map[string]any{"x": test.from}})
		if (bad == nil) != (test.vertex >= 0) || bad == nil && x.V[0] != test.vertex {
			t.Errorf("%s: vertex %v (%t), want %d", test.name, x.V, bad == nil, test.vertex)
		}
		handed := map[float64]bool{}
		for i := range 1000 {
			value := p.FromUnit(float64(i) / 1000)
			if !p.Contains(value) || !fmtest.Contains(test.now, value) {
				t.Fatalf("%s: handed out %v", test.name, value)
			}
			handed[value] = true
			if u, ok := p.Encode(value); !ok || p.Decode(u) != value {
				t.Fatalf("%s: %v does not come back", test.name, value)
			}
		}
		if len(handed) != test.values {
			t.Errorf("%s: %d values handed out, want %d", test.name, len(handed), test.values)
		}
	}
}
