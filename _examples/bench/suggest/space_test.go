package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
)

var allSpaces = []*space{func3C(), service(), nas()}

func TestSpacesHaveTheirKinds(t *testing.T) {
	for i, want := range []string{
		"float 2, log 0, int 0, choice 3, number 0, graph 0",
		"float 0, log 4, int 4, choice 5, number 2, graph 0",
		"float 3, log 3, int 0, choice 0, number 0, graph 12",
	} {
		s := allSpaces[i]
		var float, log, ints, choices, numbers, withGraph int
		for _, p := range s.params {
			switch d := p.distribution.(type) {
			case goptuna.UniformDistribution:
				float++
			case goptuna.LogUniformDistribution:
				log++
			case goptuna.IntUniformDistribution:
				ints++
			case goptuna.CategoricalDistribution:
				_, err := fmt.Sscanf(d.Choices[0], "%f", new(float64))
				switch {
				case p.graph != nil:
					withGraph++
					if p.graph.Order() != len(d.Choices) {
						t.Errorf("%s: the graph of %s has %d vertices for %d choices", s.name, p.name, p.graph.Order(), len(d.Choices))
					}
				case err == nil:
					numbers++
				default:
					choices++
				}
			}
		}
		got := fmt.Sprintf("float %d, log %d, int %d, choice %d, number %d, graph %d", float, log, ints, choices, numbers, withGraph)
		if got != want {
			t.Errorf("%s: got %s, want %s", s.name, got, want)
		}
	}
}

func TestPairGraphs(t *testing.T) {
	for k, want := range map[int]struct {
		vertices, edges int
		why             string
	}{
		2: {3, 2, "a path: (-1,0) - (-1,1) - (0,1)"},
		3: {6, 6, "pairs of a path of 4 vertices; one moves along one of 3 edges, past 2 places for the other"},
		4: {9, 11, "as for 3, with 4 edges and 3 places, without (-1,0), which has one neighbour"},
	} {
		pairs := inputPairs(k)
		g := pairGraph(pairs)
		edges := 0
		for v := range g.Order() {
			edges += len(g.Neighbors(v))
		}
		if g.Order() != want.vertices || edges/2 != want.edges {
			t.Errorf("state %d: %d pairs with %d edges, want %d and %d (%s)", k, g.Order(), edges/2, want.vertices, want.edges, want.why)
		}
		if k == 4 && g.Shape() == graphs.ShapePath {
			t.Error("state 4: the graph is a path")
		}
	}
}

// The objectives are finite, and every parameter matters.
func TestObjectives(t *testing.T) {
	const points = 200
	for _, s := range allSpaces {
		rng := rand.New(rand.NewPCG(1, 2))
		matters := make([]bool, len(s.params))
		for range points {
			x := make([]float64, len(s.params))
			for j := range x {
				x[j] = s.params[j].fromUnit(rng.Float64())
			}
			y := s.objective(x)
			if math.IsNaN(y) || math.IsInf(y, 0) {
				t.Fatalf("%s at %v is %v", s.name, x, y)
			}
			for j := range x {
				moved := slices.Clone(x)
				moved[j] = s.params[j].fromUnit(rng.Float64())
				matters[j] = matters[j] || math.Abs(s.objective(moved)-y) > 1e-9
			}
		}
		for j, yes := range matters {
			if !yes {
				t.Errorf("%s: %s does not matter", s.name, s.params[j].name)
			}
		}
	}
}

// What suggest asks for is what the space says, and what it returns what
// Goptuna stores.
func TestSuggestReturnsWhatIsStored(t *testing.T) {
	for _, s := range allSpaces {
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		var x []float64
		err = study.Optimize(func(trial goptuna.Trial) (y float64, err error) {
			x, err = s.suggest(&trial)
			return 0, err
		}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.check(x); err != nil {
			t.Error(err)
		}
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		for j, p := range s.params {
			if got := trials[0].InternalParams[p.name]; got != x[j] {
				t.Errorf("%s: %s is stored as %v, and was suggested as %v", s.name, p.name, got, x[j])
			}
			if got := fmt.Sprintf("%#v", trials[0].Distributions[p.name]); got != fmt.Sprintf("%#v", p.distribution) {
				t.Errorf("%s: %s is stored with %s", s.name, p.name, got)
			}
		}
	}
}
