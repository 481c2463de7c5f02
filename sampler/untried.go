package sampler

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// untriedPeriod is how often a trial takes untried values, while more than maxUntried are
// left.
const untriedPeriod = 3

// untried holds the values of choices that no trial has, by graph. Where more than maxUntried
// are left after the longest start-up, some trials of the search take them: a longer start-up
// would draw all other parameters at random, too.
type untried map[int][]int

// untriedValues returns them, and how many there are.
func untriedValues(p *observe.Problem) (values untried, n int) {
	values = untried{}
	for g, param := range p.Space.Graphs() {
		if !wantsEachValue(p, param) {
			continue
		}
		for v, trials := range tries(p, g)[:int(param.Count())] {
			if trials == 0 {
				values[g] = append(values[g], v)
			}
		}
		n += len(values[g])
	}
	return values, n
}

// tryUntried returns the best configuration of those in which every choice that has untried
// values has one. To the model these are alike, so that it decides about all else. ok is
// false where no more than maxUntried are left.
func (s search) tryUntried() (x fmkernel.Point, ok bool) {
	if s.restricted || s.problem.Number%untriedPeriod != 0 {
		return x, false
	}
	values, n := untriedValues(s.problem)
	if n <= maxUntried {
		return x, false
	}
	ref := surrogate.Reference{Observed: s.model.Observed(anywhere), Points: s.problem.Promised()}
	c, ok := s.best(s.model.Improvement(ref, 0), s.domainsWithin(values.restrict))
	return c.X, ok
}

// restrict leaves of a domain what has untried values, and reports whether that is
// anything.
func (values untried) restrict(dom *acquisition.Domain) bool {
	for g, vs := range values {
		if !dom.FixedV[g] {
			dom.KeepVertices(g, func(v int) bool { return slices.Contains(vs, v) })
		}
	}
	if dom.Size() == 0 {
		return false
	}
	for i, x := range dom.Incumbents {
		dom.Incumbents[i] = dom.Nearest(x)
	}
	return true
}
