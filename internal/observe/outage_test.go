package observe_test

import (
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
)

// Failures of an outage are left out, those of a configuration stay: told by whether so
// many one after the other were to be expected.
func TestOutages(t *testing.T) {
	for _, test := range []struct {
		name   string
		trials string // + ran, - failed, ! ended with a penalty, . pruned
		want   int    // failures that count
	}{
		{"a night", strings.Repeat("+", 20) + strings.Repeat("-", 50) + "+", 0},
		{"some trials", strings.Repeat("+", 20) + strings.Repeat("-", 6) + "+", 0},
		{"still going on", strings.Repeat("+", 20) + strings.Repeat("-", 50), 50},
		{"ended by a pruned trial", strings.Repeat("+", 20) + strings.Repeat("-", 6) + ".", 0},
		{"of penalties", strings.Repeat("+", 20) + strings.Repeat("!", 50) + "+", 0},
		{"too few penalties", strings.Repeat("+", 20) + "!!!!+", 4},
		{"too few", strings.Repeat("+", 20) + "----+", 4},
		{"as usual", strings.Repeat("+-", 10) + strings.Repeat("-", 8) + "+", 18},
		{"once more", strings.Repeat("+", 20) + strings.Repeat("-", 6) + "+++" + strings.Repeat("-", 6) + "+", 6},
		{"at first", strings.Repeat("-", 20) + "+++++", 0},
		{"at first, with failures after it", strings.Repeat("-", 20) + "++-++", 21},
		{"at first, and no more", strings.Repeat("-", 20) + "+++", 20},
	} {
		s := &study{distributions: map[string]any{"x": unit}}
		for i, c := range test.trials {
			values := values{"x": float64(i) / float64(len(test.trials))}
			switch c {
			case '+':
				s.add(values, 1)
			case '-':
				s.fail(values)
			case '!':
				trial := s.fail(values)
				trial.State, trial.Penalty = goptuna.TrialStateComplete, true
			case '.':
				s.prune(values)
			}
		}
		got := 0
		for _, v := range s.observe(t, s.next(nil), "x").Valueless {
			if v.Trial.Failed() {
				got++
			}
		}
		if got != test.want {
			t.Errorf("%s: %d failures count, want %d", test.name, got, test.want)
		}
	}
}

// A value with which nothing runs fails as often as it is tried: that is no outage. In a long
// range it is where the search has come to.
func TestFailingValueIsNoOutage(t *testing.T) {
	for _, test := range []struct {
		name        string
		kind, units float64 // of the trials that fail
		want        int     // failures that count
	}{{"a kind that ran", 1, 3, 0}, {"another", 2, 3, 12}, {"a number that is new", 1, 36, 0}} {
		s := &study{distributions: map[string]any{"x": unit, "kind": choices, "units": goptuna.IntUniformDistribution{Low: 1, High: 64}}}
		for i := range 20 {
			s.add(values{"x": float64(i) / 20, "kind": float64(i % 2), "units": 3}, 1)
		}
		for i := range 12 {
			s.fail(values{"x": float64(i) / 12, "kind": test.kind, "units": test.units})
		}
		s.add(values{"x": 0.5, "kind": 0, "units": 3}, 1)
		if got := len(s.observe(t, s.next(nil), "x").Valueless); got != test.want {
			t.Errorf("%s: %d failures count, want %d", test.name, got, test.want)
		}
	}
}
