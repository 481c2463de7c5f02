package sampler

import (
	"fmt"
	"testing"

	"github.com/c-bata/goptuna"
)

// There are ten start-up trials, or eight in small finite spaces, and up to fifteen where so
// many values of choices would be left untried that are no numbers, and that all trials have.
// Where constraints are measured, six take the place of ten or eight.
func TestDefaultStartupTrials(t *testing.T) {
	digit := goptuna.IntUniformDistribution{Low: 0, High: 9}
	many := func(n int, distribution any) (all []any) {
		for range n {
			all = append(all, distribution)
		}
		return all
	}
	for _, test := range []struct {
		name          string
		distributions []any
		optional      bool // whether another trial has none of them
		want          int
	}{
		{"choices", many(3, choice(3)), false, 8},
		{"twelve integers", many(12, digit), false, 8},
		{"thirteen integers", many(13, digit), false, 10},
		{"a float", []any{unit, choice(3)}, false, 10},
		{"a choice of 22", []any{unit, choice(22)}, false, 10},
		{"a choice of 24", []any{unit, choice(24)}, false, 12},
		{"two choices of 17", []any{unit, choice(17), choice(17)}, false, 11},
		{"a choice of 90", []any{unit, choice(90)}, false, 15},
		{"a choice of 150", []any{unit, choice(150)}, false, 10},
		{"an optional choice of 24", []any{choice(24)}, true, 10},
	} {
		distributions, values := map[string]any{"x": unit}, map[string]float64{}
		for i, d := range test.distributions {
			name := fmt.Sprint("p", i)
			distributions[name], values[name] = d, 0
		}
		trials := []finishedTrial{{values, 1}}
		if test.optional {
			trials = append(trials, finishedTrial{map[string]float64{"x": 0.5}, 2})
		}
		if got := defaultStartupTrials(problemAfter(t, distributions, trials, len(trials))); got != test.want {
			t.Errorf("%s: %d start-up trials, want %d", test.name, got, test.want)
		}
	}
	for n, want := range map[int]int{3: 6, 24: 12} {
		trials := []finishedTrial{{map[string]float64{"k": 0}, 1}}
		p := limitedAfter(t, map[string]any{"k": choice(n)}, trials, 1, func(map[string]float64) float64 { return -1 })
		if got := defaultStartupTrials(p); got != want {
			t.Errorf("a choice of %d, and a constraint: %d start-up trials, want %d", n, got, want)
		}
	}
}
