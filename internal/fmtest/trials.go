package fmtest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
)

// SameTrials reports the first trial in which two studies differ, to the bit.
func SameTrials(t *testing.T, why string, got, want []goptuna.FrozenTrial) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d trials, want %d", why, len(got), len(want))
		return
	}
	sameBits := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	for i, g := range got {
		w := want[i]
		if g.Number != w.Number || g.State != w.State || !sameBits(g.Value, w.Value) ||
			!maps.EqualFunc(g.InternalParams, w.InternalParams, sameBits) {
			t.Errorf("%s: trial %d is\n%v %v %v, want\n%v %v %v", why, i,
				g.State, g.Value, g.InternalParams, w.State, w.Value, w.InternalParams)
			return
		}
	}
}

// Duplicates returns how many trials repeat the values of an earlier one.
func Duplicates(trials []goptuna.FrozenTrial) int {
	seen := map[string]bool{}
	for _, trial := range trials {
		seen[fmt.Sprint(trial.InternalParams)] = true // maps print in the order of their keys
	}
	return len(trials) - len(seen)
}

// Count returns the number of trials in the state.
func Count(trials []goptuna.FrozenTrial, state goptuna.TrialState) int {
	n := 0
	for _, trial := range trials {
		if trial.State == state {
			n++
		}
	}
	return n
}

// LowerQuartile returns the value that a quarter of the trials reach. In a study
// that has found the optimum, others go on to explore.
func LowerQuartile(trials []goptuna.FrozenTrial) float64 {
	values := make([]float64, len(trials))
	for i, trial := range trials {
		values[i] = trial.Value
	}
	slices.Sort(values)
	return values[len(values)/4]
}
