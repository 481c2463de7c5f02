package observe

import (
	"slices"

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

// latest returns the last regionHistory elements.
func latest[T any](s []T) []T { return s[max(0, len(s)-regionHistory):] }

// openRegions returns the regions that a trial can still take: those that nothing
// decided rules out, and of these the ones that have most of the parameters which
// it was enqueued with, unless everything there was tried. What the trial was asked
// for is active in all of them: it did not follow from values that are not decided
// yet.
func openRegions(p *Problem, regions []Region, asked []*space.Param) []Region {
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
		r.Region = activate(region, asked)
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
		return []Region{{Region: activate(root, asked)}}
	}
	if len(open) < len(all) && !slices.ContainsFunc(open, p.hasUntried) {
		open = all
	}
	return p.withoutFailing(open)
}

func (p *Problem) hasUntried(r Region) bool {
	_, ok := p.Tried.FirstUntried(r.Region)
	return ok
}

func activate(r space.Region, params []*space.Param) space.Region {
	for _, p := range params {
		r = r.Activate(p)
	}
	return r
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
