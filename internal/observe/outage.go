package observe

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// A run of failures that is less probable than outageProbability, at the rate at
	// which trials failed before it, is an outage. Fewer than minRan trials that ran
	// before it say little of that rate: then the next minRan after it have to run.
	outageProbability = 1e-6
	minRan            = 5
)

// outages returns which of the trials, in the order of their numbers, failed in an
// outage: one after the other, so many that it was not for their configurations, until
// one ran again. Where they share a value of a parameter with which no trial ran, it was
// for that value. Trials of an outage tell nothing of where others fail. A run counts as failures for
// those after it all the same: where a search has come to a part of the space that fails,
// the next run is no outage. (In the order in which they ended, quick failures beside
// long trials would look like one.)
func outages(trials []history.Trial) []bool {
	out := make([]bool, len(trials))
	ran, failed, run := 0, 0, 0
	for i, t := range trials {
		if t.Failed() {
			run++
			continue
		}
		rate := float64(failed+1) / float64(ran+failed+2) // Laplace's rule of succession
		next := trials[i:min(i+minRan, len(trials))]
		unlikely := math.Pow(rate, float64(run)) < outageProbability
		if unlikely && (ran >= minRan || len(next) == minRan && !slices.ContainsFunc(next, history.Trial.Failed)) && !shareFailing(trials[i-run:i], trials) {
			for k := i - run; k < i; k++ {
				out[k] = true
			}
		}
		failed += run
		ran++
		run = 0
	}
	return out
}

// shareFailing reports whether the trials of a run of failures share a value of a parameter
// on a graph with which none of all trials ran. In a long range a search that has come to an
// optimum asks for a value again and again that no other trial had.
func shareFailing(run, all []history.Trial) bool {
	for name, value := range run[0].InternalParams {
		if !space.OnGraph(run[0].Distributions[name]) {
			continue
		}
		having := func(t history.Trial) bool {
			other, ok := t.InternalParams[name]
			return ok && other == value
		}
		ranWith := func(t history.Trial) bool { return !t.Failed() && having(t) }
		if !slices.ContainsFunc(run, func(t history.Trial) bool { return !having(t) }) && !slices.ContainsFunc(all, ranWith) {
			return true
		}
	}
	return false
}
