// White box: a level that is not where it should be is one that a search never
// proposes, which no result of Maximize would show.
package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSnap(t *testing.T) {
	uneven := Dim{Values: []float64{0, 0.1, 0.4, 1}}
	for _, test := range []struct {
		name    string
		dim     Dim
		c, want float64
		why     string
	}{
		{"continuum", Dim{}, 0.3, 0.3, "takes any value"},
		{"continuum, below", Dim{}, -0.3, 0, "outside [0, 1]"},
		{"continuum, above", Dim{}, 1.3, 1, "outside [0, 1]"},
		{"3 levels, below the middle", Dim{Levels: 3}, 0.24, 0, "0 is nearer than 1/2"},
		{"3 levels, above", Dim{Levels: 3}, 0.26, 0.5, "1/2 is nearer than 0"},
		{"3 levels, end", Dim{Levels: 3}, 0.99, 1, "the end is a level"},
		{"3 levels, outside", Dim{Levels: 3}, 7, 1, "outside [0, 1]"},
		{"2 levels", Dim{Levels: 2}, 0.51, 1, "the ends only"},
		{"1 level", Dim{Levels: 1}, 0.7, 0, "the one level is 0, as level has it"},
		{"huge", Dim{Levels: 1e15}, 0.5, 0.5, "within half a step, 5e-16"},
		{"uneven, on a value", uneven, 0.4, 0.4, "a value stays"},
		{"uneven, low", uneven, 0.04, 0, "0 is nearer than 0.1"},
		{"uneven, high", uneven, 0.06, 0.1, "0.1 is nearer than 0"},
		{"uneven, wide gap", uneven, 0.69, 0.4, "0.4 is nearer than 1"},
		{"uneven, past the middle", uneven, 0.71, 1, "1 is nearer than 0.4"},
		{"uneven, below", uneven, -2, 0, "outside [0, 1]"},
		{"uneven, above", uneven, 2, 1, "outside [0, 1]"},
		{"ends not included", Dim{Values: []float64{0.2, 0.3}}, 0, 0.2, "below the first value"},
		{"ends not included", Dim{Values: []float64{0.2, 0.3}}, 1, 0.3, "above the last value"},
		{"one value", Dim{Values: []float64{0.2}}, 0.9, 0.2, "there is no other"},
		{"values override levels", Dim{Levels: 3, Values: []float64{0, 0.9}}, 0.5, 0.9, "as documented"},
	} {
		if got := test.dim.Snap(test.c); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s: Snap(%v) = %v, want %v (%s)", test.name, test.c, got, test.want, test.why)
		}
	}
}

func grids() map[string]Dim {
	return map[string]Dim{
		"1 level":     {Levels: 1},
		"2 levels":    {Levels: 2},
		"7 levels":    {Levels: 7},
		"1000 levels": {Levels: 1000},
		"1e15 levels": {Levels: 1e15},
		"one value":   {Values: []float64{0.2}},
		"uneven":      {Values: []float64{0, 1e-9, 0.1, 0.4, 1}},
	}
}

// Every level has its number and stays where it is; every place snaps to the
// nearest level.
func TestLevels(t *testing.T) {
	const rounding = 4e-16 // of the levels and of c·(n-1), which matters where levels are 1e-15 apart
	rng := rand.New(rand.NewPCG(1, 1))
	for name, dim := range grids() {
		n := dim.Count()
		indices := []float64{0, n - 1, math.Floor(n / 2)}
		for range 200 {
			indices = append(indices, math.Floor(n*rng.Float64()))
		}
		for _, i := range indices {
			c := dim.level(i)
			if c < 0 || c > 1 || dim.index(c) != i || dim.Snap(c) != c {
				t.Errorf("%s: level %v is %v, which has number %v and snaps to %v", name, i, c, dim.index(c), dim.Snap(c))
			}
			if i+1 < n && dim.level(i+1) <= c {
				t.Errorf("%s: level %v is %v, level %v is %v", name, i, c, i+1, dim.level(i+1))
			}
		}
		for range 200 {
			c := rng.Float64()
			s := dim.Snap(c)
			i := dim.index(s)
			if s != dim.level(i) {
				t.Errorf("%s: %v snaps to %v, which is no level", name, c, s)
			}
			for _, j := range []float64{i - 1, i + 1} {
				if j >= 0 && j < n && math.Abs(dim.level(j)-c) < math.Abs(s-c)-rounding {
					t.Errorf("%s: %v snaps to %v, but %v is nearer", name, c, s, dim.level(j))
				}
			}
		}
	}
}

// Bounds keep a continuum inside, and of a grid the levels that lie within.
func TestWithin(t *testing.T) {
	below := func(x float64) float64 { return math.Nextafter(x, -1) }
	uneven := Dim{Values: []float64{0, 0.1, 0.4, 1}}
	for _, test := range []struct {
		name               string
		dim                Dim
		count, first, last float64
	}{
		{"a continuum", Dim{}.Within(0.2, 0.4), math.Inf(1), 0.2, 0.4},
		{"of one value", Dim{}.Within(0.2, 0.2), math.Inf(1), 0.2, 0.2},
		{"beyond [0, 1]", Dim{}.Within(-3, 7), math.Inf(1), 0, 1},
		{"infinite", Dim{}.Within(math.Inf(-1), math.Inf(1)), math.Inf(1), 0, 1},
		{"twice", Dim{}.Within(0.1, 0.5).Within(0.3, 0.9), math.Inf(1), 0.3, 0.5},
		{"all levels", Dim{Levels: 5}.Within(0, 1), 5, 0, 1},
		{"on levels", Dim{Levels: 5}.Within(0.25, 0.75), 3, 0.25, 0.75},
		{"the upper one left out", Dim{Levels: 5}.Within(0.25, below(0.75)), 2, 0.25, 0.5},
		{"between levels", Dim{Levels: 5}.Within(0.2, 0.8), 3, 0.25, 0.75},
		{"one level", Dim{Levels: 5}.Within(0.5, 0.5), 1, 0.5, 0.5},
		{"the last level", Dim{Levels: 5}.Within(0.9, 2), 1, 1, 1},
		{"levels, twice", Dim{Levels: 5}.Within(0.2, 1).Within(0, 0.6), 2, 0.25, 0.5},
		{"the only level", Dim{Levels: 1}.Within(0, 1), 1, 0, 0},
		{"values", uneven.Within(0.1, 0.9), 2, 0.1, 0.4},
		{"the first value", uneven.Within(-1, 0.05), 1, 0, 0},
		{"1e15 levels", Dim{Levels: 1e15}.Within(0, 0.5), 5e14, 0, 0.5},
	} {
		if got := test.dim.Count(); got != test.count && math.Abs(got-test.count) > 1e-9*test.count {
			t.Errorf("%s: %v values, want %v", test.name, got, test.count)
		}
		if low, high := test.dim.Snap(-9), test.dim.Snap(9); math.Abs(low-test.first) > 1e-14 || math.Abs(high-test.last) > 1e-14 {
			t.Errorf("%s: from %v to %v, want from %v to %v", test.name, low, high, test.first, test.last)
		} else if !test.dim.Contains(low) || !test.dim.Contains(high) || test.dim.Contains(-9) || test.dim.Contains(9) {
			t.Errorf("%s: contains -9 or 9, or not its ends", test.name)
		}
	}
	for name, dim := range map[string]Dim{
		"a continuum":    Dim{}.Within(0.4, 0.2),
		"beyond":         Dim{}.Within(1.5, 3),
		"between levels": Dim{Levels: 5}.Within(0.3, 0.4),
		"beyond levels":  Dim{Levels: 5}.Within(1.1, 3),
		"before levels":  Dim{Levels: 5}.Within(-3, -0.1),
		"between values": uneven.Within(0.5, 0.9),
		"twice":          uneven.Within(0, 0.1).Within(0.4, 1),
	} {
		if got := dim.Count(); got != 0 {
			t.Errorf("%s: %v values, want none", name, got)
		}
	}
	if !uneven.Contains(0.4) || uneven.Contains(0.3) || uneven.Within(0, 0.2).Contains(0.4) {
		t.Errorf("%v contain what is between them, or beyond the bounds, or lack one", uneven.Values)
	}
}

// What a bounded grid has, by number or drawn, are its levels within the bounds: as
// many as there are, counted one by one.
func TestWithinCountsLevels(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		dim := Dim{Levels: float64(1 + rng.IntN(60))}
		if rng.IntN(3) == 0 {
			dim.Values = make([]float64, 1+rng.IntN(9))
			for i := range dim.Values {
				dim.Values[i] = rng.Float64()
			}
			slices.Sort(dim.Values)
		}
		end := func() float64 { // on a level, or next to it, or anywhere
			at := dim.Snap(rng.Float64())
			switch rng.IntN(4) {
			case 0:
				return at
			case 1:
				return math.Nextafter(at, -1)
			case 2:
				return math.Nextafter(at, 2)
			}
			return 1.2*rng.Float64() - 0.1
		}
		low, high := end(), end()
		bounded := dim.Within(low, high)
		var want []float64
		for i := range int(dim.Count()) {
			if level := dim.level(float64(i)); level >= low && level <= high {
				want = append(want, level)
			}
		}
		n := bounded.Count()
		if n != float64(len(want)) {
			t.Fatalf("seed %d: %+v has %v values, want %v", seed, bounded, n, want)
		}
		for i, level := range want {
			if got := bounded.at(float64(i)); got != level || bounded.Snap(level) != level {
				t.Fatalf("seed %d: value %d of %+v is %v, and %v snaps to %v; want %v", seed, i, bounded, got, level, bounded.Snap(level), level)
			}
		}
		if len(want) == 0 {
			continue
		}
		dom := domain([]Dim{bounded})
		for range 5 {
			if c := dom.Draw(rng).C[0]; !slices.Contains(want, c) {
				t.Fatalf("seed %d: %v drawn from %+v", seed, c, bounded)
			}
			c := 1.4*rng.Float64() - 0.2
			if got := bounded.Snap(c); !slices.Contains(want, got) ||
				slices.ContainsFunc(want, func(level float64) bool { return math.Abs(level-c) < math.Abs(got-c)-1e-12 }) {
				t.Fatalf("seed %d: %v snaps to %v in %+v, want the nearest of %v", seed, c, got, bounded, want)
			}
		}
	}
}

// Grids with more levels than integers are exact take no longer, and keep to their
// bounds.
func TestHugeLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, levels := range []float64{1e15, 1 << 53, 1e19, 4e307} {
		for _, bounds := range [][2]float64{{0, 1}, {0.3, 0.7}, {0, 0.5}, {0.5, 1}, {1e-3, 1.1e-3}} {
			dim := Dim{Levels: levels}.Within(bounds[0], bounds[1])
			dom := domain([]Dim{dim})
			n, want := dom.Size(), levels*(bounds[1]-bounds[0])
			if math.Abs(n-want) > 1e-6*want {
				t.Errorf("%g levels within %v: %g values, want %g", levels, bounds, n, want)
			}
			free := dom.Free()
			x := dom.Fixed.Clone()
			for _, i := range []float64{0, 1, math.Floor(n / 2), n - 1} {
				if free[0].Set(x, i); x.C[0] < bounds[0]-1e-12 || x.C[0] > bounds[1]+1e-12 {
					t.Errorf("%g levels within %v: value %g is %v", levels, bounds, i, x.C[0])
				}
			}
			for range 100 {
				if c := dom.Draw(rng).C[0]; c < bounds[0]-1e-12 || c > bounds[1]+1e-12 {
					t.Errorf("%g levels within %v: %v drawn", levels, bounds, c)
				}
				if c := dim.Snap(rng.Float64()); c < bounds[0]-1e-12 || c > bounds[1]+1e-12 {
					t.Errorf("%g levels within %v: snaps to %v", levels, bounds, c)
				}
			}
		}
	}
}
