package sampler

import (
	"cmp"
	"slices"
	"sort"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// The search is on a plateau when it stagnates, and plateauShare of the start-up,
	// which no search chose, are as good as the best, within startDepth of the
	// start-up's spread. A search in a basin, or along a valley, comes near the best
	// with many configurations, too.
	startDepth   = 0.1
	plateauShare = 1.0 / 3
	// It is beside a plateau when plateauShare of the values are alike, within
	// plateauDepth of the spread, and better ones are known.
	plateauDepth = 0.05
	// The worst value lies within maxTail of the start-up's spread from the best,
	// where linear targets are of use.
	maxTail = 4
	// While the search stagnates, one trial of secondLookPeriod goes to a value of a
	// choice that was tried less than the others, on a plateau, or has always failed:
	// the first of maxLooks whose own model finds the logarithm of the expected
	// improvement above hopeless, which is where a prediction is seven standard
	// deviations above the best.
	secondLookPeriod = 2
	maxLooks         = 3
	maxLookValues    = 10
	hopeless         = -28
	// A value is hopeless from minLooks observations on: a few say little about how
	// much the others differ.
	minLooks = 6
	// A value that has always failed gets failingShare of its share.
	failingShare = 0.5
)

// onPlateau reports whether the search finds nothing, among much that is alike.
func onPlateau(p *observe.Problem) bool {
	if !stagnates(p) {
		return false
	}
	start := slices.Sorted(slices.Values(p.FeasibleY[:observe.MinStartup]))
	good := sort.SearchFloat64s(start, slices.Min(p.FeasibleY)+startDepth*spread(p.FeasibleY))
	return float64(good) >= plateauShare*observe.MinStartup
}

// besidePlateau reports whether many values are alike, and the best is another.
func besidePlateau(p *observe.Problem) bool {
	if len(p.FeasibleY) < observe.MinStartup+patience(p) {
		return false
	}
	ys, depth := slices.Sorted(slices.Values(p.FeasibleY)), plateauDepth*spread(p.FeasibleY)
	least, most := 0, 0 // the first of the most that are alike
	for i := range ys {
		if n := sort.Search(len(ys), func(k int) bool { return ys[k] > ys[i]+depth }) - i; n > most {
			least, most = i, n
		}
	}
	return float64(most) >= plateauShare*float64(len(ys)) && ys[least]-ys[0] > depth
}

// heavyTailed reports whether the worst values are far above all others, or those of infeasible
// trials far from those of feasible ones.
func heavyTailed(p *observe.Problem) bool {
	return slices.Max(p.Y)-slices.Min(p.Y) > maxTail*spread(p.FeasibleY)
}

// flattened returns the search with linear targets where it is on a plateau, or beside one: other
// targets may magnify the small differences there. Where a few values are much worse than all
// others, the search stays as it is: linear targets would show nothing else. Of trials that run
// at once every second one keeps its targets, so that what one view misses another sees.
func (s search) flattened() search {
	p := s.problem
	if len(p.Pending) > 0 && p.Number/secondLookPeriod%2 == 1 {
		return s
	}
	if s.model.Transform.Magnifies() && (onPlateau(p) || besidePlateau(p)) && !heavyTailed(p) {
		if linear, ok := s.model.Linear(); ok {
			s.model = linear
		}
	}
	return s
}

// choiceValue is a value of a choice.
type choiceValue struct {
	graph, vertex int
	// share is the number of trials that had it, for each that it would have if
	// all values had as many.
	share float64
	// observed is the number of those that had a value.
	observed int
}

func (v choiceValue) contains(x fmkernel.Point) bool { return x.V[v.graph] == v.vertex }

// neglected returns the values of choices that have less than their share of all
// trials, the least tried first.
func neglected(p *observe.Problem) []choiceValue {
	var values []choiceValue
	for g, param := range p.Space.Graphs() {
		m := int(param.Count())
		if param.Graph.Shape() != graphs.ShapeComplete || m > maxLookValues || p.Space.Optional(param) {
			continue
		}
		observed := make([]int, param.Graph.Order()) // of those that the choice had once, too
		for _, x := range p.X {
			observed[x.V[g]]++
		}
		for v, n := range tries(p, g)[:m] {
			share, least := float64(n*m)/float64(p.Number), 1.0
			if observed[v] == 0 {
				least = failingShare
			}
			if share < least {
				values = append(values, choiceValue{g, v, share, observed[v]})
			}
		}
	}
	slices.SortStableFunc(values, func(a, b choiceValue) int { return cmp.Compare(a.share, b.share) })
	return values
}

// secondLook returns the best configuration with a value that was tried little, as
// a model has it that knows this value alone. The model of all trials follows those
// that the search chose: on a plateau most of them are there. Elsewhere it is a good
// guide, except to a value that has always failed, of which it knows nothing.
func (s search) secondLook() (x fmkernel.Point, ok bool) {
	p := s.problem
	if s.restricted || p.Number%secondLookPeriod != 0 || !stagnates(p) {
		return x, false
	}
	values := neglected(p)
	if !onPlateau(p) {
		values = slices.DeleteFunc(values, func(v choiceValue) bool { return v.observed > 0 })
	}
	for _, v := range values[:min(maxLooks, len(values))] {
		improvement, own := s.model.ImprovementWithin(v.contains)
		if !own {
			improvement = s.model.Improvement(surrogate.Reference{Observed: s.model.Observed(anywhere)}, 0)
		}
		c, found := s.best(improvement, s.domainsWithin(v.restrict))
		if found && (!own || v.observed < minLooks || c.Value > hopeless) {
			return c.X, true
		}
	}
	return x, false
}

func (v choiceValue) restrict(dom *acquisition.Domain) bool {
	if dom.FixedV[v.graph] || !slices.Contains(dom.Allowed(v.graph), v.vertex) {
		return false
	}
	dom.Vertices[v.graph] = []int{v.vertex}
	dom.Incumbents = slices.DeleteFunc(dom.Incumbents, func(x fmkernel.Point) bool { return !v.contains(x) })
	return true
}
