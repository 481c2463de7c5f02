package sampler

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// margins are the improvements ξ, in standard deviations of the targets, that
// trials in turn look for. The expected improvement on the best value itself ends
// up polishing one optimum by ever smaller steps; a trial that wants a material
// improvement goes elsewhere (Jones, A taxonomy of global optimization methods
// based on response surfaces, 2001, method 7).
var margins = [...]float64{0, 0.03, 0.3}

const (
	// parallelObservations is the number of observations from which a second
	// goroutine saves more than it costs.
	parallelObservations = 100
	// minRegionTrials is how many trials each region gets at least, and fairShare
	// the part of its even share of all trials. In one trial of fairPeriod the
	// region that lacks most has its turn.
	minRegionTrials = 2
	fairShare       = 0.5
	fairPeriod      = 2
	// incumbentPoints is the number of best observations that spray points are
	// drawn around.
	incumbentPoints = 10
	// maxVertices is the largest complete graph whose vertices are all
	// searched. On a larger one, vertices without data are alike.
	maxVertices = 24
	// freshVertices is the number of vertices without data that stand for all.
	freshVertices = 4
)

// proposal is the configuration that the next trial should have.
type proposal struct {
	x         fmkernel.Point
	exhausted bool // whether every configuration has a trial: x is the best of them
}

// propose maximises the acquisition function over the open regions.
func propose(p *observe.Problem, s *surrogate.Surrogate, random stream.Trial) proposal {
	rng := random.Rand("search")
	regions := turn(p)
	doms := make([]*acquisition.Domain, len(regions))
	for k, r := range regions {
		doms[k] = domain(p, r, rng)
	}
	restricted := len(p.Fixed) > 0 || len(regions) < len(p.Regions)
	ref := setIncumbents(p, s, regions, doms, restricted)
	var next proposal
	if onPlateau(p) {
		s = s.Doubting(surprise)
		if !restricted && p.Number%secondLookPeriod == 0 {
			if x, ok := secondLook(p, s, rng); ok {
				next.x = x
				return next
			}
		}
	}
	improvement := s.Improvement(ref, margins[p.Number%len(margins)])
	var settings acquisition.Settings
	if len(s.Targets) >= parallelObservations {
		settings.Fork = improvement
	}
	c, ok := acquisition.Maximize(improvement(), doms, rng, settings)
	if ok {
		next.x = c.X
		return next
	}
	if next.x, ok, next.exhausted = p.Untried(); !ok {
		next.x = replicate(p, s, random.Rand("replicate"))
	}
	return next
}

// turn returns the regions that the acquisition function chooses from: all, or
// in one trial of fairPeriod the one that was taken least, while it lags behind
// its share. Nobody can expect anything of what follows a choice that was never
// made, and where few trials of many parameters were bad, the best of a region is
// not known.
func turn(p *observe.Problem) []observe.Region {
	if len(p.Regions) < 2 || p.Number%fairPeriod != 0 {
		return p.Regions
	}
	share := max(minRegionTrials, int(fairShare*float64(p.Number)/float64(len(p.Regions))))
	least := -1
	for i, r := range p.Regions {
		n := r.Trials + r.Failures
		for _, x := range p.Pending {
			if r.Contains(x) {
				n++
			}
		}
		if n >= share {
			continue
		}
		if _, ok := p.Tried.FirstUntried(r.Region); ok {
			least, share = i, n
		}
	}
	if least < 0 {
		return p.Regions
	}
	return p.Regions[least : least+1]
}

// domain returns the part of a region that is searched.
func domain(p *observe.Problem, r observe.Region, rng *rand.Rand) *acquisition.Domain {
	dom := r.Domain()
	dom.Excluded = p.Tried.Covers
	for i := range dom.Graphs {
		if !dom.FixedV[i] {
			if some := representatives(p, dom, i, rng); some != nil {
				dom.Vertices[i] = some
			}
		}
	}
	return dom
}

// representatives returns the vertices of a large complete graph, of those that
// may be proposed, that need to be searched: those with data, and a few of the
// others, which the model cannot tell apart. It returns nil when all are to be
// searched.
func representatives(p *observe.Problem, dom *acquisition.Domain, graph int, rng *rand.Rand) []int {
	n, allowed := dom.Graphs[graph].Order(), dom.Vertices[graph]
	if dom.Graphs[graph].Shape() != graphs.ShapeComplete || n <= maxVertices || allowed != nil && len(allowed) <= maxVertices {
		return nil
	}
	if allowed == nil {
		for v := range n {
			allowed = append(allowed, v)
		}
	}
	seen := map[int]bool{}
	for _, x := range p.X {
		seen[x.V[graph]] = true
	}
	for _, x := range p.Pending {
		seen[x.V[graph]] = true
	}
	for _, v := range p.Valueless {
		seen[v.X.V[graph]] = true
	}
	unseen := 0
	for _, v := range allowed {
		if !seen[v] {
			unseen++
		}
	}
	for fresh := min(freshVertices, unseen); fresh > 0; {
		if v := rng.IntN(n); !seen[v] && slices.Contains(allowed, v) {
			seen[v] = true
			fresh--
		}
	}
	return slices.DeleteFunc(slices.Clone(allowed), func(v int) bool { return !seen[v] })
}

// setIncumbents sets the centres of the spray points of each domain, the best
// observations that lie in its region, or would if they were moved there, and
// returns what the trial has to improve on: the best that can be had. Where
// nothing can beat the best of the whole space, all points would look alike, and
// the most uncertain one would win.
func setIncumbents(p *observe.Problem, s *surrogate.Surrogate, regions []observe.Region, doms []*acquisition.Domain, restricted bool) surrogate.Reference {
	order := byTarget(s)
	var moved []fmkernel.Point
	for k, r := range regions {
		near := moveInto(r, s.X, order)
		doms[k].Incumbents = near[:min(len(near), incumbentPoints)]
		moved = append(moved, near...)
		for _, x := range p.Pending {
			if x, ok := r.MoveInto(x); ok && r.SameActive(x) {
				moved = append(moved, x)
			}
		}
	}
	if restricted && len(moved) > 0 {
		return surrogate.Reference{Points: moved}
	}
	ref := surrogate.Reference{Points: p.Pending}
	for i, x := range s.X {
		if _, ok := p.RegionOf(x); ok {
			ref.Observed = append(ref.Observed, i)
		}
	}
	if len(ref.Observed) == 0 {
		ref.Points = moved
	}
	if len(ref.Observed)+len(ref.Points) == 0 {
		ref.Observed = order
	}
	return ref
}

// byTarget returns the indices of the observations, the best first.
func byTarget(s *surrogate.Surrogate) []int {
	order := make([]int, len(s.Targets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.Targets[i], s.Targets[j]) })
	return order
}

// moveInto returns the observations with the active parameters of the region,
// moved there; where there is none, as after a parameter was dropped, those that
// have more.
func moveInto(r observe.Region, xs []fmkernel.Point, order []int) []fmkernel.Point {
	var same, more []fmkernel.Point
	for _, i := range order {
		alike := r.SameActive(xs[i])
		if !alike && len(same) > 0 {
			continue
		}
		if x, ok := r.MoveInto(xs[i]); ok && alike {
			same = append(same, x)
		} else if ok {
			more = append(more, x)
		}
	}
	if len(same) == 0 {
		return more
	}
	return same
}

// replicate returns the observation with the best prediction that the trial may
// have, or any configuration that it may have when there is none.
func replicate(p *observe.Problem, s *surrogate.Surrogate, rng *rand.Rand) fmkernel.Point {
	best, at := math.Inf(1), -1
	for i, mean := range s.Means(s.X) {
		if _, ok := p.RegionOf(s.X[i]); ok && mean < best {
			best, at = mean, i
		}
	}
	if at >= 0 {
		return s.X[at]
	}
	return p.Regions[rng.IntN(len(p.Regions))].Draw(rng)
}
