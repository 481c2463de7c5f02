package sampler

import (
	"strconv"
	"testing"

	"github.com/c-bata/goptuna"
)

// While more than a dozen values of choices are untried, every third trial has one of them,
// of each choice that has any. Choices that are numbers do not count.
func TestTryUntried(t *testing.T) {
	const trials = 15
	var numbers goptuna.CategoricalDistribution
	for i := range 16 {
		numbers.Choices = append(numbers.Choices, strconv.Itoa(i))
	}
	for _, test := range []struct {
		name   string
		mode   any
		tried  int // values of mode
		number int
		want   bool
	}{
		{"18 of 26", choice(26), 8, 15, true},
		{"in the next trial", choice(26), 8, 16, false},
		{"in the one after", choice(26), 8, 17, false},
		{"in the next again", choice(26), 8, 18, true},
		{"10 of 20", choice(20), 10, 15, false},
		{"13 of 16 numbers", numbers, 3, 15, false},
	} {
		var ran []finishedTrial
		for i := range trials {
			x := float64(i) / trials
			ran = append(ran, finishedTrial{map[string]float64{"mode": float64(i % test.tried), "two": float64(i % 2), "x": x}, x})
		}
		p := problemAfter(t, map[string]any{"mode": test.mode, "two": choice(3), "x": unit}, ran, test.number)
		s := searchOf(t, p)
		x, ok := s.tryUntried()
		if ok != test.want {
			t.Errorf("%s: %t, want %t", test.name, ok, test.want)
		}
		s.restricted = true
		if _, ok := s.tryUntried(); ok {
			t.Errorf("%s: tries values beyond where it has to search", test.name)
		}
		if ok {
			if values := p.Values(x); values["mode"] < float64(test.tried) || values["two"] != 2 {
				t.Errorf("%s: %v was tried", test.name, values)
			}
		}
	}
}
