package sampler

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// settledGain is the expected improvement, as a share of the start-up's spread,
	// below which the search is settled, from minSettled observations on: a model of
	// fewer is sure of itself too soon. Then two trials of three go elsewhere.
	settledGain = 0.001
	minSettled  = 30
	// The search stagnates when its latest stagnantTrials gained less than
	// stagnantGain of the start-up's spread.
	stagnantTrials = 8
	stagnantGain   = 0.02
	// Where a parameter is continuous, a model expects ever smaller improvements long
	// before it expects none. While the search stagnates, the trials with the largest
	// margin go elsewhere in up to stagnantSides coordinates.
	settledSides, stagnantSides = 1, 2
	// elsewhereMargin is the margin there, without which they climb to the border
	// that is nearest to the best.
	elsewhereMargin = 0.3
	// The start-up's upper quartile is on a plateau when two thirds of the start-up
	// are within wideShare of the distance to its worst value but one.
	wideShare = 0.1
)

// settled reports whether the trial goes elsewhere because the model expects next to
// nothing of any configuration. A trial with a margin has found the largest expected
// improvement on the best value less the margin, which is a lower bound of that on the
// best value.
func (s search) settled(found acquisition.Candidate) bool {
	p := s.problem
	if s.restricted || marginTurn(p) == 0 && !s.awaitsBest() || min(len(s.model.Targets), len(p.FeasibleY)) < minSettled {
		return false
	}
	// What spread looks at, as targets. The model's own may lack some of the start-up.
	startAndBest := append(slices.Clone(p.FeasibleY[:observe.MinStartup]), slices.Min(p.FeasibleY))
	limit := math.Log(settledGain * spread(s.model.Transform.Targets(startAndBest)))
	if found.Value >= limit {
		return false
	}
	s.rng = s.random.Rand("settled")
	c, ok := s.best(s.model.Improvement(s.reference, 0), s.domains)
	return ok && c.Value < limit
}

// awaitsBest reports whether a running trial is expected to be the best. Where the
// search is settled, one such trial is enough: those that are asked for meanwhile
// would be its neighbours.
func (s search) awaitsBest() bool {
	pending := s.problem.Pending
	return len(pending) > 0 && slices.Min(s.model.Means(pending)) < slices.Min(s.model.Means(ranked(s.model)))
}

// wander goes elsewhere while the search stagnates, in trials with the largest margin.
func (s search) wander() (x fmkernel.Point, ok bool) {
	p := s.problem
	if s.restricted || marginTurn(p) < len(margins)-1 || !p.Space.Continuous() || len(p.FeasibleY) < minSettled || !stagnates(p) {
		return x, false
	}
	return s.elsewhere(stagnantSides)
}

// stagnates reports whether the latest trials have gained next to nothing.
func stagnates(p *observe.Problem) bool {
	before := len(p.FeasibleY) - patience(p)
	return before >= observe.MinStartup && slices.Min(p.FeasibleY[:before])-slices.Min(p.FeasibleY) <= stagnantGain*spread(p.FeasibleY)
}

// patience returns the number of trials that have to find nothing: what runs at once
// was asked for without knowing what the others find.
func patience(p *observe.Problem) int { return stagnantTrials + len(p.Pending) }

// spread returns the distance of the best value from the upper quartile of the
// start-up, or from its worst value but one where the quartile is on a plateau: what
// differs there is no measure of anything.
func spread(ys []float64) float64 {
	start := slices.Sorted(slices.Values(ys[:observe.MinStartup]))
	upper, bad := start[3*observe.MinStartup/4], start[observe.MinStartup-2]
	if start[2*observe.MinStartup/3]-start[0] <= wideShare*(bad-start[0]) {
		upper = bad
	}
	return upper - slices.Min(ys)
}

// elsewhere returns the configuration with the largest expected improvement, with a
// margin, on the best of a part of the space that the best of all is not in, by up to
// n coordinates. There the model knows less, since most trials are where the search
// was; and at the foot of another hill nothing improves on the best of all.
func (s search) elsewhere(n int) (x fmkernel.Point, ok bool) {
	p := s.problem
	s.rng = s.random.Rand("elsewhere")
	away := s.otherSides(n)
	if len(away) == 0 {
		return x, false
	}
	ref := surrogate.Reference{Observed: s.model.Observed(func(x fmkernel.Point) bool { return p.Possible(x) && away.contains(x) })}
	for _, x := range p.Promised() {
		if away.contains(x) {
			ref.Points = append(ref.Points, x)
		}
	}
	if len(ref.Observed)+len(ref.Points) == 0 {
		return x, false
	}
	c, ok := s.best(s.model.Improvement(ref, elsewhereMargin), s.domainsWithin(away.restrict))
	return c.X, ok
}

// side is the part of the space where a number, or the vertex of a path, is in the
// other half of its range than that of a point; or a vertex of another graph is not
// the point's.
type side struct {
	acquisition.Coordinate
	of   fmkernel.Point
	path int // number of vertices of a path; otherwise 0
}

// sides is where the space is on each of them.
type sides []side

// otherSides returns the part of the space that the trial goes to: n times that of a
// free coordinate, drawn at random. It is empty where there is none.
func (s search) otherSides(n int) (away sides) {
	best := ranked(s.model)[0]
	r, ok := s.problem.RegionOf(best)
	if !ok {
		return nil
	}
	dom := r.Domain()
	free := dom.Free()
	if len(free) == 0 {
		return nil
	}
	for range n {
		a := side{Coordinate: free[s.rng.IntN(len(free))], of: best}
		if a.Graph >= 0 && dom.Graphs[a.Graph].Shape() == graphs.ShapePath {
			a.path = dom.Graphs[a.Graph].Order()
		}
		away = append(away, a)
	}
	return away
}

func (all sides) contains(x fmkernel.Point) bool {
	return !slices.ContainsFunc(all, func(a side) bool { return !a.contains(x) })
}

func (all sides) restrict(dom *acquisition.Domain) bool {
	dom.Incumbents = slices.DeleteFunc(dom.Incumbents, func(x fmkernel.Point) bool { return !all.contains(x) })
	return !slices.ContainsFunc(all, func(a side) bool { return !a.restrict(dom) })
}

func (a side) contains(x fmkernel.Point) bool {
	if a.Graph >= 0 {
		return a.containsVertex(x.V[a.Graph])
	}
	return (x.C[a.Dim] < 0.5) != (a.of.C[a.Dim] < 0.5)
}

func (a side) containsVertex(v int) bool {
	if a.path > 0 {
		return (2*v < a.path) != (2*a.of.V[a.Graph] < a.path)
	}
	return v != a.of.V[a.Graph]
}

func (a side) restrict(dom *acquisition.Domain) bool {
	switch g, d := a.Graph, a.Dim; {
	case g >= 0 && dom.FixedV[g], d >= 0 && dom.FixedC[d]:
		return a.contains(dom.Fixed)
	case g >= 0:
		dom.KeepVertices(g, a.containsVertex)
	case a.of.C[d] < 0.5:
		dom.Dims[d] = dom.Dims[d].Within(0.5, 1)
	default:
		dom.Dims[d] = dom.Dims[d].Within(0, math.Nextafter(0.5, 0))
	}
	return dom.Size() > 0
}
