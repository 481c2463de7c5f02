package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// A scale is read off ten start-up values from 0 to 1: the upper quartile is 0.7 above the
// best. Where two thirds of them are nearly the same, it is the worst value but one.
func TestSpread(t *testing.T) {
	for _, test := range []struct {
		name string
		ys   []float64
		want float64
	}{
		{"even", []float64{0.9, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, 0.7},
		{"better ones since", []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, -1, 5}, 1.7},
		{"a plateau", []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.5, 0.9, 100}, 0.9},
		{"a slope", []float64{0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.5, 0.9, 100}, 0.5},
	} {
		if got := spread(test.ys); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// evenStart is ten start-up values with a spread of 1.
func evenStart() []float64 {
	start := make([]float64, observe.MinStartup)
	for i := range start {
		start[i] = float64(i) / 7
	}
	return start
}

// The search stagnates when eight trials after the start-up gain less than a fiftieth of
// the spread. What runs at once has to find nothing, either.
func TestStagnates(t *testing.T) {
	for _, test := range []struct {
		name    string
		since   []float64 // values after the start-up
		running int
		want    bool
	}{
		{"eight without a gain", slices.Repeat([]float64{0.5}, 8), 0, true},
		{"only seven", slices.Repeat([]float64{0.5}, 7), 0, false},
		{"a small gain", append(slices.Repeat([]float64{0.5}, 7), -0.015), 0, true},
		{"a gain", append(slices.Repeat([]float64{0.5}, 7), -0.03), 0, false},
		{"a gain before", append([]float64{-0.5}, slices.Repeat([]float64{0.5}, 8)...), 0, true},
		{"eight, while others run", slices.Repeat([]float64{0.5}, 8), 2, false},
		{"ten, while others run", slices.Repeat([]float64{0.5}, 10), 2, true},
	} {
		p := &observe.Problem{FeasibleY: append(evenStart(), test.since...), Pending: make([]fmkernel.Point, test.running)}
		if got := stagnates(p); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// hill is n trials that fill three parameters, of which the best, number 5, has the lower
// half of x, the upper one of steps, and kind 1; and as many more that find nothing better.
func hill(n int, noise float64) (distributions map[string]any, trials []finishedTrial) {
	add := func(x, steps, kind float64) {
		y := math.Pow(x-0.3, 2) + 0.02*math.Pow(steps-5, 2) + 0.1*math.Abs(kind-1)
		y += noise * math.Sin(1000*(x+steps+kind)) // as good as random
		trials = append(trials, finishedTrial{map[string]float64{"x": x, "steps": steps, "kind": kind}, y})
	}
	for i := range n {
		if i == 5 {
			add(0.3, 5, 1)
			continue
		}
		add(math.Mod(0.618*float64(i), 1), float64(i*5%8), float64(i%3))
	}
	return map[string]any{"x": unit, "steps": goptuna.IntUniformDistribution{Low: 0, High: 7}, "kind": choice(3)}, trials
}

// Elsewhere is the other half of a range, or another value of a choice, than the best trial
// has: in one coordinate, or in each of several. All coordinates come up.
func TestElsewhere(t *testing.T) {
	distributions, trials := hill(40, 0)
	p := problemAfter(t, distributions, trials, len(trials))
	s := searchOf(t, p)
	away := map[string]int{}
	for seed := range uint64(12) {
		for _, n := range []int{1, 2} {
			s.random.Seed = seed
			s.rng = s.random.Rand("elsewhere")
			sides := s.otherSides(n)
			x, ok := s.elsewhere(n)
			if len(sides) != n || !ok || !sides.contains(x) {
				t.Fatalf("seed %d: %v, %t is not elsewhere", seed, x, ok)
			}
			values := p.Values(x)
			is := map[string]bool{"x": values["x"] >= 0.5, "steps": values["steps"] < 4, "kind": values["kind"] != 1}
			for _, side := range sides {
				name := p.Space.Dims()[0].Name
				if side.Graph >= 0 {
					name = p.Space.Graphs()[side.Graph].Name
				}
				if away[name]++; !is[name] {
					t.Errorf("seed %d: %s in %v is where the best trial has it", seed, name, values)
				}
			}
		}
	}
	if len(away) != 3 {
		t.Errorf("elsewhere is in %v", away)
	}
}

// While a search stagnates, trials with the largest margin wander: from 30 observations on,
// and where a parameter is continuous.
func TestWander(t *testing.T) {
	distributions, trials := hill(40, 0)
	better := slices.Clone(trials)
	better[38].y = -0.5
	var ints []finishedTrial
	digit := goptuna.IntUniformDistribution{Low: 0, High: 9}
	distributions["a"], distributions["b"] = digit, digit
	for i, trial := range trials {
		ints = append(ints, finishedTrial{map[string]float64{"a": float64(i * 7 % 10), "b": float64(i / 10)}, trial.y})
	}
	for _, test := range []struct {
		name   string
		trials []finishedTrial
		number int
		want   bool
	}{
		{"the largest margin", trials, 41, true},
		{"no margin", trials, 42, false},
		{"a small margin", trials, 43, false},
		{"of 32", trials[:32], 32, true},
		{"of 29", trials[:29], 29, false},
		{"a search that gains", better, 41, false},
		{"nothing continuous", ints, 41, false},
	} {
		p := problemAfter(t, distributions, test.trials, test.number)
		s := searchOf(t, p)
		if _, ok := s.wander(); ok != test.want {
			t.Errorf("%s: %t, want %t", test.name, ok, test.want)
		}
		if s.restricted = true; test.want {
			if _, ok := s.wander(); ok {
				t.Errorf("%s: wanders out of where it has to search", test.name)
			}
		}
	}
}

// digits are the distributions of sums.
var digits = map[string]any{"a": goptuna.IntUniformDistribution{Low: 0, High: 9}, "b": goptuna.IntUniformDistribution{Low: 0, High: 9}}

// sums is n trials whose value is the sum of two digits: ten that start it, and then those with
// the least sums, the best of them omitted or not.
func sums(n int, omitted bool) (trials []finishedTrial) {
	for _, k := range []int{99, 72, 45, 18, 81, 54, 27, 90, 63, 36} {
		a, b := float64(k/10), float64(k%10)
		trials = append(trials, finishedTrial{map[string]float64{"a": a, "b": b}, a + b})
	}
	for sum := 0; len(trials) < n; sum++ {
		for a := 0; a <= sum && len(trials) < n; a++ {
			if sum > 0 || !omitted {
				trials = append(trials, finishedTrial{map[string]float64{"a": float64(a), "b": float64(sum - a)}, float64(sum)})
			}
		}
	}
	return trials
}

// A search is settled when no configuration is expected to be better, from 30 observations
// on, and not in the trials without a margin, unless one runs that is expected to be best.
func TestSettled(t *testing.T) {
	for _, test := range []struct {
		name           string
		observed       int
		omitted, waits bool // whether the best was not observed; and is running
		number         int
		want           bool
	}{
		{"a margin", 40, false, false, 41, true},
		{"a small margin", 40, false, false, 43, true},
		{"no margin", 40, false, false, 42, false},
		{"no margin, while the best runs", 40, true, true, 42, true},
		{"the best is left", 40, true, false, 41, false},
		{"of 29", 29, false, false, 31, false},
	} {
		p := problemAfter(t, digits, sums(test.observed, test.omitted), test.number)
		if test.waits {
			x, _ := p.Point(map[string]float64{"a": 0, "b": 0})
			p.Pending = append(p.Pending, x)
			p.Tried.Plan(x)
		}
		s := searchOf(t, p)
		found, _ := s.best(s.model.Improvement(s.reference, s.margin()), s.domains)
		if got := s.settled(found); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
		if s.restricted = true; s.settled(found) {
			t.Errorf("%s: settled in a part of the space", test.name)
		}
	}
}

// A trial that expects a thousandth of the start-up's spread in the targets is worth more than
// one elsewhere.
func TestSettledGain(t *testing.T) {
	s := searchOf(t, problemAfter(t, digits, sums(40, false), 41))
	unit := spread(s.model.Targets)
	for share, want := range map[float64]bool{0.0009: true, 0.0011: false} {
		if got := s.settled(acquisition.Candidate{Value: math.Log(share * unit)}); got != want {
			t.Errorf("with %v of the spread: %t, want %t", share, got, want)
		}
	}
}
