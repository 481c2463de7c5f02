package sampler

import (
	"maps"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/stream"
)

// startupDraws is how many points are drawn at most to avoid one that was tried, or
// is likely to be infeasible.
const startupDraws = 200

const (
	// There are observe.MinStartup start-up trials, or smallStartup where up to smallSpace
	// parameters are all there is and none is continuous, or limitedStartup where constraints
	// are measured, since each trial says more then; and up to maxStartup where choices
	// have many values, of which none resembles another: until maxUntried of the values at
	// most are left untried.
	smallStartup   = 8
	smallSpace     = 12
	limitedStartup = 6
	maxStartup     = 15
	maxUntried     = 12
	// valuelessPerValue is how many trials that failed or were pruned count as one with
	// a value.
	valuelessPerValue = 2
	// maxLevels is the number of values up to which each has its turn.
	maxLevels = 100
)

// defaultStartupTrials returns the default number of start-up trials with a value: after n
// of them, a choice of m values has max(0, m-n) untried ones. Trials without a value
// tell something, too.
func defaultStartupTrials(p *observe.Problem) int {
	least := observe.MinStartup
	switch {
	case len(p.Constraints()) > 0:
		least = limitedStartup
	case !p.Space.Continuous() && len(p.Space.Params()) <= smallSpace:
		least = smallStartup
	}
	for n := least; ; n++ {
		untried := 0
		for _, param := range p.Space.Graphs() {
			if wantsEachValue(p, param) {
				untried += max(0, int(param.Count())-n)
			}
		}
		if untried <= maxUntried || n == maxStartup {
			return max(minObserved, n-(len(p.Valueless)-p.RuledOut())/valuelessPerValue)
		}
	}
}

// wantsEachValue reports whether each value of the parameter is to be tried: those that no
// trial had make the start-up longer.
func wantsEachValue(p *observe.Problem, param *space.Param) bool {
	return param.Graph.Shape() == graphs.ShapeComplete && param.Count() <= maxLevels && !p.Space.Optional(param)
}

// startup returns the values of trial p.Number of the start-up: a scrambled Sobol
// sequence, which is balanced over 2, 4, 8, … values, jointly with all parameters,
// and for other numbers of values every one as often as every other, in random
// orders. A continuous parameter has a coordinate of the sequence by the
// order in which names turned up in the history. Orders and scrambling follow from
// the name, so that the values of a parameter depend on nothing else the trial asks
// for. Of a point that was tried, or that has a low probability of a feasible trial, one
// parameter and then more are drawn again. The first point that is not is taken, or else the
// one of all drawn with the highest.
func startup(p *observe.Problem, random stream.Trial, feasible func(x fmkernel.Point) float64) startupPoint {
	all, params := sequence(p, random.Seed), p.Space.Params()
	rng := random.Rand("startup")
	point := startupPoint{probability: -1}
	for i := range startupDraws {
		quantiles := maps.Clone(all)
		if i > 0 {
			for _, k := range rng.Perm(len(params))[:min(len(params), 1+i*len(params)/startupDraws)] {
				quantiles[params[k].Name] = rng.Float64()
			}
		}
		draw, ok := take(p, p.FromUnits(quantiles))
		if !ok {
			continue
		}
		probability := 1.0
		if x, whole := p.Point(draw); whole {
			if p.Tried.Covers(x) {
				continue
			}
			probability = feasible(x)
		}
		if probability > point.probability {
			point = startupPoint{values: draw, probability: probability}
		}
		if point.probability >= likelyFails {
			break
		}
	}
	if point.values != nil {
		return point
	}
	x, ok, exhausted := p.Untried()
	if ok {
		return startupPoint{values: p.Values(x), probability: feasible(x)}
	}
	point.values, _ = take(p, p.FromUnits(all))
	point.exhausted = exhausted
	return point
}

// startupPoint is a point of the start-up, by name.
type startupPoint struct {
	values      map[string]float64
	probability float64 // of a feasible trial
	exhausted   bool    // whether every configuration has a trial
}

// sequence returns the quantiles of trial p.Number, by parameter, whatever others have.
func sequence(p *observe.Problem, seed uint64) map[string]float64 {
	u := sobol(p.Names(), seed, p.Number)
	quantiles := map[string]float64{}
	for _, param := range p.Space.ParentsFirst() {
		at, ok := u[param.AskedName]
		form := param
		if param.Forms.By != nil {
			form = p.Form(p.FromUnits(quantiles), param)
		}
		switch n := form.Count(); {
		case n <= maxLevels && !isPowerOfTwo(int(n)):
			at = balanced(param.Name, int(n), seed, p.Turn(param))
		case !ok:
			at = firstCoordinate(param.Name, seed, p.Number)
		}
		quantiles[param.Name] = at
	}
	return quantiles
}

func isPowerOfTwo(n int) bool { return n&(n-1) == 0 }

// balanced returns the quantile of one of n values: each comes once in n turns, in a
// random order.
func balanced(name string, n int, seed uint64, turn int) float64 {
	order := stream.Trial{Seed: seed, Number: turn / n}.Rand("start-up " + name).Perm(n)
	return (float64(order[turn%n]) + 0.5) / float64(n)
}

// sobol returns the coordinates of point number n of the sequence over the names.
func sobol(names []string, seed uint64, n int) map[string]float64 {
	u := make(map[string]float64, len(names))
	if len(names) == 0 {
		return u
	}
	seeds, at := make([]uint64, len(names)), make([]float64, len(names))
	for i, name := range names {
		seeds[i] = qmc.HashString(seed, name)
	}
	seq := qmc.New(seeds)
	seq.Seek(n)
	seq.PointTo(at)
	for i, name := range names {
		u[name] = at[i]
	}
	return u
}

// firstCoordinate returns the coordinate of a parameter that no finished trial has: that of
// point 0 in the study's first trial, where any numbering of coordinates gives the
// same, and an independent one in trials that run beside it.
func firstCoordinate(name string, seed uint64, n int) float64 {
	seed = qmc.HashString(seed, name)
	if n > 0 {
		seed = qmc.Mix(seed, uint64(n))
	}
	var at [1]float64
	qmc.New([]uint64{seed}).PointTo(at[:])
	return at[0]
}

// take returns the values of the parameters that are active in the region that the
// values lead into. ok is false where the problem leaves that region out.
func take(p *observe.Problem, values map[string]float64) (taken map[string]float64, ok bool) {
	for _, r := range p.Regions {
		if taken, ok = r.Take(values); ok {
			return taken, true
		}
	}
	return taken, false
}
