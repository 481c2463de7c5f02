package observe

import (
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// regionHistory bounds the trials that regions are learned from, the most
	// recent ones.
	regionHistory = 1000
	// regionFailures is how many trials may fail in a region where none has
	// succeeded yet.
	regionFailures = 3
)

// latest returns the last regionHistory elements.
func latest[T any](s []T) []T { return s[max(0, len(s)-regionHistory):] }

// openRegions returns the regions that a trial can still take: those that nothing
// decided rules out, and of these the ones that have most of what was asked for or
// enqueued. Where none has all, the trial goes where none went before.
func openRegions(sp *space.Space, regions []Region, fixed map[string]float64, asked []*space.Param) []Region {
	var wanted []*space.Param
	isAsked := map[*space.Param]bool{}
	for _, p := range asked {
		isAsked[p] = true
	}
	for _, p := range sp.Params() {
		if _, ok := fixed[p.Name]; ok || isAsked[p] {
			wanted = append(wanted, p)
		}
	}
	var open []Region
	most := -1
	for _, r := range regions {
		region, ok := r.Fix(fixed)
		if !ok || region.Empty() { // of values that no distribution has any more
			continue
		}
		r.Region = region
		n := r.NumActive(wanted)
		if n > most {
			open, most = nil, n
		}
		if n == most {
			open = append(open, r)
		}
	}
	for i := range open {
		for _, p := range asked {
			open[i].Region = open[i].Activate(p)
		}
	}
	if len(open) == 0 {
		root := sp.Root()
		for _, p := range asked {
			root = root.Activate(p)
		}
		root, _ = root.Fix(fixed)
		open = []Region{{Region: root}}
	}
	return withoutFailing(open)
}

// withoutFailing leaves out regions where every trial has failed, while others
// remain.
func withoutFailing(regions []Region) []Region {
	var rest []Region
	for _, r := range regions {
		if r.Failures < regionFailures {
			rest = append(rest, r)
		}
	}
	if len(rest) == 0 {
		return regions
	}
	return rest
}
