package observe

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// regionHistory bounds the trials that regions are learned from, the most
	// recent ones.
	regionHistory = 1000
	// regionFailures is how many trials may fail in a region where none has
	// succeeded yet, and failingRegionShare what part of its even share more: what
	// failed at first may work by now, or elsewhere in the region.
	regionFailures     = 3
	failingRegionShare = 0.1
)

// configuration is what a trial had, and whether it is taken to have asked for all that there
// is to ask.
type configuration struct {
	x     fmkernel.Point
	trial history.Trial
	whole bool
}

// learnRegions learns the regions from the configurations of whole trials, in the order in
// which they ended, and from some of the rest. A trial without a value may have ended before
// it asked for all parameters, so the absence of one is no evidence. The presence of one is:
// the values of the trial activate it, though no whole trial shows that. Where all such
// trials fail or are pruned, without them no region would have the parameter, and the search
// would come back to these values until the study ends.
func (p *Problem) learnRegions(whole []configuration, rest []history.Trial, byEnd func(a, b history.Trial) int) []Region {
	regions, all := p.regionsOf(whole), slices.Clip(whole)
	for _, t := range rest {
		values := valuesOf(t)
		x, bad := p.Space.Encode(values)
		if bad != nil {
			continue
		}
		activity := p.Space.Activity(x)
		if slices.ContainsFunc(regions, func(r Region) bool { return r.Trials > 0 && !r.Activity.Includes(activity) && r.LedTo(values) }) {
			all = append(all, configuration{x, t, false})
		}
	}
	if len(all) == len(whole) {
		return regions
	}
	slices.SortStableFunc(all, func(a, b configuration) int { return byEnd(a.trial, b.trial) })
	return p.regionsOf(all)
}

// regionsOf returns the regions that the latest configurations show. Those that are not
// whole are not among their Trials.
func (p *Problem) regionsOf(all []configuration) (regions []Region) {
	all = all[max(0, len(all)-regionHistory):]
	xs := make([]fmkernel.Point, len(all))
	for i, c := range all {
		xs[i] = c.x
	}
	for _, r := range p.Space.Regions(xs) {
		region := Region{Region: r}
		for _, i := range r.Seen {
			if !all[i].whole {
				continue
			}
			region.Trials++
			if !p.IsFeasible(all[i].trial) {
				region.Infeasible++
			}
		}
		regions = append(regions, region)
	}
	return regions
}

// Parts returns the regions in parts of which each has one form of every parameter.
func Parts(regions []Region) (parts []Region) {
	for _, r := range regions {
		for _, part := range r.Parts() {
			of := r
			of.Region = part
			parts = append(parts, of)
		}
	}
	return parts
}

// openRegions returns the regions that the trial can still take: those that no value that is
// decided rules out. Of these it is the ones that have most of the parameters which the trial
// was enqueued with, unless everything there was tried. What the trial asks for is active in
// all of them: it did not follow from values that are not decided yet.
func (p *Problem) openRegions(regions []Region, asked []*space.Param) []Region {
	var enqueued []*space.Param
	for _, param := range p.Space.Params() {
		if _, ok := p.Fixed[param.Name]; ok && !slices.Contains(asked, param) {
			enqueued = append(enqueued, param)
		}
	}
	var all, open []Region
	most := -1
	for _, r := range regions {
		region, ok := r.Fix(p.Fixed)
		if !ok || region.Empty() { // of values that no distribution has any more
			continue
		}
		n := region.NumActive(enqueued)
		r.Region = region.Activate(asked...)
		all = append(all, r)
		if n > most {
			open, most = nil, n
		}
		if n == most {
			open = append(open, r)
		}
	}
	if len(all) == 0 {
		root, _ := p.Space.Root().Fix(p.Fixed)
		return []Region{{Region: root.Activate(asked...)}}
	}
	if len(open) < len(all) && !slices.ContainsFunc(open, p.HasUntried) {
		open = all
	}
	return p.withoutFailing(open)
}

// HasUntried reports whether some configuration of the region was not tried.
func (p *Problem) HasUntried(r Region) bool {
	_, ok := p.Tried.FirstUntried(r.Region)
	return ok
}

// withoutFailing leaves out regions where too many trials have failed and none has
// succeeded, while others remain.
func (p *Problem) withoutFailing(regions []Region) []Region {
	most := regionFailures + int(failingRegionShare*float64(p.Number)/float64(len(regions)))
	rest := slices.DeleteFunc(slices.Clone(regions), func(r Region) bool { return r.Failures >= most })
	if len(rest) == 0 {
		return regions
	}
	return rest
}
