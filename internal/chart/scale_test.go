package chart_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale chart.Scale
		n     int
		want  []string
		why   string
	}{
		{"unit", chart.Scale{Low: 0, High: 1}, 5, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}, "steps of 0.2, both ends"},
		{"around zero", chart.Scale{Low: -1.2, High: 1.1}, 3, []string{"−1", "0", "1"}, "no -0, and a real minus sign"},
		{"shifted", chart.Scale{Low: 97.3, High: 103.9}, 4, []string{"98", "100", "102"}, "round values inside"},
		{"whole", chart.Scale{Low: 0, High: 3, Whole: true}, 8, []string{"0", "1", "2", "3"}, "no halves of trials"},
		{"small", chart.Scale{Low: 0, High: 2e-7}, 2, []string{"0", "1e−7", "2e−7"}, "zeros would be too many"},
		{"large", chart.Scale{Low: 0, High: 4e9}, 2, []string{"0", "2e9", "4e9"}, "so would they here"},
		{"far from zero", chart.Scale{Low: 1e7, High: 1e7 + 2}, 2, []string{"10000000", "10000001", "10000002"}, "labels differ"},
		{"decades", chart.Scale{Kind: chart.Log, Low: 1e-6, High: 1}, 4, []string{"10⁻⁶", "10⁻⁴", "0.01", "1"}, "every other decade"},
		{"one decade", chart.Scale{Kind: chart.Log, Low: 0.15, High: 1.2}, 5, []string{"0.2", "0.5", "1"}, "1, 2 and 5"},
		{"narrow logarithm", chart.Scale{Kind: chart.Log, Low: 10, High: 13}, 3, []string{"10", "11", "12", "13"}, "as if linear"},
		{"one value", chart.Scale{Low: 3, High: 3}, 5, []string{"3"}, "its value"},
		{"neighbours", chart.Scale{Low: 0.3, High: math.Nextafter(0.3, 1)}, 1, []string{"0.30000000000000004"}, "no other number is between them"},
		{"choices", chart.Scale{Kind: chart.Choices, Choices: []string{"b", "a"}}, 1, []string{"b", "a"}, "all, in their order"},
	} {
		var labels []string
		last := math.Inf(-1)
		for _, tick := range c.scale.Ticks(c.n) {
			labels = append(labels, tick.Label)
			if tick.At <= last || tick.At < 0 || tick.At > 1 {
				t.Errorf("%s: the tick %s is at %g, after %g", c.name, tick.Label, tick.At, last)
			}
			last = tick.At
		}
		if !reflect.DeepEqual(labels, c.want) {
			t.Errorf("%s: ticks %q, want %q: %s", c.name, labels, c.want, c.why)
		}
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		name        string
		scale       chart.Scale
		value, want float64
	}{
		{"linear", chart.Scale{Low: -1, High: 3}, 0, 0.25},
		{"below", chart.Scale{Low: -1, High: 3}, -5, 0},
		{"above", chart.Scale{Low: -1, High: 3}, math.Inf(1), 1},
		{"logarithmic", chart.Scale{Kind: chart.Log, Low: 1e-4, High: 1}, 1e-3, 0.25},
		{"of what has no logarithm", chart.Scale{Kind: chart.Log, Low: 1e-4, High: 1}, -2, 0},
		{"the second of four choices", chart.Scale{Kind: chart.Choices, Choices: make([]string, 4)}, 1, 0.375},
		{"of the smallest numbers", chart.Scale{Low: 0, High: 2 * math.SmallestNonzeroFloat64}, math.SmallestNonzeroFloat64, 0.5},
		{"of all numbers", chart.Scale{Low: -math.MaxFloat64, High: math.MaxFloat64}, 0, 0.5},
		{"no range", chart.Scale{Low: 2, High: 2}, 2, 0.5},
	} {
		if got := c.scale.At(c.value); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0.123456, "0.1235"}, {-2, "−2"}, {1.5e-7, "1.5e−7"}, {123456, "1.235e5"}, {99999, "1e5"}, {12346, "12350"}, {0, "0"},
	} {
		if got := chart.Number(c.x); got != c.want {
			t.Errorf("%g is printed as %s, want %s", c.x, got, c.want)
		}
	}
}
