package history

import (
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
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
// infeasible trials alone is none: it may be what a feasible one costs. Nor is what is usual with
// other data, or on another machine: trials made with each are looked at by themselves.
func (h *History) excludePenalties() {
	var valued []*Trial
	for i := range h.Finished {
		if t := &h.Finished[i]; !t.NoValue {
			valued = append(valued, t)
		}
	}
	penalties := penaltiesOf(valued)
	if len(penalties) == 0 {
		return
	}
	if names := h.circumstances(); len(names) > 0 {
		alike := map[string][]*Trial{}
		for _, t := range valued {
			with := madeWith(t, names)
			alike[with] = append(alike[with], t)
		}
		penalties = nil
		for _, trials := range alike {
			penalties = append(penalties, penaltiesOf(trials)...)
		}
	}
	for _, t := range penalties {
		t.NoValue, t.Penalty = true, true
	}
}

// penaltiesOf returns those of the trials that have a penalty.
func penaltiesOf(trials []*Trial) (penalties []*Trial) {
	var ys []float64
	best := math.Inf(1) // of the feasible ones
	for _, t := range trials {
		ys = append(ys, t.Y)
		if !t.Violates() {
			best = min(best, t.Y)
		}
	}
	least := LeastPenalty(ys)
	for _, t := range trials {
		if t.Y >= least && best < least {
			penalties = append(penalties, t)
		}
	}
	return penalties
}

// circumstances returns the names of choices that had a single value in each trial, though not
// always the same: they say what it was made with, such as a data set or a machine.
func (h *History) circumstances() (names []string) {
	known := map[string]string{}
	for _, t := range h.Finished {
		for name, d := range t.Distributions {
			d, ok := d.(goptuna.CategoricalDistribution)
			if !ok || len(d.Choices) != 1 {
				continue
			}
			if value, seen := known[name]; seen && value != d.Choices[0] && !slices.Contains(names, name) {
				names = append(names, name)
			}
			known[name] = d.Choices[0]
		}
	}
	return names
}

// madeWith returns the circumstances of a trial.
func madeWith(t *Trial, names []string) string {
	var with []any
	for _, name := range names {
		with = append(with, t.Params[name])
	}
	return fmt.Sprintf("%q", with)
}
