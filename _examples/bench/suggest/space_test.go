package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

func TestSpacesHaveTheirKinds(t *testing.T) {
	for i, want := range []string{
		"float 2, log 0, int 0, choice 3, number 0, graph 0",
		"float 0, log 4, int 4, choice 5, number 2, graph 0",
		"float 3, log 3, int 0, choice 8, number 0, graph 4",
	} {
		var float, log, ints, choices, numbers, withGraph int
		for _, q := range spaces[i].Space {
			switch {
			case q.Kind == problems.Ordinal:
				ints++
			case q.Log:
				log++
			case q.Kind == problems.Continuous:
				float++
			case q.Graph != nil:
				withGraph++
			default:
				if _, err := fmt.Sscanf(q.Choices[0], "%f", new(float64)); err == nil {
					numbers++
				} else {
					choices++
				}
			}
		}
		got := fmt.Sprintf("float %d, log %d, int %d, choice %d, number %d, graph %d", float, log, ints, choices, numbers, withGraph)
		if got != want {
			t.Errorf("%s: got %s, want %s", spaces[i].Name, got, want)
		}
	}
}

// The objectives are finite, and every parameter matters.
func TestObjectives(t *testing.T) {
	const points = 200
	for _, s := range spaces {
		rng := rand.New(rand.NewPCG(1, 2))
		matters := make([]bool, len(s.Space))
		for range points {
			x := make([]float64, len(s.Space))
			for j, q := range s.Space {
				x[j] = fromUnit(q, rng.Float64())
			}
			y := s.objective(x)
			if math.IsNaN(y) || math.IsInf(y, 0) {
				t.Fatalf("%s at %v is %v", s.Name, x, y)
			}
			for j, q := range s.Space {
				moved := slices.Clone(x)
				moved[j] = fromUnit(q, rng.Float64())
				matters[j] = matters[j] || math.Abs(s.objective(moved)-y) > 1e-9
			}
		}
		for j, yes := range matters {
			if !yes {
				t.Errorf("%s: %s does not matter", s.Name, s.Space[j].Name)
			}
		}
	}
}

// Points and units are inverse to each other.
func TestUnits(t *testing.T) {
	for _, s := range spaces {
		for _, o := range s.history(50, 2) {
			if c, v := split(s.Space, o.x); !slices.Equal(s.Space.InOrder(c, v), o.x) {
				t.Errorf("%s: %v becomes %v, %v", s.Name, o.x, c, v)
			}
			for j, q := range s.Space {
				if back := fromUnit(q, toUnit(q, o.x[j])); math.Abs(back-o.x[j]) > 1e-9*math.Abs(o.x[j]) {
					t.Errorf("%s: %s = %v becomes %v", s.Name, q.Name, o.x[j], back)
				}
			}
		}
	}
}
