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

// domain returns one with nothing fixed.
func domain(dims []Dim, gs ...*graphs.Graph) *Domain {
	return &Domain{
		Dims: dims, Graphs: gs,
		Fixed:  fmkernel.Point{C: make([]float64, len(dims)), V: make([]int, len(gs))},
		FixedC: make([]bool, len(dims)), FixedV: make([]bool, len(gs)), Vertices: make([][]int, len(gs)),
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
		if dom.fromUnit(x, []float64{almostOne}); x.C[0] != dim.level(dim.Count()-1) {
			t.Errorf("%s: the last quantile is %v, want %v", name, x.C[0], dim.level(dim.Count()-1))
		}
	}

	dom := domain([]Dim{{}, {Levels: 7}, {Values: []float64{0.1, 0.2, 0.9}}, {Levels: 4}}, graphs.Complete(5), graphs.Path(4), graphs.Cycle(6))
	dom.FixedC[3], dom.Fixed.C[3] = true, 0.25 // on no grid: fixed values are not touched
	dom.FixedV[1], dom.Fixed.V[1] = true, 2
	dom.Vertices = [][]int{nil, nil, {4, 1}}
	if got := len(dom.Free()); got != 5 {
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
			"bounded", domain([]Dim{Dim{Levels: 5}.Within(0.25, 0.5), Dim{Values: []float64{0.1, 0.2, 0.9}}.Within(0.15, 1)}), func(*Domain) {},
			[]string{"[0.25 0.2] []", "[0.25 0.9] []", "[0.5 0.2] []", "[0.5 0.9] []"}, "2 of 5 levels × 2 of 3 values",
		},
		{
			"vertices", domain(nil, graphs.Complete(100), graphs.Path(2)), func(dom *Domain) { dom.Vertices = [][]int{{5, 80}, nil} },
			[]string{"[] [5 0]", "[] [5 1]", "[] [80 0]", "[] [80 1]"}, "only these vertices of the first",
		},
	} {
		test.fix(test.dom)
		var got []string
		test.dom.each(func(x fmkernel.Point) { got = append(got, fmt.Sprint(x.C, x.V)) })
		if !slices.Equal(got, test.want) || test.dom.Size() != float64(len(test.want)) {
			t.Errorf("%s: size %v, points %q, want %q (%s)", test.name, test.dom.Size(), got, test.want, test.why)
		}
	}
}

// A domain is as large as its free coordinates are together, and empty when one of
// them has no value.
func TestSize(t *testing.T) {
	for _, test := range []struct {
		name string
		dom  *Domain
		fix  func(dom *Domain)
		want float64
	}{
		{"nothing", domain(nil), nil, 1},
		{"a continuum", domain([]Dim{{}}, graphs.Complete(3)), nil, math.Inf(1)},
		{"a bounded continuum", domain([]Dim{Dim{}.Within(0.2, 0.4)}), nil, math.Inf(1)},
		{"a continuum of nothing", domain([]Dim{Dim{}.Within(0.4, 0.2), {}}, graphs.Complete(3)), nil, 0},
		{"levels between which the bounds lie", domain([]Dim{{}, Dim{Levels: 5}.Within(0.3, 0.4)}), nil, 0},
		{"values between which the bounds lie", domain([]Dim{{}, Dim{Values: []float64{0, 1}}.Within(0.3, 0.4)}), nil, 0},
		{"huge grids", domain([]Dim{{Levels: 1 << 50}, {Levels: 1 << 50}}, graphs.Complete(3)), nil, 3 << 100},
		{"no vertex", domain([]Dim{{}}, graphs.Complete(3)), func(dom *Domain) { dom.Vertices = [][]int{{}} }, 0},
		{"no vertex, but fixed", domain(nil, graphs.Complete(3)), func(dom *Domain) {
			dom.Vertices, dom.FixedV[0] = [][]int{{}}, true
		}, 1},
		{"no value, but fixed", domain([]Dim{Dim{}.Within(0.4, 0.2)}), func(dom *Domain) { dom.FixedC[0] = true }, 1},
	} {
		if test.fix != nil {
			test.fix(test.dom)
		}
		if got := test.dom.Size(); got != test.want {
			t.Errorf("%s: size %v, want %v", test.name, got, test.want)
		}
	}
}

// The free coordinates are those that are not fixed, in order, and set a point to
// each of their values.
func TestFree(t *testing.T) {
	dom := domain([]Dim{{}, {Levels: 3}, {}, Dim{Levels: 5}.Within(0.5, 1)}, graphs.Path(4), graphs.Complete(3), graphs.Complete(9))
	dom.FixedC[0], dom.FixedV[1] = true, true
	dom.Vertices = [][]int{nil, nil, {7, 2}}
	var got []string
	for _, c := range dom.Free() {
		values := ""
		for i := range int(math.Min(c.Count, 9)) {
			if math.IsInf(c.Count, 1) {
				break
			}
			x := dom.Fixed.Clone()
			c.Set(x, float64(i))
			if c.Dim >= 0 {
				values += fmt.Sprint(" ", x.C[c.Dim])
				x.C[c.Dim] = dom.Fixed.C[c.Dim]
			} else {
				values += fmt.Sprint(" ", x.V[c.Graph])
				x.V[c.Graph] = dom.Fixed.V[c.Graph]
			}
			if !slices.Equal(x.C, dom.Fixed.C) || !slices.Equal(x.V, dom.Fixed.V) {
				t.Errorf("coordinate %d, %d moves others: %v", c.Dim, c.Graph, x)
			}
		}
		got = append(got, fmt.Sprintf("%d %d %v:%s", c.Dim, c.Graph, c.Count, values))
	}
	want := []string{"1 -1 3: 0 0.5 1", "2 -1 +Inf:", "3 -1 3: 0.5 0.75 1", "-1 0 4: 0 1 2 3", "-1 2 2: 7 2"}
	if !slices.Equal(got, want) {
		t.Errorf("free coordinates %q, want %q", got, want)
	}
}

func TestNearest(t *testing.T) {
	dom := domain([]Dim{{}, {Levels: 5}, Dim{}.Within(0.2, 0.4), Dim{Levels: 5}.Within(0.4, 1)},
		graphs.Complete(3), graphs.Complete(9), graphs.Path(9), graphs.Cycle(8))
	dom.FixedC[0], dom.Fixed.C[0] = true, 0.7
	dom.FixedV[0], dom.Fixed.V[0] = true, 2
	dom.Vertices = [][]int{nil, {3, 5}, {1, 7, 8}, {4}}
	for _, test := range []struct {
		x, want fmkernel.Point
		why     string
	}{
		{
			fmkernel.Point{C: []float64{0.1, 0.3, 0.1, 0.1}, V: []int{0, 4, 3, 0}},
			fmkernel.Point{C: []float64{0.7, 0.25, 0.2, 0.5}, V: []int{2, 3, 1, 4}},
			"fixed ones, levels and bounds; the first of equally near vertices, by way of others",
		},
		{
			fmkernel.Point{C: []float64{0.7, 1, 0.3, 0.75}, V: []int{2, 5, 8, 4}},
			fmkernel.Point{C: []float64{0.7, 1, 0.3, 0.75}, V: []int{2, 5, 8, 4}},
			"what is in the domain stays",
		},
		{
			fmkernel.Point{C: []float64{-4, 9, 9, -9}, V: []int{2, 5, 2, 5}},
			fmkernel.Point{C: []float64{0.7, 1, 0.4, 0.5}, V: []int{2, 5, 1, 4}},
			"from far",
		},
	} {
		before := test.x.Clone()
		got := dom.Nearest(test.x)
		if !slices.Equal(got.C, test.want.C) || !slices.Equal(got.V, test.want.V) {
			t.Errorf("%v is nearest to %v, want %v (%s)", got, test.x, test.want, test.why)
		}
		if !slices.Equal(test.x.C, before.C) || !slices.Equal(test.x.V, before.V) {
			t.Errorf("Nearest changed %v to %v", before, test.x)
		}
	}
}

// Points drawn reach all of a finite domain, equally often, and leave what is fixed.
func TestDraw(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 1))
	dom := domain([]Dim{Dim{Levels: 5}.Within(0.2, 0.8), {}, Dim{}.Within(0.2, 0.4)}, graphs.Path(4), graphs.Complete(3))
	dom.FixedC[1], dom.Fixed.C[1] = true, 0.25
	dom.FixedV[1], dom.Fixed.V[1] = true, 1
	dom.Vertices = [][]int{{1, 3}, nil}
	count := map[string]int{}
	const n = 6000
	for range n {
		x := dom.Draw(rng)
		if x.C[1] != 0.25 || x.V[1] != 1 || x.C[2] < 0.2 || x.C[2] > 0.4 {
			t.Fatalf("seed %d: drew %v", seed, x)
		}
		count[fmt.Sprint(x.C[0], x.V[0])]++
	}
	for _, key := range []string{"0.25 1", "0.25 3", "0.5 1", "0.5 3", "0.75 1", "0.75 3"} {
		if got := count[key]; math.Abs(float64(got)-n/6) > 5*math.Sqrt(n/6) {
			t.Errorf("seed %d: %s was drawn %d times of %d, want 1/6", seed, key, got, n)
		}
	}
	if len(count) != 6 {
		t.Errorf("drew %v, want six", count)
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

// Of very many grids each round takes as many, until all had their turn.
func TestGridStepsTakeTurns(t *testing.T) {
	const grids = 70
	dims := make([]Dim, grids)
	for d := range dims {
		dims[d].Levels = 2
	}
	dom := domain(dims)
	seen := map[int]bool{}
	for round, want := range []int{32, 64, 70} {
		steps := dom.gridSteps(fmkernel.Point{C: make([]float64, grids)}, round)
		for _, step := range steps {
			seen[slices.Index(step.X.C, 1)] = true
		}
		if len(steps) != maxGrids || len(seen) != want {
			t.Errorf("round %d: %d steps, along %d grids so far; want %d, along %d", round, len(steps), len(seen), maxGrids, want)
		}
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
		for _, y := range dom.gridSteps(fmkernel.Point{C: test.c, V: []int{2}}, 0) {
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

// Of the points sprayed around an incumbent, a good share has the same vertices,
// however many graphs there are, and a good share has not.
func TestSprayKeepsVertices(t *testing.T) {
	const draws = 4000
	for p := range 7 {
		dom := domain([]Dim{{}}, slices.Repeat([]*graphs.Graph{graphs.Complete(4)}, p)...)
		m := &maximizer{rng: rand.New(rand.NewPCG(1, uint64(p)))}
		at := dom.Fixed.Clone()
		kept := 0
		for range draws {
			if slices.Equal(m.spray(dom, at).V, at.V) {
				kept++
			}
		}
		share := float64(kept) / draws
		if p > 0 && (share < 0.2 || share > 0.6) || p == 0 && share != 1 {
			t.Errorf("%d graphs: %.0f %% of the points have the incumbent's vertices", p, 100*share)
		}
	}
}
