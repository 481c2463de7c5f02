package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/chart"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// states says how many trials are in which state.
func (s *study) states() string {
	number := map[string]int{}
	for _, t := range s.trials {
		number[stateOf(t)]++
	}
	var texts []string
	for _, state := range []string{"complete", "pruned", "infeasible", "failed", "running", "waiting", "interrupted"} {
		if n := number[state]; n > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(texts, ", ")
}

// stateOf returns the state of a trial in words: a complete one has a value.
func stateOf(t goptuna.FrozenTrial) string {
	switch {
	case interrupted(t):
		return "interrupted"
	case infeasible(t):
		return "infeasible"
	case failed(t):
		return "failed"
	}
	return strings.ToLower(t.State.String())
}

// badStates says which of the states without a value there are that say something about the parameters.
func (s *study) badStates() string {
	beyond := slices.ContainsFunc(s.trials, infeasible)
	switch other := slices.ContainsFunc(s.trials, func(t goptuna.FrozenTrial) bool { return stateOf(t) == "failed" }); {
	case beyond && other:
		return "failed or infeasible"
	case beyond:
		return "infeasible"
	}
	return "failed"
}

// interrupted reports whether a trial was stopped with its study, which says nothing about its parameters.
func interrupted(t goptuna.FrozenTrial) bool { return t.SystemAttrs[history.InterruptedAttr] != "" }

// infeasible reports whether a trial has ended beyond a constraint.
func infeasible(t goptuna.FrozenTrial) bool {
	return t.State.IsFinished() && len(history.MeasurementOf(t.SystemAttrs).Violations().Exceeded()) > 0
}

// failed reports whether a trial has failed by itself, ended with a value that is no number, which is the same to the
// sampler, or is infeasible.
func failed(t goptuna.FrozenTrial) bool {
	return t.State == goptuna.TrialStateFail && !interrupted(t) || t.State == goptuna.TrialStateComplete && !hasValue(t)
}

// hasValue reports whether a trial has a value to show.
func hasValue(t goptuna.FrozenTrial) bool {
	return t.State == goptuna.TrialStateComplete && !infeasible(t) && !math.IsNaN(t.Value) && !math.IsInf(t.Value, 0)
}

// hasMeasured reports whether a trial beyond a limit has measured its value.
func hasMeasured(t goptuna.FrozenTrial) bool {
	return infeasible(t) && history.MeasurementOf(t.SystemAttrs).Value != nil
}

// valueOf returns the value of a trial that has one or has measured it.
func valueOf(t goptuna.FrozenTrial) float64 {
	if hasMeasured(t) {
		return *history.MeasurementOf(t.SystemAttrs).Value
	}
	return t.Value
}

// describe says which trial it is, and what became of it, to one who points at it.
func describe(t goptuna.FrozenTrial) string {
	outcome := stateOf(t)
	switch {
	case hasValue(t):
		outcome = chart.Number(t.Value)
	case hasMeasured(t):
		outcome = chart.Number(valueOf(t)) + ", beyond a limit"
	}
	return fmt.Sprintf("trial %d: %s", t.Number, outcome)
}
