package space_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// newSpace returns the space of the named distributions, added in the order of
// the names given.
func newSpace(t *testing.T, distributions map[string]any, order ...string) *space.Space {
	t.Helper()
	var params []*space.Param
	for _, name := range order {
		p, err := space.NewParam(name, distributions[name], nil)
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, p)
	}
	return spaceOf(t, params...)
}

func spaceOf(t *testing.T, params ...*space.Param) *space.Space {
	t.Helper()
	s, err := space.New(params)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mixed() map[string]any {
	return map[string]any{
		"u": goptuna.UniformDistribution{Low: 0, High: 4},
		"i": goptuna.IntUniformDistribution{Low: 0, High: 100},
		"n": goptuna.CategoricalDistribution{Choices: squares(25)},
		"k": goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
		"s": goptuna.StepIntUniformDistribution{Low: 0, High: 10, Step: 2},
		"1": goptuna.IntUniformDistribution{Low: 3, High: 3},
	}
}

func names(params []*space.Param) (names []string) {
	for _, p := range params {
		names = append(names, p.Name)
	}
	return names
}

// Coordinates are in the order of names, however the parameters come.
func TestOrder(t *testing.T) {
	for _, order := range [][]string{{"u", "i", "n", "k", "s", "1"}, {"1", "s", "k", "n", "i", "u"}} {
		s := newSpace(t, mixed(), order...)
		for _, test := range []struct {
			name      string
			got, want []string
		}{
			{"params", names(s.Params()), []string{"i", "k", "n", "s", "u"}},
			{"dimensions", names(s.Dims()), []string{"i", "n", "u"}},
			{"graphs", names(s.Graphs()), []string{"k", "s"}},
		} {
			if !slices.Equal(test.got, test.want) {
				t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
			}
		}
		kernel, err := s.Kernel(fmkernel.NewModLap)
		if err != nil {
			t.Fatal(err)
		}
		if d, p := kernel.Dims(); d != 3 || p != 2 {
			t.Errorf("kernel on %d dimensions and %d graphs, want 3 and 2", d, p)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	s := newSpace(t, mixed(), "u", "i", "n", "k", "s", "1")
	values := map[string]float64{"u": 1, "i": 30, "n": 24, "k": 2, "s": 6, "1": 3, "other": 9}
	x, bad := s.Encode(space.Values{Internal: values, Distributions: mixed()})
	want := fmkernel.Point{C: []float64{0.3, 0, 0.25}, V: []int{2, 3}}
	if bad != nil || !slices.Equal(x.C, want.C) || !slices.Equal(x.V, want.V) {
		t.Errorf("encoded as %v, without %v, want %v", x, bad, want)
	}
	back := s.Decode(x)
	if len(back) != 5 {
		t.Errorf("decoded to %v, want the five that vary", back)
	}
	for name, value := range back {
		if value != values[name] {
			t.Errorf("%s decoded to %v, was %v", name, value, values[name])
		}
	}
	delete(values, "k")
	if _, bad := s.Encode(space.Values{Internal: values, Distributions: mixed()}); bad == nil || bad.Name != "k" {
		t.Errorf("encoded without a value for k: %v", bad)
	}
}

// Values far outside the range, which an earlier range has produced, have no
// coordinate: their squares would not be finite, and they are unlike all others.
func TestFarValuesHaveNoCoordinate(t *testing.T) {
	for _, test := range []struct {
		distribution any
		value        float64
		want         bool
	}{
		{goptuna.UniformDistribution{Low: 0, High: 1}, 100, true},
		{goptuna.UniformDistribution{Low: 0, High: 1}, -100, true},
		{goptuna.UniformDistribution{Low: 0, High: 1}, 1e6, false},
		{goptuna.UniformDistribution{Low: 0, High: 1}, -1e6, false},
		{goptuna.UniformDistribution{Low: 1e-300, High: 2e-300}, 1, false},
		{goptuna.UniformDistribution{Low: 0, High: 5e-324}, 5e-324, true}, // a range that rounds to nothing has one coordinate
		{goptuna.LogUniformDistribution{Low: 1, High: math.Nextafter(1, 2)}, 10, false},
		{goptuna.IntUniformDistribution{Low: 0, High: 100}, 1e18, false},
	} {
		s := newSpace(t, map[string]any{"x": test.distribution}, "x")
		x, bad := s.Encode(space.Values{
			Internal:      map[string]float64{"x": test.value},
			Distributions: map[string]any{"x": goptuna.UniformDistribution{Low: -1e308, High: 1e308}},
		})
		if got := bad == nil; got != test.want {
			t.Errorf("%v in %+v: encoded is %t, want %t (%v)", test.value, test.distribution, got, test.want, x)
		}
	}
}

// Keys tell configurations apart, up to a billionth of a continuous range.
func TestKey(t *testing.T) {
	s := newSpace(t, mixed(), "u", "i", "n", "k", "s")
	point := func(i, n, u float64, v ...int) fmkernel.Point { return fmkernel.Point{C: []float64{i, n, u}, V: v} }
	base := point(0.5, 0, 0.5, 1, 2)
	for _, test := range []struct {
		name string
		x    fmkernel.Point
		same bool
	}{
		{"itself", point(0.5, 0, 0.5, 1, 2), true},
		{"another vertex", point(0.5, 0, 0.5, 2, 2), false},
		{"vertices exchanged", point(0.5, 0, 0.5, 2, 1), false},
		{"coordinates exchanged", point(0, 0.5, 0.5, 1, 2), false},
		{"the next level", point(0.51, 0, 0.5, 1, 2), false},
		{"a level, rounded", point(0.5+1e-12, 0, 0.5, 1, 2), true},
		{"a float nearby", point(0.5, 0, 0.5+1e-10, 1, 2), true},
		{"a float apart", point(0.5, 0, 0.5+1e-8, 1, 2), false},
		{"negative zero", point(0.5, math.Copysign(0, -1), 0.5, 1, 2), true},
	} {
		if same := s.Key(test.x) == s.Key(base); same != test.same {
			t.Errorf("%s: same key is %t, want %t", test.name, same, test.same)
		}
	}
}

// A space of nothing but constants has one point, and no coordinates.
func TestEmptySpace(t *testing.T) {
	s := newSpace(t, mixed(), "1")
	x, bad := s.Encode(space.Values{})
	if bad != nil || len(s.Decode(x)) != 0 || s.Key(x) != "" {
		t.Errorf("point %v, %v, values %v, key %q", x, bad, s.Decode(x), s.Key(x))
	}
}

// A group without a parent has a presence of its own, also where a choice has the empty name.
func TestGroupBesideEmptyName(t *testing.T) {
	var params []*space.Param
	for name, d := range map[string]any{"": goptuna.CategoricalDistribution{Choices: []string{"a", "b"}}, "x": goptuna.UniformDistribution{Low: 0, High: 1}} {
		p, err := space.NewParam(name, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		params = append(params, p)
	}
	s, err := space.New(params, space.Group{Names: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{"": 1, "x": 0.25}
	x, bad := s.Encode(s.Values(values))
	if got := s.Decode(x); bad != nil || !maps.Equal(got, values) {
		t.Errorf("the values %v are decoded as %v", values, got)
	}
}
