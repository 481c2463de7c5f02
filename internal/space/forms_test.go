package space_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

func texts(choices ...string) any { return goptuna.CategoricalDistribution{Choices: choices} }

// A union has the values of all, and none is made of different kinds, or of grids that do
// not match.
func TestUnion(t *testing.T) {
	steps := func(low, high, step int) any {
		return goptuna.StepIntUniformDistribution{Low: low, High: high, Step: step}
	}
	for _, test := range []struct {
		all  []any
		want any // nil for none
	}{
		{[]any{texts("a", "b"), texts("c", "b", "a"), texts("b", "d")}, texts("c", "b", "a", "d")},
		{[]any{texts("a", "b"), texts("b", "a")}, texts("a", "b")},
		{[]any{goptuna.UniformDistribution{Low: 0, High: 0.6}, goptuna.UniformDistribution{Low: -1, High: 0.5}}, goptuna.UniformDistribution{Low: -1, High: 0.6}},
		{[]any{goptuna.LogUniformDistribution{Low: 1e-5, High: 0.1}, goptuna.LogUniformDistribution{Low: 1e-4, High: 1}}, goptuna.LogUniformDistribution{Low: 1e-5, High: 1}},
		{[]any{goptuna.IntUniformDistribution{Low: 2, High: 4}, goptuna.IntUniformDistribution{Low: 2, High: 256}}, goptuna.IntUniformDistribution{Low: 2, High: 256}},
		{[]any{steps(0, 6, 3), steps(9, 9, 3)}, steps(0, 10, 3)}, // High is left out, but 9 is a value
		{[]any{steps(0, 6, 3), steps(1, 7, 3)}, nil},
		{[]any{steps(0, 6, 3), steps(0, 6, 2)}, nil},
		{[]any{goptuna.DiscreteUniformDistribution{Low: 0.1, High: 1, Q: 0.1}, goptuna.DiscreteUniformDistribution{Low: 0.4, High: 2, Q: 0.1}}, goptuna.DiscreteUniformDistribution{Low: 0.1, High: 2, Q: 0.1}},
		{[]any{goptuna.DiscreteUniformDistribution{Low: 0.1, High: 1, Q: 0.1}, goptuna.DiscreteUniformDistribution{Low: 0.45, High: 2, Q: 0.1}}, nil},
		{[]any{goptuna.UniformDistribution{Low: 0, High: 1}, goptuna.LogUniformDistribution{Low: 0.1, High: 1}}, nil},
		{[]any{goptuna.IntUniformDistribution{Low: 0, High: 1}, steps(0, 2, 1)}, nil},
	} {
		got, ok := space.Union(test.all...)
		if ok != (test.want != nil) || ok && !reflect.DeepEqual(got, test.want) {
			t.Errorf("union of %v is %v, %t, want %v", test.all, got, ok, test.want)
		}
	}
}

// followed returns the space of k, what follows from it, and two values beside.
func followed(t *testing.T, k any, by map[string]any) (*space.Space, *space.Param) {
	t.Helper()
	newParam := func(name string, d any) *space.Param {
		p, err := space.NewParam(name, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	forms := space.Forms{Parent: "k", By: map[string]*space.Param{}}
	var all []any
	for at, d := range by {
		forms.By[at] = newParam("x", d)
		all = append(all, d)
	}
	union, ok := space.Union(all...)
	if !ok {
		t.Fatalf("no union of %v", all)
	}
	x := newParam("x", union).WithForms(forms)
	s, err := space.New([]*space.Param{newParam("k", k), x, newParam("z", texts("p", "q"))})
	if err != nil {
		t.Fatal(err)
	}
	return s, x
}

// Every configuration that forms leave is found once, whatever is tried first, and lies in
// the form that is asked for; what is fixed leaves some.
func TestFormsAreTriedOnce(t *testing.T) {
	ints := func(high int) any { return goptuna.IntUniformDistribution{Low: 1, High: high} }
	for _, test := range []struct {
		name  string
		k     any
		by    map[string]any
		fixed map[string]float64
		want  int
	}{
		{"choices", texts("a", "b"), map[string]any{"a": texts("u", "v"), "b": texts("w", "v", "u")}, nil, 10},
		{"a value that one has", texts("a", "b"), map[string]any{"a": texts("u", "v"), "b": texts("w", "v", "u")}, map[string]float64{"x": 0}, 2},
		{"a parent", texts("a", "b"), map[string]any{"a": texts("u", "v"), "b": texts("w", "v", "u")}, map[string]float64{"k": 0}, 4},
		{"a path", ints(3), map[string]any{"1": ints(1), "2": ints(4), "3": ints(7)}, nil, 24},
		{"a dimension", ints(3), map[string]any{"1": ints(1), "2": ints(4), "3": ints(30)}, nil, 70},
		{"a grid of floats", texts("a", "b"), map[string]any{
			"a": goptuna.DiscreteUniformDistribution{Low: 0.1, High: 0.7, Q: 0.1}, "b": goptuna.DiscreteUniformDistribution{Low: 0.3, High: 3, Q: 0.1}}, nil, 2 * (7 + 28)},
		{"a parent's value without a form", texts("a", "b", "c"), map[string]any{"a": texts("u", "v"), "b": texts("w", "v", "u")}, nil, 16},
	} {
		s, x := followed(t, test.k, test.by)
		r, ok := s.Root().Fix(test.fixed)
		if !ok {
			t.Fatalf("%s: %v cannot be fixed", test.name, test.fixed)
		}
		tried, n := s.NewTried(), 0
		for ; n <= 100; n++ {
			point, ok := tried.FirstUntried(r)
			if !ok {
				break
			}
			values := s.Decode(point)
			if form := s.Form(values, x); form != x {
				if value, ok := form.Convert(values["x"], x.Distribution); !ok || !form.Contains(value) {
					t.Errorf("%s: %v is not in %v", test.name, values, form.Distribution)
				}
			}
			if !r.Contains(point) || !s.FitsForms(point) || tried.Covers(point) {
				t.Errorf("%s: %v is found", test.name, values)
			}
			tried.Add(point, true)
		}
		if n != test.want {
			t.Errorf("%s: %d configurations, want %d", test.name, n, test.want)
		}
	}
}

// The parts of a region hold what follows from their values, up to the ends of a range, and
// MoveInto leads there.
func TestPartsFollow(t *testing.T) {
	by := map[string]any{"adam": goptuna.LogUniformDistribution{Low: 1e-5, High: 0.3}, "sgd": goptuna.LogUniformDistribution{Low: 1e-3, High: 1}}
	s, x := followed(t, texts("adam", "sgd"), by)
	parts := s.Root().Parts()
	if len(parts) != 2 {
		t.Fatalf("%d parts, want 2", len(parts))
	}
	beyond := fmkernel.Point{C: []float64{1}, V: []int{0, 1}} // adam with 1
	if s.FitsForms(beyond) || s.Root().Contains(beyond) {
		t.Error("a rate of 1 follows from adam")
	}
	if moved, ok := s.Root().MoveInto(beyond); !ok || !s.FitsForms(moved) || fmt.Sprint(moved.V) != fmt.Sprint(beyond.V) {
		t.Errorf("%v is moved to %v", beyond, moved)
	}
	for _, part := range parts {
		dom := part.Domain()
		for _, c := range []float64{0, 1} {
			at := dom.Nearest(fmkernel.Point{C: []float64{c}, V: dom.Nearest(beyond).V})
			values := s.Decode(at)
			form := s.Form(values, x)
			low, high := form.Distribution.(goptuna.LogUniformDistribution).Low, form.Distribution.(goptuna.LogUniformDistribution).High
			value, ok := form.Convert(values["x"], x.Distribution)
			if !ok || !s.FitsForms(at) || c == 0 && value > low*(1+1e-9) || c == 1 && value < high*(1-1e-9) {
				t.Errorf("the end %v of %v is %v, %t", c, form.Distribution, value, ok)
			}
		}
	}
}
