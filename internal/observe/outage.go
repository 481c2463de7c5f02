package observe

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

const (
	// outageOdds is how unlikely a run of failures must be, as often as trials failed
	// before it, to be taken for an outage. Fewer than minRan trials that ran before it
	// say little of that: then the next minRan after it have to run.
	outageOdds = 1e-6
	minRan     = 5
)

// outages returns which trials failed in an outage: one after the other, so many that it
// was not for their configurations, until one ran again. Such trials tell nothing of
// where others fail. A run counts as failures for those after it all the same: where a
// search has come to a part of the space that fails, the next run is no outage.
func outages(trials []history.Trial) []bool {
	out := make([]bool, len(trials))
	order := make([]int, len(trials))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return trials[i].DatetimeComplete.Compare(trials[j].DatetimeComplete) })
	fails := func(i int) bool { return trials[i].Failed() }
	ran, failed := 0, 0
	var run []int
	for k, i := range order {
		if fails(i) {
			run = append(run, i)
			continue
		}
		rate := float64(failed+1) / float64(ran+failed+2) // Laplace's rule of succession
		next := order[k:min(k+minRan, len(order))]
		if math.Pow(rate, float64(len(run))) < outageOdds && (ran >= minRan || len(next) == minRan && !slices.ContainsFunc(next, fails)) {
			for _, i := range run {
				out[i] = true
			}
		}
		failed += len(run)
		ran++
		run = run[:0]
	}
	return out
}
