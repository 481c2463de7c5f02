package sampler

import (
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// parallelObservations is the number of observations from which a second
	// goroutine saves more than it costs.
	parallelObservations = 100
	// Of more than thoroughSearch observations half of the search has to do: it takes
	// long then, and what it misses the next trial finds.
	thoroughSearch = 200
	// maxVertices is the largest complete graph whose vertices are all
	// searched. On a larger one, vertices without data are alike.
	maxVertices = 24
	// freshVertices is the number of vertices without data that stand for all.
	freshVertices = 4
)

// best returns the candidate with the largest improvement in domains.
func (s search) best(improvement func() acquisition.Func, domains []*acquisition.Domain) (c acquisition.Candidate, ok bool) {
	var settings acquisition.Settings
	if len(s.model.Targets) > thoroughSearch {
		settings.Candidates, settings.Starts = 128, 2
	}
	if len(s.model.Targets) >= parallelObservations {
		settings.Fork = improvement
	}
	return acquisition.Maximize(improvement(), domains, s.rng, settings)
}

// domainsWithin returns what restrict leaves of the regions, without those of which it
// leaves nothing. restrict moves the incumbents into what it leaves, or drops them.
func (s search) domainsWithin(restrict func(*acquisition.Domain) bool) (doms []*acquisition.Domain) {
	known := ranked(s.model)
	for _, r := range s.regions {
		if dom := domain(s.problem, r, known, s.rng); restrict(dom) {
			doms = append(doms, dom)
		}
	}
	return doms
}

// domain returns the part of a region that is searched, around the best of observations
// that lie there, or would if they were moved.
func domain(p *observe.Problem, r observe.Region, ranked []fmkernel.Point, rng *rand.Rand) *acquisition.Domain {
	dom := r.Domain()
	dom.Incumbents = moveInto(p, r, ranked)
	dom.Excluded = func(x fmkernel.Point) bool { return p.Tried.Covers(x) || !p.Space.FitsForms(x) }
	for i := range dom.Graphs {
		if !dom.FixedV[i] {
			keepRepresentatives(p, dom, i, rng)
		}
	}
	return dom
}

// keepRepresentatives leaves, of the vertices of a large complete graph, those with data,
// and a few of the others, which the model cannot tell apart.
func keepRepresentatives(p *observe.Problem, dom *acquisition.Domain, graph int, rng *rand.Rand) {
	n, allowed := dom.Graphs[graph].Order(), dom.Allowed(graph)
	if dom.Graphs[graph].Shape() != graphs.ShapeComplete || len(allowed) <= maxVertices {
		return
	}
	seen := map[int]bool{}
	for v, n := range tries(p, graph) {
		seen[v] = n > 0
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
	dom.KeepVertices(graph, func(v int) bool { return seen[v] })
}

// tries returns how many trials have each vertex of a graph, the apex of its cone included.
func tries(p *observe.Problem, graph int) []int {
	n := make([]int, p.Space.Graphs()[graph].Graph.Order()+1)
	for _, xs := range [][]fmkernel.Point{p.X, p.Pending} {
		for _, x := range xs {
			n[x.V[graph]]++
		}
	}
	for _, v := range p.Valueless {
		n[v.X.V[graph]]++
	}
	return n
}

// ranked returns the feasible observations, the best first.
func ranked(s *surrogate.Surrogate) []fmkernel.Point {
	xs := make([]fmkernel.Point, 0, len(s.X))
	for _, i := range surrogate.Ascending(s.Targets) {
		if s.IsFeasible(i) {
			xs = append(xs, s.X[i])
		}
	}
	return xs
}

// moveInto returns the observations with the active parameters of the region,
// moved there; where there is none, as after a parameter was dropped, those that
// have more.
func moveInto(p *observe.Problem, r observe.Region, xs []fmkernel.Point) []fmkernel.Point {
	var same, more []fmkernel.Point
	move := r.Mover()
	for _, x := range xs {
		alike := p.Space.Activity(x) == r.Activity
		if !alike && len(same) > 0 {
			continue
		}
		if x, ok := move(x); ok && alike {
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
