package sampler

import (
	"math"
	"math/rand/v2"

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
	// parallelObservations is the number of observations from which a second
	// goroutine saves more than it costs.
	parallelObservations = 100
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

// propose maximises the acquisition function over the open regions, in their parts.
func propose(p *observe.Problem, s *surrogate.Surrogate, random stream.Trial) proposal {
	rng := random.Rand("search")
	regions, owed := turn(p)
	regions = observe.Parts(regions)
	doms := domains(p, s, regions, rng, func(*acquisition.Domain) bool { return true })
	restricted := len(p.Fixed) > 0 || owed
	ref := reference(p, s, regions, doms, restricted)
	if !restricted && p.Number%secondLookPeriod == 0 && stagnates(p) {
		if x, ok := secondLook(p, s, regions, rng); ok {
			return proposal{x: x}
		}
	}
	if !restricted && p.Number%untriedPeriod == 0 {
		if x, ok := tryUntried(p, s, regions, rng); ok {
			return proposal{x: x}
		}
	}
	s = flattened(p, s)
	if !restricted && wanders(p) {
		if x, ok := elsewhere(p, s, regions, stagnantSides, random.Rand("elsewhere")); ok {
			return proposal{x: x}
		}
	}
	improvement := s.Improvement(ref, margin(p, s))
	settings := effort(s)
	if len(s.Targets) >= parallelObservations {
		settings.Fork = improvement
	}
	c, ok := acquisition.Maximize(improvement(), doms, rng, settings)
	if ok && !restricted && (marginTurn(p) > 0 || awaited(p, s)) && settled(p, s, ref, doms, c, random.Rand("settled")) {
		if x, ok := elsewhere(p, s, regions, settledSides, random.Rand("elsewhere")); ok {
			return proposal{x: x}
		}
	}
	if ok {
		return proposal{x: c.X}
	}
	x, ok, exhausted := p.Untried()
	if !ok {
		x = replicate(p, s, random.Rand("replicate"))
	}
	return proposal{x, exhausted}
}

// marginTurn returns the index of the margin whose turn it is.
func marginTurn(p *observe.Problem) int { return p.Number % len(margins) }

// margin returns the improvement that the trial looks for: that whose turn it is.
// Along a continuous parameter a smooth function improves by small steps to its
// optimum, so there it is at most a standard deviation of the noise, which hides
// smaller ones. Where trials run at once, they would all take the same step.
func margin(p *observe.Problem, s *surrogate.Surrogate) float64 {
	improvement := margins[marginTurn(p)]
	if p.Space.Continuous() && len(p.Pending) == 0 {
		improvement = min(improvement, s.NoiseSD())
	}
	return improvement
}

// turn returns the regions that the acquisition function chooses from: all, or
// in one trial of fairPeriod the one that was taken least, while it lags behind
// its share. Nobody can expect anything of what follows a choice that was never
// made, and where few trials of many parameters were bad, the best of a region is
// not known. A region where all trials have failed or were pruned, so that the model knows nothing
// of it, is left out once it has its share. owed says whether it is one that lags behind.
func turn(p *observe.Problem) (regions []observe.Region, owed bool) {
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

// reference returns what the trial has to improve on: the best that can be had. Where
// nothing can beat the best of the whole space, all points would look alike, and the
// most uncertain one would win: there it is the best of the domains, one of each region.
func reference(p *observe.Problem, s *surrogate.Surrogate, regions []observe.Region, doms []*acquisition.Domain, restricted bool) surrogate.Reference {
	observed := s.Observed(p.Possible)
	if restricted || len(observed) == 0 {
		var moved []fmkernel.Point
		for k, r := range regions {
			moved = append(moved, doms[k].Incumbents...)
			for _, x := range p.Pending {
				if x, ok := r.MoveInto(x); ok && r.SameActive(x) {
					moved = append(moved, x)
				}
			}
		}
		if len(moved) > 0 {
			return surrogate.Reference{Points: moved}
		}
	}
	if len(observed) == 0 {
		observed = s.Observed(anywhere)
	}
	return surrogate.Reference{Points: p.Pending, Observed: observed}
}

func anywhere(fmkernel.Point) bool { return true }

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
