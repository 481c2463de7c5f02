package acquisition

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
	"github.com/goptuna-fm/goptuna-fm/internal/kernel"
)

const (
	minGain    = 1e-7 // in log EI: less is no improvement
	lbfgsSteps = 15   // quasi-Newton iterations per alternation
	maxGrids   = 32   // grids along which a round of discrete ascent takes steps
	// firstStep is the length of the first quasi-Newton step, and gradTol the slope of log EI that
	// ends the steps. Their unit of length is the range of a dimension.
	firstStep = 0.05
	gradTol   = 1e-5
)

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
	}, c.X.C, lower, upper, boxmin.Settings{MaxIterations: lbfgsSteps, GradTol: gradTol, FuncTol: minGain, FirstStep: firstStep})
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
	for round := range maxMoves {
		next := m.bestNeighbor(*c, round)
		if next.Value-c.Value < minGain {
			return moved
		}
		*c, moved = next, true
	}
	return moved
}

// bestNeighbor returns the best of c, its neighbours, and the points that the
// most improving moves reach together, one move of each coordinate.
func (m *maximizer) bestNeighbor(c Candidate, round int) Candidate {
	single := m.improvingMoves(c, round)
	if len(single) == 0 {
		return c
	}
	if joint := m.joined(c, single); len(joint) > 0 && joint[0].Value > single[0].Value {
		return joint[0]
	}
	return single[0]
}

// improvingMoves returns where the best move along each graph and grid leads that improves
// on c, best first. Of very many grids, each round looks at some in turn.
func (m *maximizer) improvingMoves(c Candidate, round int) (single []Candidate) {
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

	single = make([]Candidate, len(c.X.C)+len(c.X.V)) // by coordinate
	for i := range single {
		single[i] = c
	}
	for i, move := range moves {
		if best := &single[len(c.X.C)+move.Graph]; values[i] > best.Value {
			x := c.X.Clone()
			x.V[move.Graph] = move.Vertex
			*best = Candidate{x, values[i], dom}
		}
	}
	steps := dom.gridSteps(c.X, round)
	m.evaluate(steps)
	for _, next := range steps {
		for d := range next.X.C {
			if next.X.C[d] != c.X.C[d] && next.Value > single[d].Value {
				single[d] = next
			}
		}
	}
	single = slices.DeleteFunc(single, func(next Candidate) bool { return !(next.Value-c.Value >= minGain) })
	sortByValue(single)
	return single
}

// joined returns the points that the two, three, … most improving moves from c reach
// together, best first.
func (m *maximizer) joined(c Candidate, single []Candidate) []Candidate {
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
		joint = append(joint, Candidate{X: x.Clone(), dom: c.dom})
	}
	m.evaluate(joint)
	return joint
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
