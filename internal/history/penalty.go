package history

import (
	"math"
	"slices"
)

const (
	// Penalties lie above a gap: equalGap times as wide as the range of all smaller
	// values, of which there are at least minOrdinary, where all above it are equal, and
	// otherwise unequalGap times. A search that has come to an optimum leaves gaps, too,
	// and below that all its start-up.
	equalGap    = 10
	unequalGap  = 1000
	minOrdinary = 5
	// Unequal ones spread over at most maxSpread times the gap: where values range over
	// many orders of magnitude, most are further up.
	maxSpread = 10
)

// LeastPenalty returns the least of the values, to be minimised, that stand for
// something else than what a program measures, as 1e9 for what does not work; +Inf where
// none does. Beside such values all others are alike, and where they come by chance, they
// are no noise that a Gaussian process knows.
func LeastPenalty(ys []float64) float64 {
	sorted := slices.Sorted(slices.Values(ys))
	least, top := math.Inf(1), len(sorted)-1
	for k := top; k >= minOrdinary; k-- {
		// Half of each, so that none overflows.
		gap, below, above := sorted[k]/2-sorted[k-1]/2, sorted[k-1]/2-sorted[0]/2, sorted[top]/2-sorted[k]/2
		wide := unequalGap * below
		if above == 0 && k < top {
			wide = equalGap * below
		}
		if below > 0 && gap > wide && above <= maxSpread*gap {
			least, top = sorted[k], k-1
		}
	}
	return least
}

// excludePenalties makes trials with a penalty trials without a value. What lies above
// infeasible trials alone is none: it may be what a feasible one costs.
func (h *History) excludePenalties() {
	var ys []float64
	best := math.Inf(1) // of the feasible ones
	for _, t := range h.Finished {
		if !t.NoValue {
			ys = append(ys, t.Y)
			if !t.Violates() {
				best = min(best, t.Y)
			}
		}
	}
	least := LeastPenalty(ys)
	for i := range h.Finished {
		if t := &h.Finished[i]; !t.NoValue && t.Y >= least && best < least {
			t.NoValue, t.Penalty = true, true
		}
	}
}
