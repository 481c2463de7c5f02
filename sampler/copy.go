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
// way round. One that failed by such a limit before its value was measured is left out, so that
// it may be tried again. Trials that failed for other reasons, and pruned ones, stay what they
// are. The limits may be nil. The errors are those of limits, which name the constraint, and of
// the storage.
func CopyTrials(to, from *goptuna.Study, limits map[string]float64) error {
	if to == nil || from == nil {
		return history.ErrNoStudy
	}
	if to == from {
		return errors.New("fm: a study cannot have its own trials again: create another one for them")
	}
	trials, _, err := history.Trials(from)
	if err != nil {
		return err
	}
	if err := checkLimits(limits, trials); err != nil {
		return err
	}
	judged := history.Judge(trials, func(name string, q history.Quantity) history.Quantity {
		if limit, ok := limits[name]; ok {
			return q.WithLimit(limit)
		}
		return q
	})
	for _, trial := range judged {
		if !trial.State.IsFinished() || trial.SystemAttrs[history.InterruptedAttr] != "" {
			continue
		}
		if _, err := to.Storage.CloneTrial(to.ID, copyOf(trial)); err != nil {
			return fmt.Errorf("fm: copying trial %d: %w", trial.Number, err)
		}
	}
	return nil
}

// checkLimits returns an error where a limit is none, or none of what the trials measured.
func checkLimits(limits map[string]float64, trials []goptuna.FrozenTrial) error {
	known := map[string]bool{}
	for _, trial := range trials {
		if !trial.State.IsFinished() { // its maps may change while they are read
			continue
		}
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

// copyOf returns what a study takes of a finished trial of another one.
func copyOf(trial goptuna.FrozenTrial) goptuna.FrozenTrial {
	copied := goptuna.FrozenTrial{
		State: trial.State, DatetimeStart: trial.DatetimeStart, DatetimeComplete: trial.DatetimeComplete,
		Params: maps.Clone(trial.Params), InternalParams: maps.Clone(trial.InternalParams), Distributions: maps.Clone(trial.Distributions),
		IntermediateValues: maps.Clone(trial.IntermediateValues), UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
	}
	switch { // some databases refuse values that are no numbers
	case isFinite(trial.Value):
		copied.Value = trial.Value
	case trial.State == goptuna.TrialStateComplete:
		copied.State = goptuna.TrialStateFail
	}
	maps.DeleteFunc(copied.IntermediateValues, func(_ int, value float64) bool { return !isFinite(value) })
	maps.Copy(copied.UserAttrs, trial.UserAttrs)
	for _, name := range []string{history.ErrorAttr, history.LimitsAttr} {
		if text, ok := copied.UserAttrs[name]; ok {
			copied.UserAttrs[name] = storable(text)
		}
	}
	if text, ok := trial.SystemAttrs[history.MeasuredAttr]; ok {
		copied.SystemAttrs[history.MeasuredAttr] = text
	}
	return copied
}
