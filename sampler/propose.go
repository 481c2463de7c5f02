package sampler

import (
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
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
	// minRegionTrials is how many trials each region gets at least, and fairShare
	// the part of its even share of all trials. In one trial of fairPeriod the
	// region that lacks most has its turn.
	minRegionTrials = 2
	fairShare       = 0.5
	fairPeriod      = 2
)

// proposal is the configuration that the next trial should have.
type proposal struct {
	x         fmkernel.Point
	exhausted bool // whether every configuration has a trial: x is the best of them
}

// propose asks the views that a trial may take for a configuration, in this order: the
// first that finds one decides. Where none does, it is one that is left, or the best again.
func propose(p *observe.Problem, model *surrogate.Surrogate, random stream.Trial) proposal {
	s := newSearch(p, model, random)
	if x, ok := first(
		s.secondLook, // while it stagnates: a value of a choice that was tried little, or has always failed
		s.tryUntried, // while many values of choices are untried: some of these
	); ok {
		return proposal{x: x}
	}
	s = s.flattened() // on a plateau, or beside one
	if x, ok := first(
		s.wander,   // while it stagnates: another part of the space
		s.maximize, // the best of all, or elsewhere where that is hardly an improvement
	); ok {
		return proposal{x: x}
	}
	x, ok, exhausted := p.Untried()
	if !ok {
		x = s.replicate()
	}
	return proposal{x, exhausted}
}

// first returns the first configuration that is found.
func first(views ...func() (x fmkernel.Point, ok bool)) (x fmkernel.Point, ok bool) {
	for _, find := range views {
		if x, ok = find(); ok {
			break
		}
	}
	return x, ok
}

// search is what a trial goes by. A view that has another model, or random numbers of its
// own, goes by a changed copy.
type search struct {
	problem *observe.Problem
	model   *surrogate.Surrogate
	regions []observe.Region      // to choose from, in their parts
	domains []*acquisition.Domain // of these regions
	// restricted says that these are not all regions of the space: values are fixed, or one
	// region has its turn. Then the trial takes the best of them, and no other view.
	restricted bool
	reference  surrogate.Reference // what the trial has to improve on
	random     stream.Trial
	rng        *rand.Rand // of random
}

func newSearch(p *observe.Problem, model *surrogate.Surrogate, random stream.Trial) search {
	regions, owed := regionsToSearch(p)
	s := search{
		problem: p, model: model, regions: observe.Parts(regions), restricted: len(p.Fixed) > 0 || owed,
		random: random, rng: random.Rand("search"),
	}
	s.domains = s.domainsWithin(func(*acquisition.Domain) bool { return true })
	s.reference = s.bestKnown()
	return s
}

// maximize returns the configuration with the largest expected improvement, or one
// elsewhere where the search is settled.
func (s search) maximize() (x fmkernel.Point, ok bool) {
	c, ok := s.best(s.model.Improvement(s.reference, s.margin()), s.domains)
	if ok && s.settled(c) {
		if x, ok := s.elsewhere(settledSides); ok {
			return x, true
		}
	}
	return c.X, ok
}

// marginTurn returns the index of the margin whose turn it is.
func marginTurn(p *observe.Problem) int { return p.Number % len(margins) }

// margin returns the improvement that the trial looks for: that whose turn it is.
// Along a continuous parameter a smooth function improves by small steps to its
// optimum, so there it is at most a standard deviation of the noise, which hides
// smaller ones. Where trials run at once, they would all take the same step.
func (s search) margin() float64 {
	improvement := margins[marginTurn(s.problem)]
	if s.problem.Space.Continuous() && len(s.problem.Pending) == 0 {
		improvement = min(improvement, s.model.NoiseSD())
	}
	return improvement
}

// regionsToSearch returns the regions that the acquisition function chooses from: all, or
// in one trial of fairPeriod the one that was taken least, while it lags behind its share;
// owed says that it is this one. Nobody can expect anything of what follows a choice that
// was never made, and where few trials of many parameters were bad, the best of a region is
// not known. A region where all trials have failed or were pruned, so that the model knows
// nothing of it, is left out once it has its share.
func regionsToSearch(p *observe.Problem) (regions []observe.Region, owed bool) {
	if len(p.Regions) < 2 {
		return p.Regions, false
	}
	share := max(minRegionTrials, int(fairShare*float64(p.Number)/float64(len(p.Regions))))
	least, fewest := -1, share
	for i, r := range p.Regions {
		n := r.Trials + r.Valueless
		for _, x := range p.Pending {
			if r.Contains(x) {
				n++
			}
		}
		if r.Trials > 0 || r.Valueless == 0 || n < share {
			regions = append(regions, r)
		}
		if n >= fewest || p.Number%fairPeriod != 0 {
			continue
		}
		if p.HasUntried(r) {
			least, fewest = i, n
		}
	}
	switch {
	case least >= 0:
		return p.Regions[least : least+1], true
	case len(regions) > 0:
		return regions, false
	}
	return p.Regions, false
}

// bestKnown returns what the trial has to improve on: the best that can be had. Where
// nothing can beat the best of the whole space, all points would look alike, and the
// most uncertain one would win: there it is the best of the domains, one of each region.
func (s search) bestKnown() surrogate.Reference {
	p := s.problem
	observed := s.model.Observed(p.Possible)
	if s.restricted || len(observed) == 0 {
		var moved []fmkernel.Point
		for k, r := range s.regions {
			moved = append(moved, s.domains[k].Incumbents...)
			for _, x := range p.Promised() {
				if x, ok := r.MoveInto(x); ok && p.Space.Activity(x) == r.Activity {
					moved = append(moved, x)
				}
			}
		}
		if len(moved) > 0 {
			return surrogate.Reference{Points: moved}
		}
	}
	if len(observed) == 0 {
		observed = s.model.Observed(anywhere)
	}
	return surrogate.Reference{Points: p.Promised(), Observed: observed}
}

func anywhere(fmkernel.Point) bool { return true }

// replicate returns the observation with the best prediction that the trial may
// have, a feasible one if it can, or any configuration that it may have when there is none.
func (s search) replicate() fmkernel.Point {
	p, xs := s.problem, s.model.X
	order := surrogate.Ascending(s.model.Means(xs))
	allowed := func(i int) bool { _, ok := p.RegionOf(xs[i]); return ok }
	feasible := func(i int) bool { return s.model.IsFeasible(i) && allowed(i) }
	for _, condition := range [...]func(i int) bool{feasible, allowed} {
		if at := slices.IndexFunc(order, condition); at >= 0 {
			return xs[order[at]]
		}
	}
	rng := s.random.Rand("replicate")
	return p.Regions[rng.IntN(len(p.Regions))].Draw(rng)
}
