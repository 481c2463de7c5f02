package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// Settings bounds the search. A zero field means its default.
type Settings struct {
	Candidates int // points whose acquisition value is computed first; 0 means 256
	Starts     int // candidates refined; 0 means 4
	Rounds     int // alternations per start at most; 0 means 8

	// Fork returns a function equal to the one given, for another goroutine.
	// With it the search uses up to GOMAXPROCS goroutines, and finds the same;
	// nil means one.
	Fork func() Func
}

const (
	sprayShare    = 0.4  // share of the candidates drawn around incumbents
	sprayMinLog   = -7.0 // standard deviations of a spray are e^-7 … e^-1.5,
	sprayMaxLog   = -1.5 // log-uniform, in units of the range
	finalists     = 2    // starts refined beyond one alternation
	perDiscrete   = 2    // starts with the same discrete part at most
	maxEnumerated = 1024 // finite domains up to this size together are enumerated
	minGain       = 1e-7 // in log EI: less is no improvement
	lbfgsSteps    = 15   // quasi-Newton iterations per alternation
	fallbackDraws = 200  // random points tried when all else is excluded
	minCandidates = 32   // candidates of each domain, where there are many
	maxGrids      = 32   // grids along which a round of discrete ascent takes steps
)

// Candidate is a proposed point.
type Candidate struct {
	X     fmkernel.Point
	Value float64 // of the function
	dom   *Domain
}

// Maximize returns the point with the largest value of f that lies in one of the
// domains and is not excluded; ok is false where the search meets none, which need
// not mean that there is none.
func Maximize(f Func, doms []*Domain, rng *rand.Rand, s Settings) (c Candidate, ok bool) {
	if s.Candidates == 0 {
		s.Candidates = 256
	}
	if s.Starts == 0 {
		s.Starts = 4
	}
	if s.Rounds == 0 {
		s.Rounds = 8
	}
	m := &maximizer{f: f, rng: rng, Settings: s}
	var candidates, enumerated []Candidate
	room := float64(maxEnumerated)
	for _, dom := range doms {
		if size := dom.Size(); size <= room {
			room -= size
			dom.each(func(x fmkernel.Point) {
				enumerated = append(enumerated, Candidate{X: x.Clone(), dom: dom})
			})
			continue
		}
		n := max(s.Candidates/len(doms), min(s.Candidates, minCandidates))
		for _, x := range m.candidates(dom, n) {
			candidates = append(candidates, Candidate{X: x, dom: dom})
		}
	}
	m.evaluate(candidates)
	found := m.spread(candidates)
	m.refineAll(found, 1)
	m.refineAll(found[:min(finalists, len(found))], s.Rounds)
	m.evaluate(enumerated)
	all := append(found, candidates...)
	if len(enumerated) > 0 {
		all = append(all, enumerated...)
		sortByValue(all)
	}
	for _, c := range all {
		if !c.dom.excluded(c.X) {
			return c, true
		}
	}
	for _, dom := range doms {
		for range fallbackDraws {
			if x := dom.Draw(rng); !dom.excluded(x) {
				return m.valued(x, dom), true
			}
		}
	}
	return c, false
}

type maximizer struct {
	Settings
	f     Func
	forks []Func // one per goroutine, kept for the next time
	rng   *rand.Rand
}

// minBatch is the number of points worth a goroutine.
const minBatch = 64

// parallel calls f for the ranges of a partition of n items, at least atLeast
// each, on one goroutine per range.
func (m *maximizer) parallel(n, atLeast int, f func(worker *maximizer, from, to int)) {
	workers := 1
	if m.Fork != nil {
		workers = max(1, min(runtime.GOMAXPROCS(0), n/atLeast))
	}
	if workers == 1 {
		f(m, 0, n)
		return
	}
	for len(m.forks) < workers {
		m.forks = append(m.forks, m.Fork())
	}
	var wg sync.WaitGroup
	panics := make([]any, workers)
	for w := range workers {
		worker := *m
		worker.f, worker.Fork = m.forks[w], nil
		wg.Add(1)
		go func() {
			defer wg.Done()
			// A panic must end in the caller, not the process.
			defer func() { panics[w] = recover() }()
			f(&worker, w*n/workers, (w+1)*n/workers)
		}()
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// evaluate fills in the values of the candidates, and sorts them, best first.
func (m *maximizer) evaluate(cs []Candidate) {
	if len(cs) == 0 {
		return
	}
	xs := make([]fmkernel.Point, len(cs))
	for i, c := range cs {
		xs[i] = c.X
	}
	values := make([]float64, len(xs))
	m.parallel(len(xs), minBatch, func(worker *maximizer, from, to int) {
		worker.f.ValueBatch(values[from:to], xs[from:to])
	})
	for i, value := range values {
		cs[i].Value = value
	}
	sortByValue(cs)
}

// valued returns the point as a candidate.
func (m *maximizer) valued(x fmkernel.Point, dom *Domain) Candidate {
	cs := []Candidate{{X: x, dom: dom}}
	m.evaluate(cs)
	return cs[0]
}

func sortByValue(cs []Candidate) {
	slices.SortStableFunc(cs, func(a, b Candidate) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
}

// candidates draws n points: scrambled Sobol points over the free space, and
// spray points around the incumbents.
func (m *maximizer) candidates(dom *Domain, n int) []fmkernel.Point {
	free := len(dom.Free())
	spray := int(sprayShare * float64(n))
	if len(dom.Incumbents) == 0 {
		spray = 0
	}
	xs := make([]fmkernel.Point, 0, n)
	if free == 0 {
		return append(xs, dom.Fixed.Clone())
	}
	seeds := make([]uint64, free)
	for i := range seeds {
		seeds[i] = m.rng.Uint64()
	}
	seq, u := qmc.New(seeds), make([]float64, free)
	for len(xs) < n-spray {
		seq.PointTo(u)
		seq.Next()
		x := dom.Fixed.Clone()
		dom.fromUnit(x, u)
		xs = append(xs, x)
	}
	for i := range spray {
		xs = append(xs, m.spray(dom, dom.Incumbents[i%len(dom.Incumbents)]))
	}
	return xs
}

// spray returns a point near x: Gaussian steps in the continuous part, and each
// vertex moved to a neighbour with a probability that moves one on average, or half
// of a single one: near the best, most have its vertex.
func (m *maximizer) spray(dom *Domain, x fmkernel.Point) fmkernel.Point {
	x = x.Clone()
	sd := math.Exp(sprayMinLog + (sprayMaxLog-sprayMinLog)*m.rng.Float64())
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			x.C[d] = dom.Fixed.C[d]
			continue
		}
		x.C[d] = dim.Snap(x.C[d] + sd*m.rng.NormFloat64())
	}
	move := min(0.5, 1/float64(len(x.V)))
	for p := range x.V {
		if dom.FixedV[p] {
			x.V[p] = dom.Fixed.V[p]
		} else if m.rng.Float64() < move {
			if near := dom.neighbors(p, x.V[p]); len(near) > 0 {
				x.V[p] = near[m.rng.IntN(len(near))]
			}
		}
		if vs := dom.Vertices; vs != nil && vs[p] != nil && !dom.FixedV[p] && !slices.Contains(vs[p], x.V[p]) {
			x.V[p] = vs[p][m.rng.IntN(len(vs[p]))] // an incumbent may lie elsewhere
		}
	}
	return x
}

// spread picks the best candidates, few with the same discrete part.
func (m *maximizer) spread(sorted []Candidate) []Candidate {
	var picked []Candidate
	used := map[string]int{}
	for _, c := range sorted {
		if len(picked) == m.Starts {
			break
		}
		key := fmt.Sprint(c.X.V)
		if used[key] < perDiscrete || len(c.X.V) == 0 {
			used[key]++
			picked = append(picked, c)
		}
	}
	return picked
}

// refineAll refines every candidate and sorts them, best first.
func (m *maximizer) refineAll(cs []Candidate, rounds int) {
	m.parallel(len(cs), 1, func(worker *maximizer, from, to int) {
		for i := from; i < to; i++ {
			cs[i] = worker.refine(cs[i], rounds)
		}
	})
	sortByValue(cs)
}

// refine alternates continuous and discrete ascent until neither improves.
func (m *maximizer) refine(c Candidate, rounds int) Candidate {
	c.X = c.X.Clone()
	for range rounds {
		before := c.Value
		m.ascendContinuous(&c)
		moved := m.ascendDiscrete(&c)
		if c.Value-before < minGain || !moved {
			break
		}
	}
	return c
}

// ascendContinuous runs quasi-Newton steps over the free dimensions, grids
// relaxed, and keeps the result if it is better after snapping to the grids.
func (m *maximizer) ascendContinuous(c *Candidate) {
	dom := c.dom
	dims := len(dom.Dims)
	lower, upper := make([]float64, dims), make([]float64, dims)
	open := false
	for d, dim := range dom.Dims {
		lower[d], upper[d] = dim.bounds()
		if dom.FixedC[d] {
			lower[d], upper[d] = dom.Fixed.C[d], dom.Fixed.C[d]
		} else {
			open = true
		}
	}
	if !open {
		return
	}
	x := c.X.Clone()
	res := boxmin.Minimize(func(grad, at []float64) float64 {
		copy(x.C, at)
		value := m.f.ValueGrad(grad, x)
		floats.Scale(-1, grad)
		return -value
	}, c.X.C, lower, upper, boxmin.Settings{MaxIterations: lbfgsSteps, GradTol: 1e-5, FuncTol: minGain, FirstStep: 0.05})
	copy(x.C, res.X)
	value, snapped := -res.F, false
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			continue
		}
		if s := dim.Snap(x.C[d]); s != x.C[d] {
			x.C[d], snapped = s, true
		}
	}
	if snapped {
		value = m.valued(x, dom).Value
	}
	if value > c.Value {
		*c = Candidate{x, value, dom}
	}
}

// ascendDiscrete moves to better neighbours, one vertex or one grid step away,
// until none is. It reports whether it moved.
func (m *maximizer) ascendDiscrete(c *Candidate) (moved bool) {
	for round := range m.Rounds {
		next := m.bestNeighbor(*c, round)
		if next.Value-c.Value < minGain {
			return moved
		}
		*c, moved = next, true
	}
	return moved
}

// bestNeighbor returns the best of c, its neighbours, and the points that the
// most improving moves reach together, one move of each coordinate. Of very many
// grids, each round looks at some in turn.
func (m *maximizer) bestNeighbor(c Candidate, round int) Candidate {
	dom := c.dom
	var moves []kernel.Move
	for p := range dom.Graphs {
		if !dom.FixedV[p] {
			for _, v := range dom.neighbors(p, c.X.V[p]) {
				moves = append(moves, kernel.Move{Graph: p, Vertex: v})
			}
		}
	}
	values := make([]float64, len(moves))
	m.f.ValueMoves(values, c.X, moves)

	// The best improving move of each graph and grid.
	improving := map[int]Candidate{}
	consider := func(coordinate int, next Candidate) {
		if next.Value-c.Value < minGain {
			return
		}
		if best, ok := improving[coordinate]; !ok || next.Value > best.Value {
			improving[coordinate] = next
		}
	}
	for i, move := range moves {
		value := values[i]
		if value-c.Value >= minGain {
			x := c.X.Clone()
			x.V[move.Graph] = move.Vertex
			consider(len(c.X.C)+move.Graph, Candidate{x, value, dom})
		}
	}
	steps := dom.gridSteps(c.X, round)
	m.evaluate(steps)
	for _, next := range steps {
		for d := range next.X.C {
			if next.X.C[d] != c.X.C[d] {
				consider(d, next)
			}
		}
	}
	if len(improving) == 0 {
		return c
	}
	var single []Candidate
	for coordinate := range len(c.X.C) + len(c.X.V) {
		if next, ok := improving[coordinate]; ok {
			single = append(single, next)
		}
	}
	sortByValue(single)
	if len(single) == 1 {
		return single[0]
	}
	joint := make([]Candidate, 0, len(single)-1)
	x := single[0].X.Clone()
	for _, next := range single[1:] {
		for d := range x.C {
			if next.X.C[d] != c.X.C[d] {
				x.C[d] = next.X.C[d]
			}
		}
		for p := range x.V {
			if next.X.V[p] != c.X.V[p] {
				x.V[p] = next.X.V[p]
			}
		}
		joint = append(joint, Candidate{X: x.Clone(), dom: dom})
	}
	if m.evaluate(joint); joint[0].Value > single[0].Value {
		return joint[0]
	}
	return single[0]
}

// gridSteps returns the points one step from x along each free grid, or along
// maxGrids of them, others in each round.
func (dom *Domain) gridSteps(x fmkernel.Point, round int) []Candidate {
	var grids []int
	for d, dim := range dom.Dims {
		if !dom.FixedC[d] && dim.grid() {
			grids = append(grids, d)
		}
	}
	if len(grids) > maxGrids {
		first := round * maxGrids % len(grids)
		grids = append(grids[first:], grids[:first]...)[:maxGrids]
	}
	var steps []Candidate
	for _, d := range grids {
		dim := dom.Dims[d]
		at := dim.index(x.C[d])
		first, n := dim.indices()
		for _, i := range []float64{at - 1, at + 1} {
			if i >= first && i < first+n {
				y := x.Clone()
				y.C[d] = dim.level(i)
				steps = append(steps, Candidate{X: y, dom: dom})
			}
		}
	}
	return steps
}
