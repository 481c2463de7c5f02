package space_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// squares returns n numbers, in descending order, that are even neither by
// their differences nor by their ratios.
func squares(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[n-1-i] = strconv.Itoa((i + 1) * (i + 1))
	}
	return texts
}

// Choices that read as different finite numbers lie on a path, in the order of
// their values, with the gaps as resistances: linear or logarithmic, whichever
// is more even.
func TestNumericChoices(t *testing.T) {
	for _, test := range []struct {
		name    string
		choices []string
		gaps    []float64 // along the path; nil for no order
		why     string
	}{
		{"powers of two", []string{"8", "16", "32", "64", "128", "256"}, []float64{1, 1, 1, 1, 1}, "even by logarithm: a unit path"},
		{"evenly spaced", []string{"0.1", "0.2", "0.3"}, []float64{1, 1}, "even"},
		{"out of order", []string{"30", "10", "20"}, []float64{1, 1}, "sorted by value"},
		{"1, 2, 10", []string{"1", "2", "10"}, []float64{2 * math.Log10(2), 2 * math.Log10(5)}, "log10: 0, 0.30, 1, and 2 edges"},
		{"0, 1, 10", []string{"0", "1", "10"}, []float64{2 * math.Log(2) / math.Log(11), 2 - 2*math.Log(2)/math.Log(11)}, "log(1+x): 0, log 2, log 11, and 2 edges"},
		{"no limit", []string{"-1", "0", "1023", "1048575"}, []float64{1. / 7, 10. / 7, 10. / 7}, "±log2(1+|x|): -1, 0, 10, 20, and 3 edges"},
		{"zero, evenly spaced", []string{"0", "10", "20", "30"}, []float64{1, 1, 1}, "even"},
		{"below zero", []string{"-1", "0", "3"}, []float64{2. / 3, 4. / 3}, "±log2(1+|x|): -1, 0, 2, and 2 edges"},
		{"scientific", []string{"1e-4", "1e-3", "1e-2"}, []float64{1, 1}, "even by logarithm"},
		{"spaces", []string{" 1", "2 ", "3"}, []float64{1, 1}, "trimmed"},
		{"mixed notation", []string{"16.0", "1e1", "+4"}, []float64{2 * 6 / 12., 2 * 6 / 12.}, "4, 10, 16"},
		{"nearly equal", []string{"1", "1.0000000001", "2"}, []float64{2e-6, 2}, "a gap is at least a millionth"},
		{"duplicates", []string{"1", "2", "1"}, nil, "not different"},
		{"equal values", []string{"1", "2", "1.0"}, nil, "not different"},
		{"signed zeros", []string{"0", "-0", "1"}, nil, "not different"},
		{"a text", []string{"1", "2", "three"}, nil, "not all numbers"},
		{"NaN", []string{"1", "2", "NaN"}, nil, "not finite"},
		{"infinity", []string{"1", "2", "Inf"}, nil, "not finite"},
		{"too large", []string{"1", "2", "1e999"}, nil, "not finite"},
		{"empty", []string{"1", "2", ""}, nil, "no number"},
		{"units", []string{"1ms", "2ms", "3ms"}, nil, "no number"},
	} {
		p := newParam(t, goptuna.CategoricalDistribution{Choices: test.choices})
		if test.gaps == nil {
			if p.Graph.Shape() != graphs.ShapeComplete {
				t.Errorf("%s: shape %v, want a complete graph (%s)", test.name, p.Graph.Shape(), test.why)
			}
			continue
		}
		for v, want := range test.gaps {
			if got := 1 / p.Graph.Weight(v, v+1); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: gap %d is %v, want %v (%s)", test.name, v, got, want, test.why)
			}
		}
		if got := p.Graph.Weight(0, len(test.choices)-1); len(test.choices) > 2 && got != 0 {
			t.Errorf("%s: the ends are joined", test.name)
		}
		even := !slices.ContainsFunc(test.gaps, func(gap float64) bool { return gap != 1 })
		if unit := p.Graph.Shape() == graphs.ShapePath; unit != even {
			t.Errorf("%s: a unit path is %t, want %t (%s)", test.name, unit, even, test.why)
		}
		last := math.Inf(-1)
		for v := range test.choices {
			x, err := strconv.ParseFloat(strings.TrimSpace(test.choices[int(p.Decode(float64(v)))]), 64)
			if err != nil || x <= last {
				t.Errorf("%s: vertex %d is %v after %v, %v", test.name, v, x, last, err)
			}
			last = x
		}
	}
}

// With many numbers the order is a dimension, on which each has its place.
func TestManyNumericChoices(t *testing.T) {
	choices := squares(40)
	p := newParam(t, goptuna.CategoricalDistribution{Choices: choices})
	if !slices.IsSorted(p.Dim().Values) || p.Dim().Values[0] != 0 || p.Dim().Values[39] != 1 {
		t.Errorf("positions %v do not ascend from 0 to 1", p.Dim().Values)
	}
	for i, text := range choices {
		u, ok := p.Encode(float64(i))
		if !ok || p.Decode(u) != float64(i) {
			t.Errorf("%s has coordinate %v, %t, which decodes to choice %v", text, u, ok, p.Decode(u))
		}
	}
	// 1600 = 40² at 1, 1 = 1² at 0; the squares are more even than their logarithms.
	if u, _ := p.Encode(0); u != 1 {
		t.Errorf("the largest number is at %v, want 1", u)
	}
	if got := p.Decode(0.5); math.Abs(float64(40-int(got))-28) > 1 {
		t.Errorf("the middle decodes to choice %v, %s; want the square next to 800", got, choices[int(got)])
	}
}

// Numbers at the limits of float64 keep their order.
func TestExtremeNumericChoices(t *testing.T) {
	for _, choices := range [][]string{
		{"-5e-324", "0", "5e-324"},
		{"5e-324", "1e-323", "1.5e-323"},
		{"-1.7e308", "0", "1.7e308"},
		{"1", "1.0000000000000002", "1.0000000000000004"},
		{"1e-300", "1", "1e300"},
		{"0", "5e-324", "1.7e308"},
	} {
		p := newParam(t, goptuna.CategoricalDistribution{Choices: choices})
		for v := range choices {
			if got := p.Decode(float64(v)); got != float64(v) {
				t.Errorf("%v: vertex %d is choice %v", choices, v, got)
			}
			if v > 0 && !(p.Graph.Weight(v-1, v) > 0) {
				t.Errorf("%v: vertices %d and %d are not joined", choices, v-1, v)
			}
		}
	}
}

// A user's graph wins over what the texts look like.
func TestUserGraph(t *testing.T) {
	g := graphs.Complete(3)
	p, err := space.NewParam("x", goptuna.CategoricalDistribution{Choices: []string{"30", "10", "20"}}, g)
	if err != nil {
		t.Fatal(err)
	}
	if p.Graph != g || p.Decode(0) != 0 || p.Decode(2) != 2 {
		t.Errorf("graph %v; vertices are choices %v, %v, %v, want them in order", p.Graph, p.Decode(0), p.Decode(1), p.Decode(2))
	}
}
