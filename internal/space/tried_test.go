package space_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// A set covers a configuration exactly where a trial that is given its values, or as
// many of them as it asks for, repeats another, whatever else it is given.
func TestCoversEqualsModel(t *testing.T) {
	covered, open := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 20))
		st := newTriedStudy(t, rng)
		regions := st.space.Regions(st.xs)
		for range 40 {
			var x fmkernel.Point
			switch rng.IntN(3) {
			case 0: // a trial's, or next to one
				x = st.xs[rng.IntN(len(st.xs))].Clone()
			case 1: // what is expected of the next trial
				x = regions[rng.IntN(len(regions))].Draw(rng)
			case 2: // with more parameters than it asks for, or others
				r := regions[rng.IntN(len(regions))]
				for _, p := range st.space.Params() {
					if rng.IntN(3) == 0 {
						r = r.Activate(p)
					}
				}
				x = r.Draw(rng)
			}
			for _, p := range st.space.Params() {
				if st.space.Active(x, p) && (number(p.Name) == 0 || rng.IntN(4) == 0) {
					u, _ := p.Encode(draw(rng, p.Name))
					if i := slices.Index(st.space.Dims(), p); i >= 0 {
						x.C[i] = u
					} else {
						x.V[slices.Index(st.space.Graphs(), p)] = int(u)
					}
				}
			}
			values := st.space.Decode(x)
			got, want := st.set.Covers(x), st.tree.exhausted(values, st.tried)
			if got != want {
				t.Fatalf("seed %d: a trial given %v: covered is %t, want %t; tried are\n%v", seed, values, got, want, slices.Sorted(maps.Keys(st.tried)))
			}
			if want {
				covered++
			} else {
				open++
			}
		}
	}
	if covered < 1000 || open < 1000 {
		t.Errorf("%d covered and %d open: one of them is not tested", covered, open)
	}
}

// The first untried configuration of a finite region is that which enumeration
// finds, and there is none where that finds none.
func TestFirstUntriedEqualsEnumeration(t *testing.T) {
	found, exhausted := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 21))
		st := newTriedStudy(t, rng)
		for _, r := range st.space.Regions(st.xs) {
			if rng.IntN(2) == 0 {
				values := st.space.Decode(r.Draw(rng))
				for _, name := range slices.Sorted(maps.Keys(values)) {
					if rng.IntN(2) == 0 {
						delete(values, name)
					}
				}
				r, _ = r.Fix(values)
			}
			if math.IsInf(r.Domain().Size(), 1) {
				continue
			}
			want, any := enumerate(r, st.set.Covers)
			got, ok := st.set.FirstUntried(r)
			if ok != any || ok && (!slices.Equal(got.C, want.C) || !slices.Equal(got.V, want.V)) {
				t.Fatalf("seed %d: first untried is %v, %t, want %v, %t", seed, got, ok, want, any)
			}
			if ok && !r.Contains(got) {
				t.Fatalf("seed %d: the first untried %v is not in the region", seed, got)
			}
			if ok {
				found++
			} else {
				exhausted++
			}
		}
	}
	if found < 100 || exhausted < 100 {
		t.Errorf("%d found and %d exhausted: one of them is not tested", found, exhausted)
	}
}

// enumerate returns the first configuration of a finite region that is not covered.
func enumerate(r space.Region, covered func(fmkernel.Point) bool) (x fmkernel.Point, ok bool) {
	dom := r.Domain()
	if dom.Size() == 0 {
		return x, false
	}
	free := dom.Free()
	x = dom.Fixed.Clone()
	var set func(k int) bool
	set = func(k int) bool {
		if k == len(free) {
			return !covered(x)
		}
		for i := range int(free[k].Count) {
			if free[k].Set(x, float64(i)); set(k + 1) {
				return true
			}
		}
		return false
	}
	return x, set(0)
}

// A study that always takes the first untried configuration has each configuration
// of the objective once, and ends with the last.
func TestFirstUntriedExhausts(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 22))
		tree := randomTree(rng, []string{"a", "b", "c", "d", "e"}, 4)
		if tree.end {
			continue
		}
		all := map[string]bool{}
		for range 3000 { // at most 3⁴ configurations
			all[fmt.Sprint(tree.run(nil, func(name string) float64 { return draw(rng, name) }))] = true
		}
		// The space of all, as it is known before the end of a long study.
		s, xs := history(t, pool, func(_ int, get func(string) float64) { tree.run(nil, get) }, 400, seed)
		regions := s.Regions(xs)
		tried, set := map[string]bool{}, s.NewTried()
		for {
			var x fmkernel.Point
			ok := false
			for _, r := range regions {
				if x, ok = set.FirstUntried(r); ok {
					break
				}
			}
			if !ok {
				break
			}
			values := tree.run(s.Decode(x), func(name string) float64 { return draw(rng, name) })
			if tried[fmt.Sprint(values)] {
				t.Fatalf("seed %d: %v repeats", seed, values)
			}
			tried[fmt.Sprint(values)] = true
			set.Add(encode(t, s, values, pool), true)
		}
		if len(tried) != len(all) {
			t.Errorf("seed %d: ended after %d of %d configurations", seed, len(tried), len(all))
		}
	}
}

// Planned configurations count until the trials that are to have them have
// finished; they cover themselves and nothing else.
func TestPlanned(t *testing.T) {
	s, xs, at := switchedRegions(t)
	set := s.NewTried()
	rng := rand.New(rand.NewPCG(1, 23))
	x, y, z := at[1].Draw(rng), at[1].Draw(rng), at[2].Draw(rng)
	set.Plan(x)
	more := set.WithPlanned([]fmkernel.Point{y, z})
	for _, test := range []struct {
		name string
		set  *space.Tried
		want []bool // x, y, z
	}{
		{"planned", set, []bool{true, false, false}},
		{"with two more", more, []bool{true, true, true}},
		{"finished", more.Finished(), []bool{false, false, false}},
		{"without those that lack i", more.Without([]*space.Param{param(t, s, "i")}), []bool{true, true, true}},
	} {
		for i, p := range []fmkernel.Point{x, y, z} {
			if got := test.set.Covers(p); got != test.want[i] {
				t.Errorf("%s: point %d is covered: %t, want %t", test.name, i, got, test.want[i])
			}
		}
	}
	// A trial that gets y may be asked for less than y has: that is not planned.
	less, _ := at[2].MoveInto(y)
	if more.Covers(less) && s.Key(less) != s.Key(z) {
		t.Error("a plan covers what a trial has that it leads to")
	}
	set.Add(x, true)
	if !set.Finished().Covers(x) || set.Finished().Covers(xs[0]) {
		t.Error("what was added has not finished, or what was not has")
	}
	if again := set.Finished().WithPlanned([]fmkernel.Point{y}); !again.Covers(y) || set.Covers(y) {
		t.Error("a plan beside finished trials does not count, or counts in both sets")
	}
}

// A trial that was asked for a parameter becomes none of those that lack it.
func TestWithout(t *testing.T) {
	s, _, _ := switchedRegions(t)
	set := s.NewTried()
	short := encode(t, s, map[string]float64{"k": 0, "x": 0.5, "z": 3}, switched)
	long := encode(t, s, map[string]float64{"k": 0, "x": 0.5, "z": 3, "i": 1, "j": 1}, switched)
	set.Add(short, true)
	if !set.Covers(short) || !set.Covers(long) {
		t.Error("a trial given all that another had, and more, does not repeat it")
	}
	i := []*space.Param{param(t, s, "i")}
	if rest := set.Without(i); rest.Covers(long) || rest.Covers(short) {
		t.Error("asked for i, a trial repeats one without it")
	}
	set.Add(long, true)
	if rest := set.Without(i); !rest.Covers(long) {
		t.Error("asked for i, a trial does not repeat one with it")
	}
	if rest := set.Without([]*space.Param{param(t, s, "z")}); !rest.Covers(short) {
		t.Error("what every trial has is lacked")
	}
}

// An objective is edited so that it asks for a parameter more or less, or for
// another one. Configurations from before the edit do not hide those after it; both
// remain tried as they were.
func TestTriedBeforeAnEdit(t *testing.T) {
	asks := func(names ...string) node {
		n := node{end: true}
		for _, name := range slices.Backward(names) {
			values := make([]node, max(1, number(name)))
			for i := range values {
				values[i] = n
			}
			n = node{name: name, values: values}
		}
		return n
	}
	for _, test := range []struct {
		name          string
		before, after node
	}{
		{"added", asks("a", "b"), asks("a", "b", "c")},
		{"dropped", asks("a", "b", "c"), asks("a", "b")},
		{"two added", asks("a"), asks("a", "c", "d")},
		{"replaced", asks("a", "b"), asks("a", "c")},
	} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 24))
			get := func(name string) float64 { return draw(rng, name) }
			const edited = 100
			var first map[string]float64
			s, xs := history(t, pool, func(trial int, get func(string) float64) {
				if trial < edited {
					test.before.run(nil, get)
				} else {
					first = test.after.run(nil, get)
				}
			}, edited+1, seed)
			set, tried := s.NewTried(), map[string]bool{fmt.Sprint(first): true}
			for _, x := range xs {
				set.Add(x, true)
			}
			for range 100 {
				if test.after.exhausted(nil, tried) {
					break
				}
				values := test.after.run(nil, get)
				x := encode(t, s, values, pool)
				if got, want := set.Covers(x), tried[fmt.Sprint(values)]; got != want {
					t.Fatalf("%s, seed %d: %v is covered: %t, want %t; tried since the edit are %v", test.name, seed, values, got, want, slices.Sorted(maps.Keys(tried)))
				}
				tried[fmt.Sprint(values)] = true
				set.Add(x, true)
			}
			if x := xs[0]; !set.Covers(x) {
				t.Errorf("%s, seed %d: %v, from before the edit, is not covered any more", test.name, seed, s.Decode(x))
			}
		}
	}
}

// A trial that may have ended before it asked for everything contradicts nothing.
func TestIncompleteTrialsContradictNothing(t *testing.T) {
	s, _ := history(t, pool, func(trial int, get func(string) float64) {
		get("a")
		if trial > 0 {
			get("b")
		}
	}, 10, 1)
	long := encode(t, s, map[string]float64{"a": 0, "b": 1}, pool)
	short := encode(t, s, map[string]float64{"a": 0}, pool)
	other := encode(t, s, map[string]float64{"a": 0, "b": 2}, pool)
	for _, whole := range []bool{false, true} {
		set := s.NewTried()
		set.Add(encode(t, s, map[string]float64{"a": 0, "b": 0}, pool), true)
		set.Add(long, true)
		set.Add(other, true)
		set.Add(short, whole)
		if !set.Covers(long) {
			t.Errorf("whole %t: what was tried is not covered", whole)
		}
		set = s.NewTried()
		set.Add(short, true)
		set.Add(long, whole) // ended after b: more than short had
		if got := set.Covers(other); got == whole {
			t.Errorf("whole %t: %v is covered: %t", whole, s.Decode(other), got)
		}
	}
}

// Values that a distribution has lost are no completions of what it has.
func TestTriedValuesThatAreGone(t *testing.T) {
	now, earlier := letters(2), letters(3)
	p, err := space.NewParam("k", now, nil, earlier)
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.NewParam("a", letters(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := space.New([]*space.Param{a, p}, space.Group{Names: []string{"k"}})
	if err != nil {
		t.Fatal(err)
	}
	set := s.NewTried()
	distributions := map[string]any{"a": letters(2), "k": earlier}
	only := encode(t, s, map[string]float64{"a": 0}, distributions)
	for i, k := range []float64{0, 2, 1} {
		if set.Covers(only) {
			t.Errorf("a trial given a = 0 repeats one after %d letters", i)
		}
		set.Add(encode(t, s, map[string]float64{"a": 0, "k": k}, distributions), true)
	}
	if !set.Covers(only) {
		t.Error("a trial given a = 0 repeats one, whichever of the two letters it gets")
	}
}

// In a grid that no study exhausts, and in a continuum, there is always something
// untried, and it is found at once.
func TestFirstUntriedInHugeRanges(t *testing.T) {
	for _, test := range []struct {
		name          string
		distributions map[string]any
	}{
		{"1e18 ints", map[string]any{"n": goptuna.IntUniformDistribution{Low: 0, High: 1e18}}},
		{"4e307 floats", map[string]any{"n": goptuna.DiscreteUniformDistribution{Low: 0, High: 4e307, Q: 1}}},
		{"two of them", map[string]any{"m": goptuna.IntUniformDistribution{Low: 0, High: 1e18}, "n": goptuna.DiscreteUniformDistribution{Low: 0, High: 4e307, Q: 1}}},
		{"with letters", map[string]any{"k": letters(3), "n": goptuna.IntUniformDistribution{Low: 0, High: 1e18}}},
		{"1e8 ints", map[string]any{"k": letters(3), "n": goptuna.IntUniformDistribution{Low: 0, High: 1e8}}},
		{"a continuum", map[string]any{"n": unit}},
		{"a continuum with letters", map[string]any{"k": letters(3), "n": unit}},
	} {
		var order []string
		for name := range test.distributions {
			order = append(order, name)
		}
		s := newSpace(t, test.distributions, order...)
		set, rng, begin := s.NewTried(), rand.New(rand.NewPCG(1, 25)), time.Now()
		for i := range 300 {
			x, ok := set.FirstUntried(s.Root())
			if !ok || set.Covers(x) || !s.Root().Contains(x) {
				t.Errorf("%s: after %d trials the first untried is %v, %t", test.name, i, s.Decode(x), ok)
				break
			}
			if i%2 == 0 {
				x = s.Root().Draw(rng)
			}
			set.Add(x, true)
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: took %v", test.name, took)
		}
	}
}
