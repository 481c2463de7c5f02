package observe_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

func logs(low, high float64) any { return goptuna.LogUniformDistribution{Low: low, High: high} }

// rates are the ranges of a rate that follows from k: those of b and c have most in
// common.
var rates = []any{logs(1e-2, 10), logs(1e-5, 1e-2), logs(1e-5, 2e-2)}

// ask adds a trial with k and a rate of a distribution.
func (s *study) ask(k int, rate any, value float64) {
	s.distributions["rate"] = rate
	s.add(values{"k": float64(k), "rate": value}, float64(len(s.Finished)))
}

// rated is a study of n trials in which the rate follows from k.
func rated(n int) *study {
	s := &study{distributions: map[string]any{"k": choices}}
	for i := range n {
		s.ask(i%3, rates[i%3], []float64{0.5, 1e-3, 2e-5}[i%3])
	}
	return s
}

// variantsOf returns the names of the space, but for k.
func variantsOf(p *observe.Problem) (names []string) {
	for _, param := range p.Space.Params() {
		if param.Name != "k" {
			names = append(names, param.Name)
		}
	}
	return names
}

// isClose reports whether values are the same up to the rounding of logarithms.
func isClose(got, want values) bool {
	return maps.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*y })
}

// A parameter whose distribution follows from a choice is one for all values with which
// it is about the same, in a region of its own.
func TestVariants(t *testing.T) {
	s := rated(12)
	before := fmt.Sprint(s.Finished)
	p := s.observe(t, s.next(nil), "k")
	if got := fmt.Sprint(active(p)); got != "[[k rate (a)] [k rate (b, c)]]" {
		t.Errorf("regions %v", got)
	}
	if len(p.X) != 12 || len(p.Space.Presence()) != 0 {
		t.Errorf("%d observations, presence of %v; k shows all", len(p.X), p.Space.Presence())
	}
	for i, x := range p.X {
		want := values{"k": float64(i % 3), []string{"rate (a)", "rate (b, c)", "rate (b, c)"}[i%3]: s.Finished[i].InternalParams["rate"]}
		if got := p.Space.Decode(x); !isClose(got, want) {
			t.Errorf("observation %d is %v, want %v", i, got, want)
		}
	}
	if got := p.Names(); !slices.Equal(got, []string{"k", "rate"}) {
		t.Errorf("names %q, want those that objectives ask by", got)
	}
	for text, want := range map[string]string{"a": "rate (a)", "c": "rate (b, c)", "new": "rate"} {
		if got := p.NameOf("rate", map[string]any{"k": text}); got != want {
			t.Errorf("with k = %s it is %q, want %q", text, got, want)
		}
	}
	if got := p.NameOf("k", nil); got != "k" {
		t.Errorf("k is %q", got)
	}
	if fmt.Sprint(s.Finished) != before {
		t.Error("Observe changed the history")
	}
}

// The parent is what all trials have, and what leaves the fewest distributions for each value.
func TestParents(t *testing.T) {
	s := rated(12)
	s.distributions["j"], s.distributions["m"] = choices, choices
	for i := range s.Finished {
		x := s.Finished[i].InternalParams
		x["j"], x["m"] = x["k"], x["k"]
	}
	delete(s.Finished[4].InternalParams, "j")
	s.Finished[11].InternalParams["m"] = 0 // as with k = a, too
	for i := range s.Finished {
		d := maps.Clone(s.Finished[i].Distributions)
		d["m"] = choices
		if i != 4 {
			d["j"] = choices
		}
		s.Finished[i].Distributions = d
	}
	p := s.observe(t, s.next(nil), "k")
	for k, want := range map[string]string{"a": "rate (a)", "b": "rate (b, c)"} {
		if got := p.NameOf("rate", map[string]any{"k": k}); got != want {
			t.Errorf("with k = %s it is %q, want %q", k, got, want)
		}
	}
}

// Where a distribution comes back with the same value of a choice, more than once in a while,
// it does not follow from that: an old and a new program run side by side.
func TestNoParent(t *testing.T) {
	for _, test := range []struct {
		exceptions int // trials that have what the other value of k leads to
		want       []string
	}{
		{1, []string{"rate (a)", "rate (b)"}},
		{2, []string{"rate"}},
	} {
		s := &study{distributions: map[string]any{"k": choices}}
		for i := range 12 {
			k := i % 2
			if i == 4 || i == 7 && test.exceptions == 2 {
				k = 1 - k
			}
			s.ask(k, rates[i%2], []float64{0.5, 1e-3}[i%2])
		}
		if got := variantsOf(s.observe(t, s.next(nil), "k")); !slices.Equal(got, test.want) {
			t.Errorf("%d exceptions: %q, want %q", test.exceptions, got, test.want)
		}
	}
}

// Variants are learned from the latest thousand trials: what values lead to that none of these
// has is forgotten.
func TestForgottenVariants(t *testing.T) {
	s := rated(12)
	for range 1000 {
		s.ask(0, rates[0], 0.5)
	}
	if got := variantsOf(s.observe(t, s.next(nil), "k")); !slices.Equal(got, []string{"rate"}) {
		t.Errorf("%q, want one rate", got)
	}
}

// What a trial asks for is the variant of the value that it has.
func TestVariantAskedFor(t *testing.T) {
	for k, want := range []string{"rate (a)", "rate (b, c)", "rate (b, c)"} {
		s := rated(12)
		s.distributions["rate"] = rates[k]
		p := s.observe(t, s.next(values{"k": float64(k)}), "rate")
		if len(p.Regions) != 1 || !maps.Equal(p.Fixed, values{"k": float64(k)}) {
			t.Fatalf("k = %d: %d regions, fixed %v", k, len(p.Regions), p.Fixed)
		}
		for _, param := range p.Space.Params() {
			if form := p.Form(nil, param); param.Name == want && (form.AskedName != "rate" || !reflect.DeepEqual(form.Distribution, rates[k]) || !p.Regions[0].Active(param)) {
				t.Errorf("k = %d: %s is asked for as %q, of %v", k, param.Name, form.AskedName, form.Distribution)
			}
		}
	}
	// An edit of one of them is one.
	s := rated(12)
	s.distributions["rate"] = logs(1e-1, 100)
	p := s.observe(t, s.next(values{"k": 0}), "rate")
	if got := variantsOf(p); !slices.Equal(got, []string{"rate (a)", "rate (b, c)"}) {
		t.Errorf("after an edit: %q", got)
	}
	if len(p.X) != 12 {
		t.Errorf("%d observations after an edit", len(p.X))
	}
}

// The rate that a trial was enqueued with, or that another one evaluates, is that of the
// variant which the rest leads to.
func TestVariantEnqueued(t *testing.T) {
	s := rated(12)
	trial := s.next(nil)
	trial.SystemAttrs["fixed_params"] = `{"k": 1, "rate": 0.004}`
	p := s.observe(t, trial, "k")
	if want := (values{"k": 1, "rate (b, c)": 0.004}); !maps.Equal(p.Fixed, want) {
		t.Errorf("fixed %v, want %v", p.Fixed, want)
	}
	if len(p.Regions) != 1 || !p.Regions[0].Decided() {
		t.Errorf("%d regions, want one that is decided", len(p.Regions))
	}
	since := noon.Add(12 * time.Minute)
	s.run(t, since, nil, nil)
	s.Running[0].SystemAttrs = trial.SystemAttrs
	s.distributions["rate"] = rates[2]
	s.run(t, since, values{"k": 2, "rate": 3e-5}, nil)
	p = s.observe(t, s.next(nil), "k")
	if len(p.Pending) != 2 {
		t.Fatalf("%d running configurations are known, want 2", len(p.Pending))
	}
	for i, want := range []values{{"k": 1, "rate (b, c)": 0.004}, {"k": 2, "rate (b, c)": 3e-5}} {
		if got := p.Space.Decode(p.Pending[i]); !isClose(got, want) {
			t.Errorf("running configuration %v, want %v", got, want)
		}
	}
}

// Other kinds of distributions are variants, too, and numbers may decide. What was edited,
// what does not follow from a value, and what overlaps is one parameter.
func TestVariantsFollowFromValues(t *testing.T) {
	ints := func(low, high int) any { return goptuna.IntUniformDistribution{Low: low, High: high} }
	texts := func(s string) any { return goptuna.CategoricalDistribution{Choices: strings.Split(s, "")} }
	upTo := func(high float64) any { return goptuna.UniformDistribution{Low: 0, High: high} }
	for name, test := range map[string]struct {
		k    any
		rate func(i int) any
		want []string
	}{
		"an int and a float": {choices, func(i int) any { return []any{ints(0, 9), unit, unit}[i%3] }, []string{"rate (a)", "rate (b, c)"}},
		"choices": {
			choices, func(i int) any { return []any{texts("xy"), texts("yz"), texts("zwy")}[i%3] },
			[]string{"rate (a)", "rate (b, c)"}, // which have two of three in common
		},
		"half in common":      {choices, func(i int) any { return []any{unit, upTo(2), upTo(2)}[i%3] }, []string{"rate (a)", "rate (b, c)"}},
		"over half in common": {choices, func(i int) any { return []any{unit, upTo(1.8), upTo(1.8)}[i%3] }, []string{"rate"}},
		"a value with a comma": {
			goptuna.CategoricalDistribution{Choices: []string{"a", "b", "a, b"}},
			func(i int) any { return []any{unit, unit, ints(3, 9)}[i%3] },
			[]string{`rate ("a, b")`, "rate (a, b)"},
		},
		"a range and a number":  {choices, func(i int) any { return []any{ints(0, 9), ints(3, 3), ints(0, 9)}[i%3] }, []string{"rate (a, c)"}},
		"of an int":             {ints(0, 2), func(i int) any { return []any{ints(0, 9), ints(20, 40), ints(20, 40)}[i%3] }, []string{"rate (0)", "rate (1, 2)"}},
		"grows with an int":     {ints(0, 2), func(i int) any { return []any{ints(0, 3), ints(0, 9), ints(0, 30)}[i%3] }, []string{"rate"}},
		"the same":              {choices, func(int) any { return unit }, []string{"rate"}},
		"edited":                {choices, func(i int) any { return []any{ints(0, 9), ints(20, 40)}[i/6%2] }, []string{"rate"}},
		"edited and back":       {choices, func(i int) any { return []any{ints(0, 9), ints(20, 40)}[i/4%2] }, []string{"rate"}},
		"old and new programs":  {choices, func(i int) any { return []any{ints(0, 9), ints(20, 40)}[i/2%2] }, []string{"rate"}},
		"mostly from the value": {choices, func(i int) any { return []any{ints(0, 9), ints(20, 40), ints(20, 40)}[max(i, 2)%3] }, []string{"rate (a)", "rate (b, c)"}},
	} {
		s := &study{distributions: map[string]any{"k": test.k}}
		for i := range 12 {
			value := 0.0
			if d, ok := test.rate(i).(goptuna.IntUniformDistribution); ok {
				value = float64(d.Low)
			}
			s.ask(i%3, test.rate(i), value)
		}
		if got := variantsOf(s.observe(t, s.next(nil), "k")); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	// A parameter that has the name of a variant is none of it.
	s := &study{distributions: map[string]any{"k": choices, "rate (a)": unit}}
	for i := range 12 {
		s.distributions["rate"] = rates[i%3]
		s.add(values{"k": float64(i % 3), "rate": 1e-2, "rate (a)": 0.5}, float64(i))
	}
	if got := variantsOf(s.observe(t, s.next(nil), "k")); !slices.Equal(got, []string{"rate", "rate (a)"}) {
		t.Errorf("beside a parameter of the same name: %q", got)
	}
}

// texts are what k leads to: all have much in common, in other orders.
var texts = [][]string{{"x", "y", "z"}, {"z", "x", "w", "y"}, {"y", "x", "z"}}

// spelled is a study of n trials in which the choices of rate follow from k.
func spelled(n int) *study {
	s := &study{distributions: map[string]any{"k": choices}}
	for i := range n {
		s.ask(i%3, goptuna.CategoricalDistribution{Choices: texts[i%3]}, float64(i/3%len(texts[i%3])))
	}
	return s
}

// text returns the choice that a configuration has.
func text(p *observe.Problem, values values) string {
	for _, param := range p.Space.Params() {
		if param.Name == "rate" {
			return param.Distribution.(goptuna.CategoricalDistribution).Choices[int(values["rate"])]
		}
	}
	return ""
}

// A parameter whose distributions have much in common has the values of all, whatever the
// last trial asked for, and beside each value of the parent those that it leads to.
func TestVariantIsUnion(t *testing.T) {
	for _, n := range []int{12, 13, 14} { // the last trials have a, b and c
		s := spelled(n)
		p := s.observe(t, s.next(nil), "k")
		if got := variantsOf(p); !slices.Equal(got, []string{"rate"}) || len(p.Regions) != 1 {
			t.Fatalf("%d trials: %q, %d regions", n, got, len(p.Regions))
		}
		for i, x := range p.X {
			k := i % 3
			if got, want := text(p, p.Values(x)), texts[k][i/3%len(texts[k])]; got != want || !p.Possible(x) {
				t.Errorf("%d trials: observation %d is %q, want %q; possible: %t", n, i, got, want, p.Possible(x))
			}
		}
		possible := map[string]bool{}
		for k := range 3 {
			for i := range 4 {
				x, ok := p.Point(values{"k": float64(k), "rate": float64(i)})
				if ok && p.Possible(x) {
					possible[fmt.Sprint(k, text(p, p.Values(x)))] = true
				}
			}
		}
		if len(possible) != 3+4+3 || !possible["1w"] {
			t.Errorf("%d trials: possible are %v", n, possible)
		}
		untried := 0
		for ; untried < 20; untried++ {
			x, ok, _ := p.Untried()
			if !ok {
				break
			}
			if !p.Possible(x) {
				t.Errorf("untried is %v", p.Values(x))
			}
			p = p.WithPlanned([]point{x})
		}
		tried := map[string]bool{}
		for _, trial := range s.Finished {
			tried[fmt.Sprint(trial.InternalParams)] = true
		}
		if untried+len(tried) != 10 {
			t.Errorf("%d trials: %d of 10 configurations tried, and %d left", n, len(tried), untried)
		}
	}
}

// A trial that asks for a parameter before its parent may get any value of what it asks for.
func TestAskedBeforeParent(t *testing.T) {
	s := spelled(12)
	asked := goptuna.CategoricalDistribution{Choices: texts[0]}
	s.distributions["rate"] = asked
	for _, param := range s.observe(t, s.next(nil), "rate").Space.Params() {
		if param.Name == "rate" && (param.Forms.By != nil || !reflect.DeepEqual(param.Distribution, asked)) {
			t.Errorf("the parameter has %v, in %d forms", param.Distribution, len(param.Forms.By))
		}
	}
}

// Where the choices of two parameters change together, neither follows from the other: no
// parameter is above itself.
func TestNoParentOfItself(t *testing.T) {
	s := &study{distributions: map[string]any{}}
	for i := range 12 {
		n := 3 + i%2
		for _, name := range []string{"j", "k"} {
			s.distributions[name] = goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r", "s"}[:n]}
		}
		s.add(values{"j": float64(n - 1), "k": float64(n - 1)}, float64(i))
	}
	for _, param := range s.observe(t, s.next(nil), "k").Space.Params() {
		if param.Forms.By != nil {
			t.Errorf("%s follows from %s", param.Name, param.Forms.Parent)
		}
	}
}

// The values that a trial has, or was enqueued with, are those of what it asks for.
func TestFixedFormOfVariant(t *testing.T) {
	for _, test := range []struct {
		has      values
		enqueued string
		want     string // k and the choice of rate
	}{
		{values{"k": 1, "rate": 2}, "", "1w"},
		{nil, `{"k": 1, "rate": 2}`, "1w"},
		{nil, `{"k": 2, "rate": 0}`, "2y"},
		{nil, `{"k": 0, "rate": 3}`, "0"}, // a leads to three choices
		{nil, `{"rate": 3}`, "?y"},        // only b leads to four
		{nil, `{"rate": 0}`, "?"},         // may be several
	} {
		s := spelled(13)
		s.distributions["rate"] = goptuna.CategoricalDistribution{Choices: texts[1]}
		trial := s.next(test.has)
		trial.SystemAttrs["fixed_params"] = test.enqueued
		p := s.observe(t, trial)
		got := "?"
		if k, ok := p.Fixed["k"]; ok {
			got = fmt.Sprint(k)
		}
		if _, ok := p.Fixed["rate"]; ok {
			got += text(p, p.Fixed)
		}
		if got != test.want {
			t.Errorf("%v, enqueued %s: fixed is %s, want %s", test.has, test.enqueued, got, test.want)
		}
	}
}
