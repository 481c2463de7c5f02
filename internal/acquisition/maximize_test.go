package acquisition_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const (
	// valueTol is how far from the largest log EI a search may end: a few times
	// what it takes for no improvement.
	valueTol = 1e-5
	// placeTol is how far from the maximiser that lets a coordinate be, where
	// the curvature is 1 or more.
	placeTol = 1e-2
)

// bowl is a posterior with variance 1 and a mean that is quadratic in c, given
// v, and tabulated in v:
//
//	mean(c, v) = Σ_d (c_d - centre_d - shift_d·v_0)² + Σ_p table[p][v_p].
//
// With it the largest expected improvement is where the mean is smallest.
type bowl struct {
	centre, shift []float64
	table         [][]float64
}

func (b *bowl) mean(x fmkernel.Point) float64 {
	sum := 0.0
	for d := range b.centre {
		r := x.C[d] - b.at(d, x.V)
		sum += r * r
	}
	for p, v := range x.V {
		sum += b.table[p][v]
	}
	return sum
}

// at returns the centre of dimension d at the vertices vs.
func (b *bowl) at(d int, vs []int) float64 {
	if b.shift == nil {
		return b.centre[d]
	}
	return b.centre[d] + b.shift[d]*float64(vs[0])
}

func (b *bowl) PredictGrad(dMean, dVariance []float64, x fmkernel.Point) (mean, variance float64) {
	for d := range dMean {
		dMean[d], dVariance[d] = 2*(x.C[d]-b.at(d, x.V)), 0
	}
	return b.mean(x), 1
}

func (b *bowl) PredictBatch(means, variances []float64, xs []fmkernel.Point) {
	for i, x := range xs {
		means[i], variances[i] = b.mean(x), 1
	}
}

func (b *bowl) PredictMoves(means, variances []float64, x fmkernel.Point, moves []kernel.Move) {
	for i, move := range moves {
		y := x.Clone()
		y.V[move.Graph] = move.Vertex
		means[i], variances[i] = b.mean(y), 1
	}
}

// searchSpace is a domain with a posterior and a maximiser that is known.
type searchSpace struct {
	name string
	post *bowl
	dom  func() *acquisition.Domain
	want fmkernel.Point
	why  string
}

// newDomain returns one with nothing fixed.
func newDomain(dims []acquisition.Dim, gs ...*graphs.Graph) *acquisition.Domain {
	return &acquisition.Domain{
		Dims: dims, Graphs: gs,
		Fixed:  fmkernel.Point{C: make([]float64, len(dims)), V: make([]int, len(gs))},
		FixedC: make([]bool, len(dims)), FixedV: make([]bool, len(gs)), Vertices: make([][]int, len(gs)),
	}
}

func fixC(dom *acquisition.Domain, d int, c float64) { dom.FixedC[d], dom.Fixed.C[d] = true, c }
func fixV(dom *acquisition.Domain, p, v int)         { dom.FixedV[p], dom.Fixed.V[p] = true, v }

// valley is a table on a path with its minimum at v.
func valley(n, v int) []float64 {
	table := make([]float64, n)
	for i := range table {
		table[i] = 0.3 * math.Abs(float64(i-v))
	}
	return table
}

func searchSpaces() []searchSpace {
	continuum := acquisition.Dim{}
	grid := func(levels float64) acquisition.Dim { return acquisition.Dim{Levels: levels} }
	uneven := acquisition.Dim{Values: []float64{0, 0.01, 0.1, 0.45, 0.55, 1}}
	three := []acquisition.Dim{continuum, continuum, continuum}
	twenty := make([]acquisition.Dim, 20)
	middle := make([]float64, 20)
	for d := range middle {
		middle[d] = float64(d+1) / 21
	}
	return []searchSpace{
		{
			"continuous", &bowl{centre: []float64{0.3, 0.71, 0.5}},
			func() *acquisition.Domain { return newDomain(three) },
			fmkernel.Point{C: []float64{0.3, 0.71, 0.5}}, "the centre",
		},
		{
			"continuous, centre outside", &bowl{centre: []float64{-0.2, 1.4, 0.5}},
			func() *acquisition.Domain { return newDomain(three) },
			fmkernel.Point{C: []float64{0, 1, 0.5}}, "the nearest point of the box",
		},
		{
			"20 dimensions", &bowl{centre: middle},
			func() *acquisition.Domain { return newDomain(twenty) },
			fmkernel.Point{C: middle}, "the centre",
		},
		{
			"discrete, enumerated", &bowl{table: [][]float64{{3, 1, 2}, {0, 5, -1, 2}}},
			func() *acquisition.Domain { return newDomain(nil, graphs.Complete(3), graphs.Cycle(4)) },
			fmkernel.Point{V: []int{1, 2}}, "the smallest entries",
		},
		{
			"discrete, searched", &bowl{table: [][]float64{valley(20, 13), valley(30, 2), {4, 0, 2, 1}}},
			func() *acquisition.Domain {
				return newDomain(nil, graphs.Path(20), graphs.Path(30), graphs.Complete(4))
			},
			fmkernel.Point{V: []int{13, 2, 1}}, "the smallest entries, of 2400 points",
		},
		{
			"mixed", &bowl{centre: []float64{0.2, 0.3}, shift: []float64{0.2, 0}, table: [][]float64{{1, 2, 0.9, 1.1}, valley(9, 8)}},
			func() *acquisition.Domain {
				return newDomain([]acquisition.Dim{continuum, continuum}, graphs.Complete(4), graphs.Path(9))
			},
			fmkernel.Point{C: []float64{0.6, 0.3}, V: []int{2, 8}}, "the centre depends on the vertex",
		},
		{
			"grids", &bowl{centre: []float64{0.37, 0.3, 0.24}, table: [][]float64{{1, 0}}},
			func() *acquisition.Domain {
				return newDomain([]acquisition.Dim{grid(11), uneven, grid(1000)}, graphs.Complete(2))
			},
			fmkernel.Point{C: []float64{0.4, 0.45, 240. / 999}, V: []int{1}}, "the nearest levels",
		},
		{
			"grids, enumerated", &bowl{centre: []float64{0.37, 0.3}, table: [][]float64{{1, 0}}},
			func() *acquisition.Domain {
				return newDomain([]acquisition.Dim{grid(11), uneven}, graphs.Complete(2))
			},
			fmkernel.Point{C: []float64{0.4, 0.45}, V: []int{1}}, "the nearest levels, of 132 points",
		},
		{
			"grid of 1e15 and a continuum", &bowl{centre: []float64{0.37, 0.81}},
			func() *acquisition.Domain { return newDomain([]acquisition.Dim{grid(1e15), continuum}) },
			fmkernel.Point{C: []float64{0.37, 0.81}}, "the grid is as good as a continuum",
		},
		{
			"grid of one level", &bowl{centre: []float64{0.37, 0.81}},
			func() *acquisition.Domain { return newDomain([]acquisition.Dim{grid(1), continuum}) },
			fmkernel.Point{C: []float64{0, 0.81}}, "the one level is 0",
		},
		{
			"fixed", &bowl{centre: []float64{0.2, 0.3}, shift: []float64{0.2, 0}, table: [][]float64{{1, 2, 0.9, 1.1}, valley(9, 8)}},
			func() *acquisition.Domain {
				dom := newDomain([]acquisition.Dim{continuum, continuum}, graphs.Complete(4), graphs.Path(9))
				fixC(dom, 1, 0.93)
				fixV(dom, 0, 1)
				return dom
			},
			fmkernel.Point{C: []float64{0.4, 0.93}, V: []int{1, 8}}, "the optimum given c_1 and v_0",
		},
		{
			"fixed outside of its grid and of the box", &bowl{centre: []float64{0.2, 0.3, 0.4}},
			func() *acquisition.Domain {
				dom := newDomain([]acquisition.Dim{continuum, grid(3), continuum})
				fixC(dom, 1, 0.123)
				fixC(dom, 2, 1.5)
				return dom
			},
			fmkernel.Point{C: []float64{0.2, 0.123, 1.5}}, "fixed values are not touched",
		},
		{
			"continuous part fixed", &bowl{centre: []float64{0.2}, table: [][]float64{valley(40, 31), valley(40, 5)}},
			func() *acquisition.Domain {
				dom := newDomain([]acquisition.Dim{continuum}, graphs.Path(40), graphs.Path(40))
				fixC(dom, 0, 0.93)
				return dom
			},
			fmkernel.Point{C: []float64{0.93}, V: []int{31, 5}}, "1600 points are left",
		},
		{
			"all fixed", &bowl{centre: []float64{0.2}, table: [][]float64{{1, 2, 0}}},
			func() *acquisition.Domain {
				dom := newDomain([]acquisition.Dim{continuum}, graphs.Complete(3))
				fixC(dom, 0, 0.93)
				fixV(dom, 0, 1)
				return dom
			},
			fmkernel.Point{C: []float64{0.93}, V: []int{1}}, "one point is left",
		},
		{
			"vertices limited", &bowl{centre: []float64{0.2}, table: [][]float64{valley(50, 0), valley(3, 2)}},
			func() *acquisition.Domain {
				dom := newDomain([]acquisition.Dim{continuum}, graphs.Complete(50), graphs.Path(3))
				dom.Vertices = [][]int{{7, 20, 33}, nil}
				return dom
			},
			fmkernel.Point{C: []float64{0.2}, V: []int{7, 2}}, "0 is not among the vertices",
		},
	}
}

// checkInside reports coordinates outside of the domain.
func checkInside(t *testing.T, name string, dom *acquisition.Domain, x fmkernel.Point) {
	t.Helper()
	if len(x.C) != len(dom.Dims) || len(x.V) != len(dom.Graphs) {
		t.Fatalf("%s: %v has the wrong lengths", name, x)
	}
	for d, c := range x.C {
		if dom.FixedC[d] && c != dom.Fixed.C[d] {
			t.Errorf("%s: coordinate %d is %v, but fixed to %v", name, d, c, dom.Fixed.C[d])
		}
		if !dom.FixedC[d] && (!(c >= 0 && c <= 1) || dom.Dims[d].Snap(c) != c) {
			t.Errorf("%s: coordinate %d is %v, not in [0, 1] or not on its grid", name, d, c)
		}
	}
	for p, v := range x.V {
		if dom.FixedV[p] {
			if v != dom.Fixed.V[p] {
				t.Errorf("%s: graph %d is at vertex %d, but fixed to %d", name, p, v, dom.Fixed.V[p])
			}
			continue
		}
		if v < 0 || v >= dom.Graphs[p].Order() {
			t.Errorf("%s: vertex %d of graph %d does not exist", name, v, p)
		}
		if dom.Vertices[p] != nil && !slices.Contains(dom.Vertices[p], v) {
			t.Errorf("%s: vertex %d of graph %d is not one of %v", name, v, p, dom.Vertices[p])
		}
	}
}

// anywhere returns a point of the whole space, whatever is fixed or limited.
func anywhere(rng *rand.Rand, dom *acquisition.Domain) fmkernel.Point {
	x := dom.Fixed.Clone()
	for d := range x.C {
		x.C[d] = rng.Float64()
	}
	for p, g := range dom.Graphs {
		x.V[p] = rng.IntN(g.Order())
	}
	return x
}

// The search finds the optimum in every kind of space, inside of it, with and
// without incumbents, and says what its acquisition value is.
func TestMaximizeFindsOptimum(t *testing.T) {
	const best = -0.5
	for _, space := range searchSpaces() {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 2))
			dom := space.dom()
			var incumbents []fmkernel.Point
			for range 3 * (seed % 3) { // none, three, six
				incumbents = append(incumbents, anywhere(rng, dom))
			}
			c, ok := maximizeIn(space.post, best, dom, incumbents, rng, acquisition.Settings{})
			name := fmt.Sprintf("%s, seed %d", space.name, seed)
			checkInside(t, name, dom, c.X)
			got, want := acquisition.LogEI(best, space.post.mean(c.X), 1), acquisition.LogEI(best, space.post.mean(space.want), 1)
			if !ok || got < want-valueTol || !slices.Equal(c.X.V, space.want.V) {
				t.Errorf("%s: got %v, %t with log EI %v; want %v with %v (%s)", name, c.X, ok, got, space.want, want, space.why)
				continue
			}
			if math.Abs(c.Value-got) > 1e-12*(1+math.Abs(got)) {
				t.Errorf("%s: log EI %v, but %v at the point returned", name, c.Value, got)
			}
			for d := range c.X.C {
				if math.Abs(c.X.C[d]-space.want.C[d]) > placeTol {
					t.Errorf("%s: c = %v, want %v (%s)", name, c.X.C, space.want.C, space.why)
				}
			}
		}
	}
}

// The result depends on the arguments and the seed, and on nothing else.
func TestMaximizeIsDeterministic(t *testing.T) {
	for _, space := range searchSpaces() {
		run := func() (acquisition.Candidate, bool) {
			rng, dom := rand.New(rand.NewPCG(7, 3)), space.dom()
			incumbents := []fmkernel.Point{anywhere(rng, dom), anywhere(rng, dom)}
			before := []fmkernel.Point{incumbents[0].Clone(), incumbents[1].Clone()}
			c, ok := maximizeIn(space.post, 0, dom, incumbents, rng, acquisition.Settings{})
			for i := range before {
				if !incumbents[i].Equal(before[i]) {
					t.Errorf("%s: incumbent %v became %v", space.name, before[i], incumbents[i])
				}
			}
			if fresh := space.dom(); !reflect.DeepEqual(dom.Fixed, fresh.Fixed) {
				t.Errorf("%s: the fixed point became %v", space.name, dom.Fixed)
			}
			return c, ok
		}
		a, okA := run()
		b, okB := run()
		if !a.X.Equal(b.X) || a.Value != b.Value || okA != okB {
			t.Errorf("%s: the same seed gives %v and %v", space.name, a, b)
		}
	}
}

// With ever more points excluded, the search proposes each point of a finite space
// once, the best first where it enumerates, and then says that none is left. Where
// it does not enumerate, it may give up before, but not while many are left.
func TestMaximizeExhausts(t *testing.T) {
	for _, test := range []struct {
		name       string
		post       *bowl
		dom        *acquisition.Domain
		size       int
		enumerated bool
	}{
		{
			"enumerated", &bowl{centre: []float64{0.4}, table: [][]float64{{2, 0, 1}, valley(5, 3)}},
			newDomain([]acquisition.Dim{{Levels: 4}}, graphs.Complete(3), graphs.Path(5)), 60, true,
		},
		{
			"searched", &bowl{centre: []float64{0.4}, table: [][]float64{valley(21, 8)}},
			newDomain([]acquisition.Dim{{Levels: 50}}, graphs.Path(21)), 1050, false,
		},
	} {
		used := map[string]bool{}
		key := func(x fmkernel.Point) string { return fmt.Sprint(x.C, x.V) }
		test.dom.Excluded = func(x fmkernel.Point) bool { return used[key(x)] }
		rng := rand.New(rand.NewPCG(1, 4))
		last := math.Inf(1)
		// A short search: what is tested is what comes after it.
		settings := acquisition.Settings{Candidates: 20, Starts: 1}
		for {
			c, ok := maximizeIn(test.post, 0, test.dom, nil, rng, settings)
			if !ok {
				break
			}
			checkInside(t, test.name, test.dom, c.X)
			if used[key(c.X)] {
				t.Fatalf("%s: proposal %d, %v, was used before", test.name, len(used), c.X)
			}
			if want := acquisition.LogEI(0, test.post.mean(c.X), 1); math.Abs(c.Value-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("%s: log EI %v, want %v", test.name, c.Value, want)
			}
			if test.enumerated && c.Value > last {
				t.Errorf("%s: log EI %v after %v", test.name, c.Value, last)
			}
			used[key(c.X)], last = true, c.Value
		}
		least := test.size
		if !test.enumerated {
			least = test.size * 9 / 10 // 200 draws miss a tenth with a chance of 1e-9
		}
		if len(used) < least {
			t.Errorf("%s: gave up after %d of %d points", test.name, len(used), test.size)
		}
	}
}

// A single point left over is found in a domain that is enumerated. Of a larger one
// the search says that it has met none.
func TestMaximizeFindsLastPoint(t *testing.T) {
	for _, test := range []struct {
		name string
		post *bowl
		dom  *acquisition.Domain
		left fmkernel.Point
		want bool
	}{
		{
			"1024 points", &bowl{table: [][]float64{valley(32, 0), valley(32, 0)}},
			newDomain(nil, graphs.Path(32), graphs.Path(32)),
			fmkernel.Point{V: []int{31, 30}}, true,
		},
		{
			"100,000 points", &bowl{centre: []float64{0}, table: [][]float64{valley(100, 0)}},
			newDomain([]acquisition.Dim{{Levels: 1000}}, graphs.Complete(100)),
			fmkernel.Point{C: []float64{1}, V: []int{98}}, false,
		},
	} {
		test.dom.Excluded = func(x fmkernel.Point) bool { return !x.Equal(test.left) }
		c, ok := maximizeIn(test.post, 0, test.dom, nil, rand.New(rand.NewPCG(1, 5)), acquisition.Settings{})
		if ok != test.want || ok && !c.X.Equal(test.left) {
			t.Errorf("%s: got %v, %t; want %t, and %v", test.name, c.X, ok, test.want, test.left)
		}
	}
}

// Domains are enumerated while they have at most 1024 points together: what a
// search in the first would not meet is then found, and the last domain is
// searched.
func TestMaximizeEnumeratesTogether(t *testing.T) {
	for _, test := range []struct {
		name  string
		sizes []int // of the paths
		want  []int // points that are evaluated in each domain
	}{
		{"all fit", []int{512, 500, 12}, []int{512, 500, 12}},
		{"the second does not", []int{600, 500}, []int{600, -1}},
		{"the third still fits", []int{600, 500, 424}, []int{600, -1, 424}},
		{"one too many", []int{1025}, []int{-1}},
		{"as many as fit", []int{1024}, []int{1024}},
	} {
		// Which domain a point is of says its fixed coordinate.
		f := &visits{met: make([]map[int]bool, len(test.sizes))}
		var doms []*acquisition.Domain
		for i, n := range test.sizes {
			f.met[i] = map[int]bool{}
			dom := newDomain(make([]acquisition.Dim, 1), graphs.Complete(n))
			fixC(dom, 0, float64(i))
			doms = append(doms, dom)
		}
		if _, ok := acquisition.Maximize(f, doms, rand.New(rand.NewPCG(1, 9)), acquisition.Settings{Candidates: 40, Starts: 1}); !ok {
			t.Errorf("%s: found nothing", test.name)
		}
		for i, want := range test.want {
			if got := len(f.met[i]); want >= 0 && got != want || want < 0 && (got == 0 || got > 100) {
				t.Errorf("%s: %d points of domain %d were evaluated, want %d (a search: -1)", test.name, got, i, want)
			}
		}
	}
}

// However many domains there are, each that is not enumerated gets its candidates: a share
// of all, or 32, or as many as there are in all.
func TestMaximizeSharesCandidates(t *testing.T) {
	for _, test := range []struct{ domains, candidates, least, most int }{
		{2, 200, 100, 110},
		{16, 200, 32, 42},
		{16, 10, 10, 20},
	} {
		f := &visits{met: make([]map[int]bool, test.domains)}
		var doms []*acquisition.Domain
		for i := range f.met {
			f.met[i] = map[int]bool{}
			dom := newDomain(make([]acquisition.Dim, 1), graphs.Complete(100_000)) // so that hardly any are met twice
			fixC(dom, 0, float64(i))
			doms = append(doms, dom)
		}
		acquisition.Maximize(f, doms, rand.New(rand.NewPCG(1, 9)), acquisition.Settings{Candidates: test.candidates, Starts: 1})
		for i, met := range f.met {
			if len(met) < test.least*9/10 || len(met) > test.most {
				t.Errorf("%d candidates for %d domains: domain %d got %d", test.candidates, test.domains, i, len(met))
			}
		}
	}
}

// Of what is enumerated and what is searched the best is proposed, and the next best where
// it is excluded.
func TestMaximizeOrdersAll(t *testing.T) {
	post := &bowl{centre: []float64{0.5}, table: [][]float64{{-3, 0, -2}}}
	enumerated := newDomain([]acquisition.Dim{{Levels: 3}}, graphs.Complete(3))
	searched := newDomain(make([]acquisition.Dim, 1), graphs.Complete(3))
	fixV(enumerated, 0, 1)
	for excluded, want := range []int{0, 2, 1} { // the vertices of the proposals, in the order of their values
		var doms []*acquisition.Domain
		for _, v := range []int{2, 0} {
			dom := *searched
			dom.FixedV, dom.Fixed = []bool{true}, fmkernel.Point{C: []float64{0}, V: []int{v}}
			dom.Excluded = func(fmkernel.Point) bool { return v == 0 && excluded > 0 || v == 2 && excluded > 1 }
			doms = append(doms, &dom)
		}
		doms = append(doms, enumerated)
		c, ok := acquisition.Maximize(acquisition.EI(post, 0), doms, rand.New(rand.NewPCG(1, 9)), acquisition.Settings{})
		if !ok || c.X.V[0] != want || math.Abs(c.X.C[0]-0.5) > placeTol {
			t.Errorf("%d domains excluded: got %v, %t; want vertex %d", excluded, c.X, ok, want)
		}
	}
	enumerated.Fixed.V[0] = 0 // better than what is searched
	searched.FixedV, searched.Fixed.V = []bool{true}, []int{2}
	if c, _ := acquisition.Maximize(acquisition.EI(post, 0), []*acquisition.Domain{searched, enumerated}, rand.New(rand.NewPCG(1, 9)), acquisition.Settings{}); c.X.V[0] != 0 {
		t.Errorf("got %v, where an enumerated point is better", c.X)
	}
}

// broken is an acquisition function that panics.
type broken struct{ visits }

func (f *broken) ValueBatch([]float64, []fmkernel.Point) { panic("broken") }

// A panic on a goroutine of the search is one of its caller, who can catch it, and says where it
// was: the caller's stack does not.
func TestMaximizePanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer func() {
		if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "broken\n") || !strings.Contains(text, "(*broken).ValueBatch") {
			t.Errorf("recovered %s", text)
		}
	}()
	forks := 0
	settings := acquisition.Settings{Fork: func() acquisition.Func { forks++; return &broken{} }}
	dom := newDomain(make([]acquisition.Dim, 1), graphs.Complete(10))
	acquisition.Maximize(acquisition.EI(&bowl{centre: []float64{0}, table: [][]float64{make([]float64, 10)}}, 0), []*acquisition.Domain{dom}, rand.New(rand.NewPCG(1, 9)), settings)
	t.Errorf("no panic, of %d functions", forks)
}

// visits is an acquisition function that is 0 everywhere, and notes the vertices at
// which it was asked, by the first coordinate. Moves are not noted: a search looks
// at all neighbours.
type visits struct{ met []map[int]bool }

func (f *visits) ValueGrad(grad []float64, x fmkernel.Point) float64 {
	clear(grad)
	f.met[int(x.C[0])][x.V[0]] = true
	return 0
}

func (f *visits) ValueBatch(values []float64, xs []fmkernel.Point) {
	for i, x := range xs {
		values[i] = f.ValueGrad(nil, x)
	}
}

func (f *visits) ValueMoves(values []float64, _ fmkernel.Point, _ []kernel.Move) { clear(values) }

// What is proposed lies within the bounds of continua and grids, near the optimum
// of those where that of the whole range lies outside, wherever incumbents are.
func TestMaximizeStaysWithinBounds(t *testing.T) {
	unbounded := []acquisition.Dim{{}, {Levels: 11}, {Values: []float64{0, 0.1, 0.4, 1}}, {Levels: 1e15}, {}}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 10))
		post := &bowl{table: [][]float64{{1, 0, 2}}}
		var want []float64
		dom := newDomain(slices.Clone(unbounded), graphs.Complete(3))
		for d := range unbounded {
			post.centre = append(post.centre, 1.5*rng.Float64()-0.25)
			for { // bounds that leave something
				low, high := rng.Float64(), rng.Float64()
				dom.Dims[d] = unbounded[d].Within(low, high)
				if one := newDomain(dom.Dims[d : d+1]); low < high && one.Size() > 0 {
					break
				}
			}
			want = append(want, dom.Dims[d].Snap(post.centre[d]))
		}
		incumbents := []fmkernel.Point{anywhere(rng, newDomain(unbounded, graphs.Complete(3))), anywhere(rng, newDomain(unbounded, graphs.Complete(3)))}
		c, ok := maximizeIn(post, -0.5, dom, incumbents, rng, acquisition.Settings{})
		if !ok || c.X.V[0] != 1 {
			t.Errorf("seed %d: got %v, %t", seed, c.X, ok)
			continue
		}
		for d, u := range c.X.C {
			if dom.Dims[d].Snap(u) != u {
				t.Errorf("seed %d: coordinate %d is %v, outside of its bounds or grid", seed, d, u)
			}
			if math.Abs(u-want[d]) > placeTol {
				t.Errorf("seed %d: coordinate %d is %v, want %v", seed, d, u, want[d])
			}
		}
	}
}

// In an infinite space an excluded region is left alone, and the best of the
// rest is sought.
func TestMaximizeAvoidsExcludedRegion(t *testing.T) {
	post := &bowl{centre: []float64{0.5, 0.5}, table: [][]float64{{0, 0.01, 5}}}
	for seed := range uint64(10) {
		dom := newDomain(make([]acquisition.Dim, 2), graphs.Complete(3))
		dom.Excluded = func(x fmkernel.Point) bool { return x.V[0] == 0 && math.Abs(x.C[0]-0.5) < 0.4 }
		c, ok := maximizeIn(post, 0, dom, nil, rand.New(rand.NewPCG(seed, 6)), acquisition.Settings{})
		checkInside(t, "region", dom, c.X)
		if !ok || dom.Excluded(c.X) {
			t.Errorf("seed %d: got %v, %t", seed, c.X, ok)
		}
		// Vertex 1 is almost as good, and wholly free.
		if c.X.V[0] != 1 || math.Hypot(c.X.C[0]-0.5, c.X.C[1]-0.5) > 0.1 {
			t.Errorf("seed %d: got %v, want about (0.5, 0.5), 1", seed, c.X)
		}
	}
	dom := newDomain(make([]acquisition.Dim, 2), graphs.Complete(3))
	dom.Excluded = func(fmkernel.Point) bool { return true }
	if c, ok := maximizeIn(post, 0, dom, nil, rand.New(rand.NewPCG(1, 6)), acquisition.Settings{}); ok {
		t.Errorf("got %v although everything is excluded", c.X)
	}
}

// Where the best point, to which all starts near it lead, is excluded, one beside it is
// proposed, and not where a start far from it has led.
func TestMaximizeTakesTheNextBest(t *testing.T) {
	post := &bowl{centre: []float64{0.2}, shift: []float64{0.6}, table: [][]float64{{0, 0.3}}}
	dom := newDomain([]acquisition.Dim{{Levels: 1001}}, graphs.Complete(2))
	dom.Excluded = func(x fmkernel.Point) bool { return x.V[0] == 0 && x.C[0] == 0.2 }
	for seed := range uint64(10) {
		c, ok := maximizeIn(post, 0, dom, nil, rand.New(rand.NewPCG(seed, 6)), acquisition.Settings{})
		if !ok || c.X.V[0] != 0 || math.Abs(c.X.C[0]-0.2) > 0.1 {
			t.Errorf("seed %d: got %v, %t, want about 0.2, 0", seed, c.X, ok)
		}
	}
}

// maximizeIn searches one domain.
func maximizeIn(post acquisition.Posterior, best float64, dom *acquisition.Domain, incumbents []fmkernel.Point, rng *rand.Rand, s acquisition.Settings) (acquisition.Candidate, bool) {
	in := *dom
	in.Incumbents = incumbents
	return acquisition.Maximize(acquisition.EI(post, best), []*acquisition.Domain{&in}, rng, s)
}
