package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// The search is on a plateau when a third of the start-up is about as good as the best.
func TestOnPlateau(t *testing.T) {
	nothing := slices.Repeat([]float64{0.8}, 8)
	for _, test := range []struct {
		name string
		ys   []float64
		want bool
	}{
		{"four of ten alike", append([]float64{0, 0.05, 0.06, 0.07, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), true},
		{"three of ten alike", append([]float64{0, 0.05, 0.06, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), false},
		{"four of ten not so good", append([]float64{0, 0.15, 0.16, 0.17, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, nothing...), false},
		{"a search that gains", append([]float64{0, 0.05, 0.06, 0.07, 0.7, 0.8, 0.9, 1, 1.1, 1.2}, append(nothing[1:], -0.03)...), false},
	} {
		if got := onPlateau(&observe.Problem{FeasibleY: test.ys}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// The search is beside a plateau when a third of the values are alike and the best is
// another: not with fewer, not where they differ by more, not while the start-up's are most
// of them, and not where the best is one of them.
func TestBesidePlateau(t *testing.T) {
	// Eight values lie between those of the start-up, so that no others are alike.
	others := []float64{0.07, 0.21, 0.36, 0.5, 0.64, 0.79, 0.93, 1.07}
	alike := func(n int, at, width float64) (ys []float64) {
		for i := range n {
			ys = append(ys, at+width*float64(i)/float64(n-1))
		}
		return ys
	}
	for _, test := range []struct {
		name string
		ys   []float64
		want bool
	}{
		{"a third", slices.Concat(evenStart(), others, alike(9, 2, 0.04)), true},
		{"a quarter", slices.Concat(evenStart(), others, alike(6, 2, 0.04)), false},
		{"a third that differ", slices.Concat(evenStart(), others, alike(9, 2, 0.08)), false},
		{"a third, too soon", slices.Concat(evenStart(), alike(7, 2, 0.04)), false},
		{"the best among them", slices.Concat(evenStart(), others, alike(9, 0, 0.04)), false},
	} {
		if got := besidePlateau(&observe.Problem{FeasibleY: test.ys}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// Linear targets show nothing but the worst value where it is five spreads from the best,
// feasible or not, and as little where an infeasible one is as far below.
func TestHeavyTailed(t *testing.T) {
	for value, want := range map[float64]bool{3: false, 5: true, -1: false, -4: true} {
		start := evenStart()
		if got := heavyTailed(&observe.Problem{Y: append(start, value), FeasibleY: start}); got != want {
			t.Errorf("infeasible value %v: %t, want %t", value, got, want)
		}
		if ys := append(start, value); value > 0 && heavyTailed(&observe.Problem{Y: ys, FeasibleY: ys}) != want {
			t.Errorf("feasible value %v: %t, want %t", value, !want, want)
		}
	}
}

// A value of a choice is neglected while it has less than its share of the trials, the least
// tried first; one that has always failed, less than half of it. Values of numbers, and of
// choices that not all trials have or with more than ten values, are not.
func TestNeglected(t *testing.T) {
	modes := func(n ...int) (trials []finishedTrial) { // how many trials each has; that of the last failed
		for v, n := range n {
			for range n {
				trials = append(trials, finishedTrial{at(float64(v)), 1})
			}
		}
		return trials
	}
	fail := func(trials []finishedTrial, v float64) []finishedTrial {
		for i := range trials {
			if trials[i].values["mode"] == v {
				trials[i].y = math.NaN()
			}
		}
		return trials
	}
	optional := modes(9, 1)
	for range 10 {
		optional = append(optional, finishedTrial{map[string]float64{"other": 0}, 1})
	}
	for _, test := range []struct {
		name   string
		mode   any
		trials []finishedTrial
		want   []int
	}{
		{"the least tried first", choice(4), modes(5, 2, 4, 1), []int{3, 1}},
		{"one third of its share, and failed", choice(4), fail(modes(4, 4, 3, 1), 3), []int{3}},
		{"two thirds of its share, and failed", choice(4), fail(modes(4, 3, 3, 2), 3), nil},
		{"of eight values", choice(8), modes(2, 2, 2, 2, 2, 2, 2, 1), []int{7}},
		{"of twelve values", choice(12), modes(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1), nil},
		{"of a number", goptuna.IntUniformDistribution{Low: 0, High: 3}, modes(5, 2, 4, 1), nil},
		{"of an optional parameter", choice(2), optional, nil},
	} {
		p := problemAfter(t, map[string]any{"mode": test.mode, "other": choice(2)}, test.trials, len(test.trials))
		var got []int
		for _, v := range neglected(p) {
			if p.Space.Graphs()[v.graph].Name == "mode" {
				got = append(got, v.vertex)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// lookStudy is trials on a plateau: most with value a, and so many with each other value,
// whose objective values are given by that and by x.
func lookStudy(others []int, objective func(v int, x float64) float64) (trials []finishedTrial) {
	add := func(v, n int, shift float64) {
		for i := range n {
			x := (float64(i) + shift) / float64(n)
			trials = append(trials, finishedTrial{map[string]float64{"mode": float64(v), "x": x}, objective(v, x)})
		}
	}
	add(0, 20, 0.3)
	for i, n := range others {
		add(i+1, n, 0.5)
	}
	add(0, 20, 0.8)
	return trials
}

// On a plateau every second trial looks at a neglected value that may be better, as the
// model of this value has it, which nothing is known of with few observations. No more than
// three are asked about. Elsewhere it is only a value that has always failed.
func TestSecondLook(t *testing.T) {
	const hopeless, promising = 2.0, 1.7
	flat := func(levels ...float64) func(v int, x float64) float64 {
		return func(v int, x float64) float64 {
			switch {
			case v == 0:
				return 1 + 0.001*math.Floor(3*x)
			case levels[v-1] == promising:
				return promising - 0.6*math.Sin(20*x)
			}
			return levels[v-1] + 0.03*x
		}
	}
	bowl := func(levels ...float64) func(v int, x float64) float64 {
		return func(v int, x float64) float64 {
			if v == 0 {
				return math.Pow(x-0.3, 2)
			}
			return levels[v-1] + x
		}
	}
	fails := math.NaN()
	for _, test := range []struct {
		name   string
		trials []finishedTrial
		number int
		want   int // vertex; -1 for none
	}{
		{"promising", lookStudy([]int{8}, flat(promising)), 60, 1},
		{"in another trial", lookStudy([]int{8}, flat(promising)), 61, -1},
		{"in the next again", lookStudy([]int{8}, flat(promising)), 62, 1},
		{"hopeless", lookStudy([]int{8}, flat(hopeless)), 60, -1},
		{"hopeless, of few observations", lookStudy([]int{4}, flat(hopeless)), 60, 1},
		{"after two that are hopeless", lookStudy([]int{7, 7, 8}, flat(hopeless, hopeless, promising)), 72, 3},
		{"after three that are hopeless", lookStudy([]int{7, 7, 7, 8}, flat(hopeless, hopeless, hopeless, promising)), 72, -1},
		{"failed", lookStudy([]int{2}, flat(fails)), 60, 1},
		{"in a basin", lookStudy([]int{4}, bowl(promising)), 60, -1},
		{"failed, in a basin", lookStudy([]int{8, 2}, bowl(promising, fails)), 60, 2},
		{"failed, while the search gains", append(lookStudy([]int{2}, bowl(fails)), finishedTrial{map[string]float64{"mode": 0, "x": 0.3}, -1}), 60, -1},
	} {
		last := 0.0
		for _, trial := range test.trials {
			last = max(last, trial.values["mode"])
		}
		p := problemAfter(t, map[string]any{"mode": choice(int(last) + 1), "x": unit}, test.trials, test.number)
		s := searchOf(t, p)
		x, ok := s.secondLook()
		if ok != (test.want >= 0) || ok && x.V[0] != test.want {
			t.Errorf("%s: %v, %t; want %d", test.name, x, ok, test.want)
		}
		s.restricted = true
		if _, ok := s.secondLook(); ok {
			t.Errorf("%s: looks beyond where it has to search", test.name)
		}
	}
}
