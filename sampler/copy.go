package sampler

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// CopyTrials adds the finished trials of a study to another one, which learns from them as
// from its own, and judges them by other limits: what their objective gave to [Constrained]
// is compared with the limits by name, and where there is none by that name, with the one it
// had.
//
//	err := fm.CopyTrials(next, study, map[string]float64{"p99_ms": 25}) // 20 was too little
//
// A trial that failed by a limit which it is within now is complete in the copy, and the other
// way round. One that measured no value, since a limit ruled it out that would not do so any
// more, is left out: it may be tried again. Trials that other reasons failed, and pruned ones,
// stay what they are, and the limits may be nil. The errors are those of limits, which name the
// constraint, and of the storage.
func CopyTrials(to, from *goptuna.Study, limits map[string]float64) error {
	if to == nil || from == nil {
		return history.ErrNoStudy
	}
	if to == from {
		return errors.New("fm: a study cannot have its own trials again: create another one for them")
	}
	trials, err := history.Trials(from)
	if err != nil {
		return err
	}
	if err := checkLimits(limits, trials); err != nil {
		return err
	}
	for _, trial := range trials {
		if !trial.State.IsFinished() || trial.SystemAttrs[history.InterruptedAttr] != "" {
			continue
		}
		copied, ok, err := judgedBy(limits, trial)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if _, err := to.Storage.CloneTrial(to.ID, copied); err != nil {
			return fmt.Errorf("fm: copying trial %d: %w", trial.Number, err)
		}
	}
	return nil
}

// checkLimits returns an error where a limit is none, or none of what the trials measured.
func checkLimits(limits map[string]float64, trials []goptuna.FrozenTrial) error {
	known := map[string]bool{}
	for _, trial := range trials {
		for name := range history.MeasurementOf(trial.SystemAttrs).Quantities {
			known[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		switch {
		case math.IsNaN(limits[name]):
			return fmt.Errorf("fm: the limit of constraint %q is NaN: give a number", name)
		case !known[name]:
			return fmt.Errorf("fm: no trial has measured %q: what was measured is %q", name, slices.Sorted(maps.Keys(known)))
		}
	}
	return nil
}

// judgedBy returns a copy of a trial with other limits; ok is false where nobody knows what
// its value is within them.
func judgedBy(limits map[string]float64, trial goptuna.FrozenTrial) (copied goptuna.FrozenTrial, ok bool, err error) {
	copied = goptuna.FrozenTrial{
		State: trial.State, DatetimeStart: trial.DatetimeStart, DatetimeComplete: trial.DatetimeComplete,
		Params: maps.Clone(trial.Params), InternalParams: maps.Clone(trial.InternalParams), Distributions: maps.Clone(trial.Distributions),
		IntermediateValues: maps.Clone(trial.IntermediateValues), UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
	}
	if isFinite(trial.Value) {
		copied.Value = trial.Value
	}
	maps.Copy(copied.UserAttrs, trial.UserAttrs)
	maps.DeleteFunc(copied.IntermediateValues, func(_ int, value float64) bool { return !isFinite(value) })
	m := history.MeasurementOf(trial.SystemAttrs)
	wasInfeasible := len(m.Violations().Exceeded()) > 0
	var constraints []Constraint
	for _, name := range slices.Sorted(maps.Keys(m.Quantities)) {
		q := m.Quantities[name]
		if limit, ok := limits[name]; ok {
			q.Limit = limit
		}
		constraints = append(constraints, Constraint{name, q})
	}
	value := math.NaN()
	if m.Value != nil {
		value = *m.Value
	}
	measured, infeasible, err := judge(value, constraints)
	if err != nil {
		return copied, false, err
	}
	if m.Quantities != nil {
		err = attach(&copied, measured, constraints)
	}
	switch {
	case err != nil:
		return copied, false, err
	case trial.State == goptuna.TrialStatePruned:
	case infeasible != nil:
		end(&copied, value, infeasible)
	case trial.State == goptuna.TrialStateComplete:
		end(&copied, trial.Value, nil)
	case wasInfeasible && m.Value == nil:
		return copied, false, nil
	case wasInfeasible:
		delete(copied.UserAttrs, errorAttr)
		end(&copied, value, nil)
	}
	return copied, true, nil
}
