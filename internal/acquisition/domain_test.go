// White box: a value that level, index, fromUnit or gridSteps miss is one that a
// search never proposes, which no result of Maximize would show.
package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
)

var almostOne = math.Nextafter(1, 0)

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
		n := dim.count()
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

// domain returns one with nothing fixed.
func domain(dims []Dim, gs ...*graphs.Graph) *Domain {
	return &Domain{
		Dims: dims, Graphs: gs,
		Fixed:  fmkernel.Point{C: make([]float64, len(dims)), V: make([]int, len(gs))},
		FixedC: make([]bool, len(dims)), FixedV: make([]bool, len(gs)),
	}
}

// Quantiles reach both ends of every grid, and each level equally often.
func TestFromUnit(t *testing.T) {
	for name, dim := range grids() {
		dom := domain([]Dim{dim})
		x := dom.Fixed.Clone()
		if dom.fromUnit(x, []float64{0}); x.C[0] != dim.level(0) {
			t.Errorf("%s: quantile 0 is %v, want %v", name, x.C[0], dim.level(0))
		}
		if dom.fromUnit(x, []float64{almostOne}); x.C[0] != dim.level(dim.count()-1) {
			t.Errorf("%s: the last quantile is %v, want %v", name, x.C[0], dim.level(dim.count()-1))
		}
	}

	dom := domain([]Dim{{}, {Levels: 7}, {Values: []float64{0.1, 0.2, 0.9}}, {Levels: 4}}, graphs.Complete(5), graphs.Path(4), graphs.Cycle(6))
	dom.FixedC[3], dom.Fixed.C[3] = true, 0.25 // on no grid: fixed values are not touched
	dom.FixedV[1], dom.Fixed.V[1] = true, 2
	dom.Vertices = [][]int{nil, nil, {4, 1}}
	if got := dom.free(); got != 5 {
		t.Fatalf("%d free coordinates, want 5", got)
	}
	const n = 7 * 3 * 5 * 2
	counts := make([]map[float64]int, 7)
	for i := range counts {
		counts[i] = map[float64]int{}
	}
	for i := range n {
		x, u := dom.Fixed.Clone(), make([]float64, 5)
		for j := range u {
			u[j] = (float64(i) + 0.5) / n
		}
		dom.fromUnit(x, u)
		for d, c := range x.C {
			counts[d][c]++
		}
		for p, v := range x.V {
			counts[4+p][float64(v)]++
		}
	}
	for i, want := range []int{n, 7, 3, 1, 5, 1, 2} {
		if len(counts[i]) != want {
			t.Errorf("coordinate %d takes %d values, want %d: %v", i, len(counts[i]), want, counts[i])
		}
		for value, count := range counts[i] {
			if count != n/want {
				t.Errorf("coordinate %d is %v %d times of %d, want 1/%d", i, value, count, n, want)
			}
		}
	}
	if counts[6][4] == 0 || counts[6][1] == 0 {
		t.Errorf("graph 2 takes the vertices %v, want 1 and 4", counts[6])
	}
}

// A finite domain is enumerated once, in order, with fixed coordinates as they
// are.
func TestEach(t *testing.T) {
	for _, test := range []struct {
		name string
		dom  *Domain
		fix  func(dom *Domain)
		want []string
		why  string
	}{
		{
			"mixed", domain([]Dim{{Levels: 3}}, graphs.Path(2)), func(*Domain) {},
			[]string{"[0] [0]", "[0] [1]", "[0.5] [0]", "[0.5] [1]", "[1] [0]", "[1] [1]"}, "3 levels × 2 vertices",
		},
		{
			"uneven", domain([]Dim{{Values: []float64{0.1, 0.7}}, {Levels: 1}}), func(*Domain) {},
			[]string{"[0.1 0] []", "[0.7 0] []"}, "2 values × 1 level",
		},
		{
			"fixed", domain([]Dim{{}, {Levels: 2}}, graphs.Complete(3), graphs.Path(9)), func(dom *Domain) {
				dom.FixedC[0], dom.Fixed.C[0] = true, 0.3
				dom.FixedV[1], dom.Fixed.V[1] = true, 7
			},
			[]string{"[0.3 0] [0 7]", "[0.3 0] [1 7]", "[0.3 0] [2 7]", "[0.3 1] [0 7]", "[0.3 1] [1 7]", "[0.3 1] [2 7]"}, "the continuum is fixed",
		},
		{
			"all fixed", domain([]Dim{{}}, graphs.Complete(3)), func(dom *Domain) {
				dom.FixedC[0], dom.Fixed.C[0] = true, 0.3
				dom.FixedV[0], dom.Fixed.V[0] = true, 2
			},
			[]string{"[0.3] [2]"}, "one point is left",
		},
		{
			"vertices", domain(nil, graphs.Complete(100), graphs.Path(2)), func(dom *Domain) { dom.Vertices = [][]int{{5, 80}, nil} },
			[]string{"[] [5 0]", "[] [5 1]", "[] [80 0]", "[] [80 1]"}, "only these vertices of the first",
		},
	} {
		test.fix(test.dom)
		var got []string
		test.dom.each(func(x fmkernel.Point) bool {
			got = append(got, fmt.Sprint(x.C, x.V))
			return true
		})
		if !slices.Equal(got, test.want) || test.dom.size() != float64(len(test.want)) {
			t.Errorf("%s: size %v, points %q, want %q (%s)", test.name, test.dom.size(), got, test.want, test.why)
		}
		calls := 0
		test.dom.each(func(fmkernel.Point) bool { calls++; return calls < 2 })
		if want := min(2, len(test.want)); calls != want {
			t.Errorf("%s: %d calls after the second returned false", test.name, calls)
		}
	}
	if got := domain([]Dim{{}}, graphs.Complete(3)).size(); !math.IsInf(got, 1) {
		t.Errorf("a continuum has size %v", got)
	}
}

func TestFirstFree(t *testing.T) {
	dom := domain([]Dim{{Levels: 1e15}}, graphs.Complete(3))
	calls := 0
	dom.Excluded = func(x fmkernel.Point) bool {
		calls++
		return x.C[0] == 0
	}
	x, ok := dom.FirstFree()
	if want := 1 / (1e15 - 1); !ok || x.C[0] != want || x.V[0] != 0 || calls != 4 {
		t.Errorf("got %v, %t after %d points; want c = %v after 4", x, ok, calls, want)
	}
	dom.Dims[0].Levels = 5
	dom.Excluded = func(fmkernel.Point) bool { return true }
	if x, ok := dom.FirstFree(); ok {
		t.Errorf("got %v although all are excluded", x)
	}
	dom.Dims[0] = Dim{}
	dom.Excluded = nil
	if x, ok := dom.FirstFree(); ok {
		t.Errorf("got %v: a continuum has no first point", x)
	}
}

func TestSatisfies(t *testing.T) {
	dom := domain([]Dim{{}, {}}, graphs.Complete(3), graphs.Complete(3))
	dom.FixedC[1], dom.Fixed.C[1] = true, 0.5
	dom.FixedV[0], dom.Fixed.V[0] = true, 2
	for _, test := range []struct {
		x    fmkernel.Point
		want bool
		why  string
	}{
		{fmkernel.Point{C: []float64{0.1, 0.5}, V: []int{2, 1}}, true, "free coordinates are anything"},
		{fmkernel.Point{C: []float64{0.1, 0.6}, V: []int{2, 1}}, false, "c is fixed to 0.5"},
		{fmkernel.Point{C: []float64{0.1, 0.5}, V: []int{1, 1}}, false, "v is fixed to 2"},
	} {
		if got := dom.Satisfies(test.x); got != test.want {
			t.Errorf("%v: got %t (%s)", test.x, got, test.why)
		}
	}
}

// With the vertices limited, so are the neighbours.
func TestNeighbors(t *testing.T) {
	dom := domain(nil, graphs.Path(6), graphs.Complete(9))
	if got := dom.neighbors(0, 3); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("neighbours %v, want all: 2 and 4", got)
	}
	dom.Vertices = [][]int{{0, 3, 4}, {1, 7}}
	if got := dom.neighbors(0, 3); !slices.Equal(got, []int{0, 4}) {
		t.Errorf("neighbours %v, want 4, and 0 by way of 2 and 1, which are left out", got)
	}
	if got := dom.neighbors(1, 7); !slices.Equal(got, []int{1}) {
		t.Errorf("neighbours %v, want 1: 7 is the vertex itself", got)
	}
}

// A step along a grid leads to both neighbours, and not past the ends.
func TestGridSteps(t *testing.T) {
	dom := domain([]Dim{{}, {Levels: 5}, {Values: []float64{0.1, 0.2, 0.9}}, {Levels: 1e15}, {Levels: 5}}, graphs.Complete(3))
	dom.FixedC[4] = true
	step := 1 / (1e15 - 1)
	for _, test := range []struct {
		name string
		c    []float64
		want map[int][]float64 // per dimension
	}{
		{"low ends", []float64{0, 0, 0.1, 0, 0}, map[int][]float64{1: {0.25}, 2: {0.2}, 3: {step}}},
		{"high ends", []float64{1, 1, 0.9, 1, 1}, map[int][]float64{1: {0.75}, 2: {0.2}, 3: {1 - step}}},
		{"middle", []float64{0.3, 0.5, 0.2, 0, 0.5}, map[int][]float64{1: {0.25, 0.75}, 2: {0.1, 0.9}, 3: {step}}},
	} {
		got := map[int][]float64{}
		for _, y := range dom.gridSteps(fmkernel.Point{C: test.c, V: []int{2}}) {
			for d, c := range y.X.C {
				if c != test.c[d] {
					got[d] = append(got[d], c)
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: steps to %v, want %v", test.name, got, test.want)
		}
	}
}
