package sampler

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// exclusionOdds are the odds, before anything is known, that a failed trial has two
	// values that rule each other out, for each two that no trial with a value has.
	exclusionOdds = 0.05
	// maxExclusive is the number of values up to which those of a parameter count.
	maxExclusive = 20
	// maxPaired is the number of values of all parameters up to which pairs are looked at: their
	// table grows with its square, and of more values the first failures tell next to nothing.
	maxPaired = 2000
)

// exclusions are the pairs of values of finite parameters that may rule each other out: a
// configuration of a real system mostly fails because of two options, each of which works
// beside others. A pair that was in n failed trials and in none with a value rules itself
// out with odds of exclusionOdds/shareⁿ, where share is that of the failed among all trials:
// a pair that works is in failed trials alone with probability shareⁿ. A value with itself is
// a pair, too.
type exclusions struct {
	space *space.Space
	first []int // number of the first value of each graph; -1 of one that does not count
	size  int   // number of values
	// odds are those of each pair, of values a >= b at a·size+b; nil where none failed.
	odds []float64
}

// newExclusions returns what the trials with a value and the failed ones say.
func newExclusions(s *space.Space, valued, failed []fmkernel.Point) exclusions {
	e := exclusions{space: s}
	if len(failed) == 0 {
		return e
	}
	for _, param := range s.Graphs() {
		n := param.Graph.Order()
		if n > maxExclusive {
			e.first = append(e.first, -1)
			continue
		}
		e.first = append(e.first, e.size)
		e.size += n
	}
	if e.size > maxPaired {
		return e
	}
	share := (float64(len(failed)) + 0.5) / (float64(len(failed)+len(valued)) + 1)
	e.odds = make([]float64, e.size*e.size)
	for _, x := range failed {
		e.pairs(x, func(pair int) { e.odds[pair] = max(exclusionOdds, e.odds[pair]) / share })
	}
	for _, x := range valued {
		e.pairs(x, func(pair int) { e.odds[pair] = 0 })
	}
	return e
}

// pairs calls f with each pair of values at x.
func (e exclusions) pairs(x fmkernel.Point, f func(pair int)) {
	var values []int // ascending
	for g, param := range e.space.Graphs() {
		if first := e.first[g]; first >= 0 && e.space.Active(x, param) {
			values = append(values, first+x.V[g])
			for _, b := range values {
				f((first+x.V[g])*e.size + b)
			}
		}
	}
}

// probability returns that of no two values at x that rule each other out, 1 as long as
// none failed.
func (e exclusions) probability(x fmkernel.Point) float64 {
	probability := 1.0
	if e.odds != nil {
		e.pairs(x, func(pair int) { probability /= 1 + e.odds[pair] })
	}
	return probability
}
