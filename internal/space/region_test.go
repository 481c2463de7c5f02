package space_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// switched is an objective in which a letter decides: 0 leads to x, 1 to i and j, 2
// to nothing more. All ask for z.
var switched = map[string]any{
	"k": letters(3), "x": unit, "i": goptuna.IntUniformDistribution{Low: 0, High: 9},
	"j": goptuna.IntUniformDistribution{Low: 1, High: 50}, "z": goptuna.IntUniformDistribution{Low: 0, High: 100},
}

// switchedRegions returns the space of a history of it, its points, and the region of
// each letter.
func switchedRegions(t *testing.T) (s *space.Space, xs []fmkernel.Point, at []space.Region) {
	t.Helper()
	s, xs = history(t, switched, func(trial int, get func(string) float64) {
		get("z")
		switch get("k") {
		case 0:
			get("x")
		case 1:
			get("i")
			get("j")
		}
	}, 40, 2)
	regions := s.Regions(xs)
	for k := range 3 {
		i := slices.IndexFunc(regions, func(r space.Region) bool {
			_, ok := r.Fix(map[string]float64{"k": float64(k)})
			return ok
		})
		if i < 0 || len(regions[i].Seen) == 0 {
			t.Fatalf("no trials in a region of letter %d", k)
		}
		at = append(at, regions[i])
	}
	if len(regions) != 3 {
		t.Fatalf("%d regions, want 3", len(regions))
	}
	return s, xs, at
}

func param(t *testing.T, s *space.Space, name string) *space.Param {
	t.Helper()
	for _, p := range s.Params() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no parameter %s", name)
	return nil
}

func encode(t *testing.T, s *space.Space, values map[string]float64, distributions map[string]any) fmkernel.Point {
	t.Helper()
	x, bad := s.Encode(space.Values{Internal: values, Distributions: distributions})
	if bad != nil {
		t.Fatalf("%v has no point: %s", values, bad.Name)
	}
	return x
}

func TestRegionActive(t *testing.T) {
	s, _, at := switchedRegions(t)
	for k, want := range [][]string{{"k", "x", "z"}, {"i", "j", "k", "z"}, {"k", "z"}} {
		var got []string
		for _, p := range s.Params() {
			if at[k].Active(p) {
				got = append(got, p.Name)
			}
		}
		if !slices.Equal(got, want) || at[k].NumActive(s.Params()) != len(want) {
			t.Errorf("letter %d: %v active, %d of them, want %v", k, got, at[k].NumActive(s.Params()), want)
		}
	}
	with := at[2].Activate(param(t, s, "i"))
	if !with.Active(param(t, s, "j")) || with.Active(param(t, s, "x")) {
		t.Error("i activates not j alone, which all trials had with it")
	}
	if at[2].Active(param(t, s, "i")) {
		t.Error("Activate changed the region that it was called on")
	}
	if same := at[2].Activate(param(t, s, "z")); same.NumActive(s.Params()) != 2 {
		t.Error("a parameter that all trials have activates others")
	}
	if root := s.Root(); root.NumActive(s.Params()) != 2 {
		t.Errorf("%d parameters active at the root, want the two that all trials have", root.NumActive(s.Params()))
	}
}

func TestRegionContains(t *testing.T) {
	s, _, at := switchedRegions(t)
	zero := map[string]float64{"k": 0, "x": 0.3, "z": 7}
	one := map[string]float64{"k": 1, "i": 3, "j": 9, "z": 7}
	for _, test := range []struct {
		name   string
		values map[string]float64
		region int
		fixed  map[string]float64
		want   bool
	}{
		{"its letter", zero, 0, nil, true},
		{"another letter", zero, 1, nil, false},
		{"the letter, without the parameters", map[string]float64{"k": 0, "z": 7}, 0, nil, false},
		{"another letter, with the parameters", map[string]float64{"k": 2, "x": 0.3, "z": 7}, 0, nil, false},
		{"more parameters", map[string]float64{"k": 0, "x": 0.3, "z": 7, "i": 1, "j": 1}, 0, nil, false},
		{"fixed as it is", zero, 0, map[string]float64{"x": 0.3, "z": 7, "k": 0}, true},
		{"a dimension fixed elsewhere", zero, 0, map[string]float64{"x": 0.4}, false},
		{"a level fixed elsewhere", zero, 0, map[string]float64{"z": 8}, false},
		{"a vertex fixed elsewhere", one, 1, map[string]float64{"i": 4}, false},
		{"a vertex fixed there", one, 1, map[string]float64{"i": 3}, true},
		{"something absent fixed", one, 1, map[string]float64{"x": 0.4}, true},
	} {
		r := at[test.region]
		if test.fixed != nil {
			var ok bool
			if r, ok = r.Fix(test.fixed); !ok {
				t.Errorf("%s: cannot be fixed", test.name)
			}
		}
		if got := r.Contains(encode(t, s, test.values, switched)); got != test.want {
			t.Errorf("%s: contained is %t, want %t", test.name, got, test.want)
		}
	}
}

func TestRegionFix(t *testing.T) {
	_, _, at := switchedRegions(t)
	if _, ok := at[0].Fix(map[string]float64{"k": 1}); ok {
		t.Error("the region of letter 0 has letter 1")
	}
	fixed, ok := at[1].Fix(map[string]float64{"k": 1, "z": 40, "i": 2})
	if !ok || fixed.Decided() {
		t.Errorf("fixed %t, decided %t, want j to be decided", ok, fixed.Decided())
	}
	if at[1].Decided() || at[1].Domain().Size() != 101*10*50 {
		t.Errorf("Fix changed the region, or it has %v configurations", at[1].Domain().Size())
	}
	if got := fixed.Domain().Size(); got != 50 {
		t.Errorf("%v configurations are left, want the 50 of j", got)
	}
	if all, ok := at[1].Fix(map[string]float64{"k": 1, "z": 40, "i": 2, "j": 1}); !ok || !all.Decided() || all.Domain().Size() != 1 || all.Empty() {
		t.Errorf("all fixed: %t, decided %t", ok, all.Decided())
	}
}

// What leads to a region is asked of every value in the distribution that it has
// been drawn from.
func TestRegionLedTo(t *testing.T) {
	_, _, at := switchedRegions(t)
	reordered := maps.Clone(switched)
	reordered["k"] = goptuna.CategoricalDistribution{Choices: []string{"b", "a", "?"}}
	for _, test := range []struct {
		name          string
		values        map[string]float64
		distributions map[string]any
		want          []bool // by letter
	}{
		{"nothing", nil, switched, []bool{true, true, true}},
		{"z", map[string]float64{"z": 3}, switched, []bool{true, true, true}},
		{"letter 1", map[string]float64{"k": 1, "z": 3}, switched, []bool{false, true, false}},
		{"what another letter leads to", map[string]float64{"k": 0, "i": 3}, switched, []bool{true, false, false}},
		{"letter 0 under another number", map[string]float64{"k": 1}, reordered, []bool{true, false, false}},
		{"a letter that is not known", map[string]float64{"k": 2}, reordered, []bool{false, false, false}},
	} {
		for k, want := range test.want {
			if got := at[k].LedTo(space.Values{Internal: test.values, Distributions: test.distributions}); got != want {
				t.Errorf("%s: leads to letter %d: %t, want %t", test.name, k, got, want)
			}
		}
	}
}

func TestRegionTake(t *testing.T) {
	_, _, at := switchedRegions(t)
	fixed, _ := at[0].Fix(map[string]float64{"x": 0.25})
	values := map[string]float64{"k": 0, "x": 0.5, "i": 3, "j": 4, "z": 9, "other": 1}
	before := maps.Clone(values)
	for _, test := range []struct {
		name   string
		region space.Region
		change map[string]float64
		want   map[string]float64
		ok     bool
	}{
		{"its own", at[0], nil, map[string]float64{"k": 0, "x": 0.5, "z": 9}, true},
		{"what is fixed", fixed, nil, map[string]float64{"k": 0, "x": 0.25, "z": 9}, true},
		{"elsewhere", at[1], nil, nil, false},
		{"another letter", at[1], map[string]float64{"k": 1}, map[string]float64{"k": 1, "i": 3, "j": 4, "z": 9}, true},
	} {
		of := maps.Clone(values)
		maps.Copy(of, test.change)
		got, ok := test.region.Take(of)
		if ok != test.ok || ok && !maps.Equal(got, test.want) {
			t.Errorf("%s: took %v, %t, want %v", test.name, got, ok, test.want)
		}
	}
	if !maps.Equal(values, before) {
		t.Errorf("Take changed the values to %v", values)
	}
}

func TestRegionMoveInto(t *testing.T) {
	s, _, at := switchedRegions(t)
	one := encode(t, s, map[string]float64{"k": 1, "i": 3, "j": 9, "z": 7}, switched)
	if y, ok := at[0].MoveInto(one); ok {
		t.Errorf("moved to %v, which has no x", y)
	}
	fixed, _ := at[1].Fix(map[string]float64{"i": 8, "z": 100})
	for _, test := range []struct {
		name string
		to   space.Region
		want map[string]float64
	}{
		{"stays", at[1], map[string]float64{"k": 1, "i": 3, "j": 9, "z": 7}},
		{"what is fixed moves", fixed, map[string]float64{"k": 1, "i": 8, "j": 9, "z": 100}},
		{"less is active", at[2], map[string]float64{"k": 2, "z": 7}},
	} {
		before := one.Clone()
		y, ok := test.to.MoveInto(one)
		if !ok || !test.to.Contains(y) || !near(s.Decode(y), test.want) {
			t.Errorf("%s: moved to %v, %t, want %v", test.name, s.Decode(y), ok, test.want)
		}
		if !slices.Equal(one.C, before.C) || !slices.Equal(one.V, before.V) {
			t.Errorf("%s: MoveInto changed the point", test.name)
		}
	}
}

func near(a, b map[string]float64) bool {
	return maps.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })
}

// Whatever the objective, what a region draws, or moves anything into, is one of its
// configurations, and in no other region; its values lead there, and the region
// takes them.
func TestRegionsAreClosed(t *testing.T) {
	for _, test := range conditional {
		for seed := range uint64(5) {
			s, xs := history(t, test.distributions, test.objective, test.n, seed)
			regions := s.Regions(xs)
			rng := rand.New(rand.NewPCG(seed, 5))
			for i, r := range regions {
				name := fmt.Sprintf("%s, seed %d, region %d", test.name, seed, i)
				if r.Empty() {
					t.Errorf("%s is empty", name)
					continue
				}
				if rng.IntN(2) == 0 { // something fixed
					values := s.Decode(r.Draw(rng))
					for key := range values {
						if rng.IntN(2) == 0 {
							delete(values, key)
						}
					}
					var ok bool
					if r, ok = r.Fix(values); !ok {
						t.Errorf("%s: %v, of its own, leads elsewhere", name, values)
					}
				}
				points := []fmkernel.Point{r.Draw(rng), r.Draw(rng), r.Draw(rng)}
				for _, x := range xs {
					if y, ok := r.MoveInto(x); ok {
						points = append(points, y)
						if r.Contains(x) && s.Key(x) != s.Key(y) {
							t.Errorf("%s: %v moves to %v, but was there", name, s.Decode(x), s.Decode(y))
						}
					} else if s.Activity(x) == r.Activity {
						t.Errorf("%s: %v has all its parameters, but cannot be moved there", name, s.Decode(x))
					}
				}
				for _, x := range points {
					values := s.Decode(x)
					if !r.Contains(x) {
						t.Fatalf("%s does not contain its own %v", name, values)
					}
					for j, other := range regions {
						if j != i && other.Contains(x) {
							t.Errorf("%s: %v is in region %d, too", name, values, j)
						}
					}
					if taken, ok := r.Take(values); !ok || !near(taken, values) {
						t.Errorf("%s: takes %v of its own %v, %t", name, taken, values, ok)
					}
					if !r.LedTo(space.Values{Internal: values, Distributions: test.distributions}) {
						t.Errorf("%s: its own %v do not lead there", name, values)
					}
				}
			}
		}
	}
}

// A region of values that no distribution has any more is empty, and others of a
// narrowed range keep inside of it.
func TestRegionsOfNarrowedRanges(t *testing.T) {
	for _, test := range []struct {
		name         string
		earlier, now any
		border       float64
	}{
		{"a path", goptuna.IntUniformDistribution{Low: 1, High: 9}, goptuna.IntUniformDistribution{Low: 5, High: 8}, 4},
		{"levels", goptuna.IntUniformDistribution{Low: 1, High: 900}, goptuna.IntUniformDistribution{Low: 500, High: 800}, 400},
		{"a continuum", goptuna.UniformDistribution{Low: 1, High: 9}, goptuna.UniformDistribution{Low: 5, High: 8}, 4},
	} {
		rng := rand.New(rand.NewPCG(1, 6))
		before := newParam(t, test.earlier)
		p, err := space.NewParam("x", test.now, nil, test.earlier)
		if err != nil {
			t.Fatal(err)
		}
		y, err := space.NewParam("y", unit, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := space.New([]*space.Param{p, y}, space.Group{Names: []string{"y"}})
		if err != nil {
			t.Fatal(err)
		}
		distributions := map[string]any{"x": test.earlier, "y": unit}
		var xs []fmkernel.Point
		for range 60 { // low values, which are gone, ask for y
			values := map[string]float64{"x": before.FromUnit(rng.Float64())}
			if values["x"] < test.border {
				values["y"] = rng.Float64()
			}
			xs = append(xs, encode(t, s, values, distributions))
		}
		open := 0
		for _, r := range s.Regions(xs) {
			if r.Empty() {
				if !r.Active(y) {
					t.Errorf("%s: an empty region without y, which is where x may still be", test.name)
				}
				continue
			}
			open++
			for range 50 {
				x := r.Draw(rng)
				if value := s.Decode(x)["x"]; !r.Contains(x) || !p.Contains(value) {
					t.Errorf("%s: x = %v drawn", test.name, value)
				}
			}
			if r.Active(y) {
				t.Errorf("%s: a region with y is open", test.name)
			}
		}
		if open != 1 {
			t.Errorf("%s: %d regions are open, want one", test.name, open)
		}
	}
}
