package space_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

func newParam(t *testing.T, distribution any) *space.Param {
	t.Helper()
	p, err := space.NewParam("x", distribution, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kinds has distributions of every kind and size.
func kinds() map[string]any {
	return map[string]any{
		"uniform":                   goptuna.UniformDistribution{Low: -2, High: 5},
		"uniform, all floats":       goptuna.UniformDistribution{Low: -math.MaxFloat64, High: math.MaxFloat64},
		"uniform, one ulp":          goptuna.UniformDistribution{Low: 1, High: math.Nextafter(1, 2)},
		"log":                       goptuna.LogUniformDistribution{Low: 1e-5, High: 10},
		"log, 300 decades":          goptuna.LogUniformDistribution{Low: 1e-150, High: 1e150},
		"log, all normal floats":    goptuna.LogUniformDistribution{Low: 0x1p-1022, High: math.MaxFloat64},
		"int":                       goptuna.IntUniformDistribution{Low: -3, High: 7},
		"int, two":                  goptuna.IntUniformDistribution{Low: 0, High: 1},
		"int, many":                 goptuna.IntUniformDistribution{Low: -300, High: 700},
		"int, all":                  goptuna.IntUniformDistribution{Low: -1 << 62, High: 1 << 62},
		"int, last":                 goptuna.IntUniformDistribution{Low: 1<<62 - 5000, High: 1 << 62},
		"step int":                  goptuna.StepIntUniformDistribution{Low: 1, High: 20, Step: 4},
		"step int, high on grid":    goptuna.StepIntUniformDistribution{Low: 0, High: 20, Step: 4},
		"step int, many":            goptuna.StepIntUniformDistribution{Low: -7, High: 1000, Step: 3},
		"step int, all":             goptuna.StepIntUniformDistribution{Low: -1 << 61, High: 1 << 62, Step: 1000},
		"discrete":                  goptuna.DiscreteUniformDistribution{Low: 0, High: 0.7, Q: 0.1},
		"discrete, high off grid":   goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.3},
		"discrete, many":            goptuna.DiscreteUniformDistribution{Low: -1, High: 1, Q: 0.01},
		"discrete, tiny q":          goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 1e-12},
		"discrete, smallest q":      goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 5e-324},
		"discrete, coarse floats":   goptuna.DiscreteUniformDistribution{Low: 1e17, High: 2e17, Q: 0.1},
		"discrete, infinite levels": goptuna.DiscreteUniformDistribution{Low: 0, High: math.MaxFloat64, Q: 0.1},
		"choices":                   goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}},
		"two choices":               goptuna.CategoricalDistribution{Choices: []string{"yes", "no"}},
		"numbers":                   goptuna.CategoricalDistribution{Choices: []string{"10", "1", "2"}},
		"many numbers":              goptuna.CategoricalDistribution{Choices: squares(50)},
	}
}

// coordinates returns points of the parameter's domain: both ends, and random
// ones.
func coordinates(p *space.Param, rng *rand.Rand) []float64 {
	var at []float64
	if p.Graph != nil {
		for v := range p.Graph.Order() {
			at = append(at, float64(v))
		}
		return at
	}
	at = append(at, 0, 1, 0.5, math.Nextafter(1, 0), math.SmallestNonzeroFloat64, 1e-9)
	for range 200 {
		at = append(at, rng.Float64())
	}
	return append(at, p.Dim().Values...)
}

// Decoded values lie in the distribution, and come back when they are encoded:
// encode∘decode is the identity on values.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	for name, distribution := range kinds() {
		p := newParam(t, distribution)
		for _, u := range coordinates(p, rng) {
			value := p.Decode(u)
			if !fmtest.Contains(distribution, value) || !p.Contains(value) {
				t.Errorf("%s, seed %d: decode(%v) = %v is not in %+v", name, seed, u, value, distribution)
			}
			back, ok := p.Encode(value)
			if !ok {
				t.Errorf("%s: no coordinate for %v", name, value)
			}
			again := p.Decode(back)
			// Floats take a rounding in the logarithm or in the scaling; all
			// others are exact.
			tol := 0.0
			switch d := distribution.(type) {
			case goptuna.UniformDistribution:
				tol = 1e-15 * math.Max(math.Abs(d.Low), math.Abs(d.High))
			case goptuna.LogUniformDistribution:
				tol = 1e-12 * value
			case goptuna.DiscreteUniformDistribution:
				if p.Dim().Levels == 0 || p.Dim().Levels > 1e9 {
					tol = 1e-8 * d.High
				}
			case goptuna.IntUniformDistribution:
				tol = 1e-15 * (float64(d.High) - float64(d.Low))
			case goptuna.StepIntUniformDistribution:
				tol = 1e-15 * (float64(d.High) - float64(d.Low))
			}
			if math.Abs(again-value) > tol {
				t.Errorf("%s: %v has coordinate %v, which decodes to %v", name, value, back, again)
			}
		}
	}
}

// FromUnit gives each of finitely many values the same share of [0, 1), and
// never leaves the distribution.
func TestFromUnit(t *testing.T) {
	for name, distribution := range kinds() {
		p := newParam(t, distribution)
		seen := map[float64]int{}
		const n = 4200 // a multiple of many numbers of values
		for i := range n {
			value := p.FromUnit((float64(i) + 0.5) / n)
			if !fmtest.Contains(distribution, value) {
				t.Fatalf("%s: %v is not in %+v", name, value, distribution)
			}
			seen[value]++
		}
		for _, u := range []float64{0, math.Nextafter(1, 0), 1} {
			if value := p.FromUnit(u); !fmtest.Contains(distribution, value) {
				t.Errorf("%s: FromUnit(%v) = %v is not in %+v", name, u, value, distribution)
			}
		}
		values := 0
		switch {
		case p.Graph != nil:
			values = p.Graph.Order()
		case p.Dim().Values != nil:
			values = len(p.Dim().Values)
		case p.Dim().Levels > 0 && p.Dim().Levels < 2000:
			values = int(p.Dim().Levels)
		default:
			continue
		}
		if len(seen) != values {
			t.Errorf("%s: %d different values, want %d", name, len(seen), values)
		}
		for value, count := range seen {
			if float64(count) < math.Floor(n/float64(values)) || float64(count) > math.Ceil(n/float64(values)) {
				t.Errorf("%s: %v comes up %d times in %d, want an equal share of %d values", name, value, count, n, values)
			}
		}
	}
}

// Up to MaxPathOrder ordered values are a path graph; more are a dimension.
func TestMaxPathOrder(t *testing.T) {
	if space.MaxPathOrder != 20 {
		t.Fatalf("MaxPathOrder is %d: the documented number, and those below, are for 20", space.MaxPathOrder)
	}
	for _, test := range []struct {
		name         string
		distribution any
		order        int // of the path, or 0
		levels       float64
	}{
		{"20 ints", goptuna.IntUniformDistribution{Low: 1, High: 20}, 20, 0},
		{"21 ints", goptuna.IntUniformDistribution{Low: 0, High: 20}, 0, 21},
		{"20 steps", goptuna.StepIntUniformDistribution{Low: 0, High: 100, Step: 5}, 20, 0},
		{"21 steps", goptuna.StepIntUniformDistribution{Low: 0, High: 101, Step: 5}, 0, 21},
		{"20 discrete floats", goptuna.DiscreteUniformDistribution{Low: 0, High: 1.9, Q: 0.1}, 20, 0},
		{"21 discrete floats", goptuna.DiscreteUniformDistribution{Low: 0, High: 2, Q: 0.1}, 0, 21},
		{"20 numbers", goptuna.CategoricalDistribution{Choices: squares(20)}, 20, 0},
	} {
		p := newParam(t, test.distribution)
		order := 0
		if p.Graph != nil {
			order = p.Graph.Order()
		}
		if order != test.order || p.Dim().Levels != test.levels || p.Dim().Values != nil {
			t.Errorf("%s: path of %d, %v levels, want %d and %v", test.name, order, p.Dim().Levels, test.order, test.levels)
		}
	}
	p := newParam(t, goptuna.CategoricalDistribution{Choices: squares(21)})
	if p.Graph != nil || len(p.Dim().Values) != 21 {
		t.Errorf("21 numbers: graph %v, %d positions, want none and 21", p.Graph, len(p.Dim().Values))
	}
}

// Two ordered values, and any unordered ones, are a complete graph.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		name         string
		distribution any
		want         graphs.Shape
	}{
		{"int", goptuna.IntUniformDistribution{Low: 0, High: 9}, graphs.ShapePath},
		{"two ints", goptuna.IntUniformDistribution{Low: 0, High: 1}, graphs.ShapeComplete},
		{"choices", goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c", "d"}}, graphs.ShapeComplete},
		{"two numbers", goptuna.CategoricalDistribution{Choices: []string{"1", "2"}}, graphs.ShapeComplete},
	} {
		if got := newParam(t, test.distribution).Graph.Shape(); got != test.want {
			t.Errorf("%s: shape %v, want %v", test.name, got, test.want)
		}
	}
	for _, continuous := range []any{
		goptuna.UniformDistribution{Low: 0, High: 1}, goptuna.LogUniformDistribution{Low: 0.1, High: 1},
	} {
		if p := newParam(t, continuous); p.Graph != nil || p.Dim().Levels != 0 || p.Dim().Values != nil {
			t.Errorf("%+v is no plain dimension", continuous)
		}
	}
}

// Values that another distribution of the same name has produced keep their
// meaning.
func TestEncodeForeignValues(t *testing.T) {
	at := func(x float64) *float64 { return &x }
	ints := goptuna.IntUniformDistribution{Low: 0, High: 10}
	many := goptuna.IntUniformDistribution{Low: 0, High: 100}
	unit := goptuna.UniformDistribution{Low: 0, High: 1}
	log := goptuna.LogUniformDistribution{Low: 0.01, High: 100}
	letters := goptuna.CategoricalDistribution{Choices: []string{"a", "b", "c"}}
	for _, test := range []struct {
		name  string
		to    any
		value float64
		from  any
		want  *float64
		why   string
	}{
		{"wider", goptuna.UniformDistribution{Low: -1, High: 3}, 1, unit, at(0.5), "-1 … 1 … 3"},
		{"outside", unit, 3, goptuna.UniformDistribution{Low: 0, High: 5}, at(3), "beyond the range, at its distance"},
		{"linear to log", log, 1, unit, at(0.5), "0.01 … 1 … 100"},
		{"zero to log", log, 0, unit, nil, "no logarithm"},
		{"below zero to log", log, -1, goptuna.UniformDistribution{Low: -1, High: 1}, nil, "no logarithm"},
		{"log to linear", unit, 0.25, log, at(0.25), "the value counts"},
		{"int to float", unit, 1.2, ints, at(1), "the objective saw 1"},
		{"step int to float", unit, 5.9, goptuna.StepIntUniformDistribution{Low: 1, High: 9, Step: 4}, at(5), "the objective saw 5"},
		{"float to many ints", many, 2.5, unit, at(0.025), "between two levels"},
		{"float to few ints", ints, 2.5, unit, nil, "no vertex"},
		{"whole float to few ints", ints, 3, unit, at(3), "vertex 3"},
		{"rounded float to few ints", ints, 3 + 1e-9, unit, at(3), "vertex 3, up to rounding"},
		{"outside of few ints", ints, 11, many, nil, "no vertex"},
		{"below few ints", ints, -1, goptuna.IntUniformDistribution{Low: -5, High: 5}, nil, "no vertex"},
		{"few to many", many, 10, ints, at(0.1), "10 of 100"},
		{"other grid", goptuna.StepIntUniformDistribution{Low: 0, High: 9, Step: 3}, 6, ints, at(2), "0, 3, 6"},
		{"off the other grid", goptuna.StepIntUniformDistribution{Low: 0, High: 9, Step: 3}, 5, ints, nil, "0, 3, 6"},
		{"choice, reordered", letters, 0, goptuna.CategoricalDistribution{Choices: []string{"c", "a"}}, at(2), "c"},
		{"choice, added before", letters, 3, goptuna.CategoricalDistribution{Choices: []string{"z", "y", "a", "b"}}, at(1), "b"},
		{"choice, removed", letters, 0, goptuna.CategoricalDistribution{Choices: []string{"z", "a"}}, nil, "z is no more"},
		{"choice out of range", letters, 3, letters, nil, "no such choice"},
		{"negative choice", letters, -1, letters, nil, "no such choice"},
		{"NaN as a choice", letters, math.NaN(), letters, nil, "no such choice, also where the CPU makes 0 of it"},
		{"choice to number", unit, 1, letters, nil, "an index is no number"},
		{"number to choice", letters, 1, ints, nil, "a number is no index"},
		{"negative number to choice", letters, -0.5, log, nil, "a number is no index"},
		{"NaN", unit, math.NaN(), unit, nil, "no number"},
		{"infinity", unit, math.Inf(1), unit, nil, "no number"},
	} {
		p := newParam(t, test.to)
		s := spaceOf(t, p)
		x, bad := s.Encode(space.Values{
			Internal: map[string]float64{"x": test.value}, Distributions: map[string]any{"x": test.from},
		})
		ok := bad == nil
		if ok != (test.want != nil) {
			t.Errorf("%s: encoded is %t, want %t (%s)", test.name, ok, test.want != nil, test.why)
			continue
		}
		if !ok {
			continue
		}
		got := 0.0
		if p.Graph != nil {
			got = float64(x.V[0])
		} else {
			got = x.C[0]
		}
		if math.Abs(got-*test.want) > 1e-15 {
			t.Errorf("%s: coordinate %v, want %v (%s)", test.name, got, *test.want, test.why)
		}
	}
}

// Values that lie on the grid from above, which Goptuna accepts, are what the objective
// gets for them.
func TestDiscreteFromAbove(t *testing.T) {
	d := goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.3}
	p := newParam(t, d)
	for _, value := range []float64{0.1, 0.4, 0.7, 1} {
		if !fmtest.Contains(d, value) {
			t.Fatalf("Goptuna does not accept %v", value)
		}
		u, ok := p.Encode(value)
		if got, want := p.Decode(u), d.ToExternalRepr(value).(float64); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%v is taken for %v (%t), the objective gets %v", value, got, ok, want)
		}
	}
}

func TestSingle(t *testing.T) {
	for _, test := range []struct {
		distribution any
		want         float64
		single       bool
	}{
		{goptuna.UniformDistribution{Low: 2, High: 2}, 2, true},
		{goptuna.LogUniformDistribution{Low: 2, High: 2}, 2, true},
		{goptuna.IntUniformDistribution{Low: 2, High: 2}, 2, true},
		{goptuna.StepIntUniformDistribution{Low: 2, High: 2, Step: 1}, 2, true},
		{goptuna.StepIntUniformDistribution{Low: 2, High: 5, Step: 4}, 2, true},
		{goptuna.StepIntUniformDistribution{Low: 2, High: 6, Step: 4}, 2, true}, // Contains excludes 6
		{goptuna.StepIntUniformDistribution{Low: 2, High: 7, Step: 4}, 0, false},
		{goptuna.DiscreteUniformDistribution{Low: 2, High: 2, Q: 1}, 2, true},
		{goptuna.DiscreteUniformDistribution{Low: 2, High: 2.9, Q: 1}, 2, true},
		{goptuna.DiscreteUniformDistribution{Low: 2, High: 3, Q: 1}, 0, false},
		{goptuna.CategoricalDistribution{Choices: []string{"a"}}, 0, true},
		{goptuna.CategoricalDistribution{Choices: []string{"7"}}, 0, true},
		{goptuna.CategoricalDistribution{Choices: []string{"a", "b"}}, 0, false},
		{goptuna.UniformDistribution{Low: 2, High: 3}, 0, false},
	} {
		p := newParam(t, test.distribution)
		value, single := p.Single()
		if single != test.single || single && (value != test.want || !fmtest.Contains(test.distribution, value)) {
			t.Errorf("%+v: %v, %t, want %v, %t", test.distribution, value, single, test.want, test.single)
		}
		if n := len(spaceOf(t, p).Params()); (n == 0) != test.single {
			t.Errorf("%+v: a space of it has %d parameters", test.distribution, n)
		}
	}
}

// The texts of all errors are tested where users meet them, in the sampler.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name         string
		distribution any
		graph        *graphs.Graph
		unknown      bool
	}{
		{"unknown", 5, nil, true},
		{"pointer", &goptuna.CategoricalDistribution{Choices: []string{"a"}}, nil, true},
		{"log", goptuna.LogUniformDistribution{Low: 0, High: 1}, nil, false},
		{"order", goptuna.CategoricalDistribution{Choices: []string{"a"}}, graphs.Path(2), false},
		{"graph", goptuna.UniformDistribution{Low: 0, High: 1}, graphs.Path(2), false},
	} {
		_, err := space.NewParam("x", test.distribution, test.graph)
		if err == nil || !strings.HasPrefix(err.Error(), "fm: ") || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%s: error %v does not name package and parameter", test.name, err)
		}
		if errors.Is(err, goptuna.ErrUnknownDistribution) != test.unknown {
			t.Errorf("%s: error %v, want ErrUnknownDistribution: %t", test.name, err, test.unknown)
		}
	}
}

// The upper end is a value of a grid if it is one up to rounding, however fine the grid is.
func TestUpperEndOfGrid(t *testing.T) {
	for _, test := range []struct{ low, high, q, count, last float64 }{
		{0, 1, 0.1, 11, 1},
		{-5, 5, 1e-7, 1e8 + 1, 5},
		{0, 1e6, 0.01, 1e8 + 1, 1e6},
		{0, 10000.00995, 0.01, 1e6 + 1, 10000},
		{0, 999999.9999, 0.01, 1e8, 999999.99},
	} {
		d := goptuna.DiscreteUniformDistribution{Low: test.low, High: test.high, Q: test.q}
		p, err := space.NewParam("x", d, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := 1.0
		if p.Graph != nil {
			last = p.Count() - 1
		}
		if got := p.Decode(last); p.Count() != test.count || math.Abs(got-test.last) > 1e-9*math.Abs(test.last) {
			t.Errorf("%+v: %v values up to %v, want %v up to %v", d, p.Count(), got, test.count, test.last)
		}
	}
}

// Of a grid that is so fine that Goptuna cannot count its steps, there are the values that
// it hands over as they are.
func TestFinestGrids(t *testing.T) {
	for _, d := range []goptuna.DiscreteUniformDistribution{
		{Low: 0, High: 1e10, Q: 1e-300}, {Low: -1, High: 1, Q: 5e-324}, {Low: 1e10, High: 2e10, Q: 1e-310}, {Low: 0, High: math.MaxFloat64, Q: 5e-324},
	} {
		p := newParam(t, d)
		for _, u := range []float64{0, 0.25, 0.5, 0.75, 1} {
			if value := p.Decode(u); math.Abs(d.ToExternalRepr(value).(float64)-value) > 1e-15*math.Abs(value) {
				t.Errorf("%+v: of %v, the objective gets %v", d, value, d.ToExternalRepr(value))
			}
		}
	}
}

// Far from zero, where the spacing of floats is more than the tolerance of a grid, its
// values have coordinates, whatever rounding makes of them.
func TestGridFarFromZero(t *testing.T) {
	for _, test := range []struct {
		d     goptuna.DiscreteUniformDistribution
		count float64
	}{
		{goptuna.DiscreteUniformDistribution{Low: 1.7e9, High: 1.7e9 + 0.01, Q: 0.001}, 11},
		{goptuna.DiscreteUniformDistribution{Low: 2.4e9, High: 2.4e9 + 1, Q: 0.1}, 11},
		{goptuna.DiscreteUniformDistribution{Low: -1.7e9 - 0.01, High: -1.7e9, Q: 0.001}, 11},
		{goptuna.DiscreteUniformDistribution{Low: 1.7e9, High: 1.7e9 + 1, Q: 0.001}, 1001},
	} {
		p := newParam(t, test.d)
		if p.Count() != test.count {
			t.Errorf("%+v: %v values, want %v", test.d, p.Count(), test.count)
		}
		seen := map[float64]bool{}
		for k := range int(test.count) {
			value := p.FromUnit((float64(k) + 0.5) / test.count)
			seen[value] = true
			external := test.d.ToExternalRepr(value)
			if got, err := p.Read(external); err != nil || math.Abs(got-value) > 1e-6 {
				t.Errorf("%+v: %v is read as %v, want %v: %v", test.d, external, got, value, err)
			}
			x, bad := spaceOf(t, p).Encode(space.Values{Internal: map[string]float64{"x": value}, Distributions: map[string]any{"x": test.d}})
			if bad != nil || !spaceOf(t, p).Root().Contains(x) {
				t.Errorf("%+v: %v has the point %+v", test.d, value, x)
			}
		}
		if len(seen) != int(test.count) {
			t.Errorf("%+v: %d different values, want %v", test.d, len(seen), test.count)
		}
	}
	off := goptuna.DiscreteUniformDistribution{Low: 1.7e9 + 0.0005, High: 1.7e9 + 0.0105, Q: 0.001}
	if u, ok := newParam(t, goptuna.DiscreteUniformDistribution{Low: 1.7e9, High: 1.7e9 + 0.01, Q: 0.001}).EncodeFrom(off.Low, off); ok {
		t.Errorf("a value between two has the coordinate %v", u)
	}
}
