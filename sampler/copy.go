package sampler

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// CopyTrials adds the finished trials of a study to another one, which learns from them as
// from its own. What they were is not changed, but for what the options say:
//
//	err := fm.CopyTrials(next, study, fm.CopyOptionLimits(map[string]float64{"p99_ms": 25})) // 20 was too little
//	err := fm.CopyTrials(next, study, fm.CopyOptionChoice("machine", "old"))                 // next runs on a new one
//	err := fm.CopyTrials(next, study, fm.CopyOptionWithout(20))                              // its value was wrong
//
// Their numbers may be others. Trials that run are left out, and those that were copied before,
// which stay as the options were then: a program that is started again copies what is new. Of
// trials that two programs copy at once the sampler takes the first alone. The
// errors are those of the options, which name the constraint, the parameter or the trial, of
// studies with different directions, and of the storage; where an option has one, nothing is
// copied.
func CopyTrials(to, from *goptuna.Study, opts ...CopyOption) error {
	if to == nil || from == nil {
		return history.ErrNoStudy
	}
	there, err := history.Direction(to)
	if err != nil {
		return err
	}
	here, err := history.Direction(from)
	if err != nil {
		return err
	}
	if there != here {
		return fmt.Errorf("fm: one study is to %s and the other to %s: their values do not compare", there, here)
	}
	trials, _, err := history.Trials(from)
	if err != nil {
		return err
	}
	source, err := from.Storage.GetStudyNameFromID(from.ID)
	if err != nil {
		return fmt.Errorf("fm: reading the name of a study: %w", err)
	}
	copied, err := copiedBefore(to, source, trials)
	if err != nil {
		return err
	}
	c := copying{choices: map[string]goptuna.CategoricalDistribution{}}
	for i, opt := range opts {
		if opt == nil {
			panic(nilOption("CopyTrials", i))
		}
		opt(&c)
	}
	if err := errors.Join(checkLimits(c.limits, trials), checkChoices(c.choices, trials), checkWithout(c.without, trials)); err != nil {
		return err
	}
	judged := history.Judge(trials, func(name string, q history.Quantity) history.Quantity {
		if limit, ok := c.limits[name]; ok {
			return q.WithLimit(limit)
		}
		return q
	})
	for _, trial := range judged {
		origin := originOf(source, trial)
		if !trial.State.IsFinished() || trial.SystemAttrs[history.InterruptedAttr] != "" || copied[origin] || slices.Contains(c.without, trial.Number) {
			continue
		}
		next := copyOf(trial)
		next.SystemAttrs[history.CopiedAttr] = origin
		for name, choice := range c.choices {
			next.Params[name], next.InternalParams[name], next.Distributions[name] = choice.Choices[0], 0, choice
		}
		if _, err := to.Storage.CloneTrial(to.ID, next); err != nil {
			return fmt.Errorf("fm: copying trial %d: %w", trial.Number, err)
		}
	}
	return nil
}

// originOf returns what tells a trial of a study of that name from all others.
func originOf(study string, trial goptuna.FrozenTrial) string {
	origin := fmt.Sprintf("%d %d %+q", trial.Number, trial.DatetimeComplete.UnixNano(), study)
	return origin[:min(len(origin), history.SafeText)]
}

// copiedBefore returns the origins of the trials that a study has from elsewhere. That it is the
// study of that name, from which these trials are, is an error.
func copiedBefore(to *goptuna.Study, from string, trials []goptuna.FrozenTrial) (origins map[string]bool, err error) {
	present, _, err := history.Trials(to)
	if err != nil {
		return nil, err
	}
	name, err := to.Storage.GetStudyNameFromID(to.ID)
	if err != nil {
		return nil, fmt.Errorf("fm: reading the name of a study: %w", err)
	}
	origins, own := map[string]bool{}, map[string]bool{}
	for _, trial := range present {
		if !trial.State.IsFinished() {
			continue
		}
		if origin := trial.SystemAttrs[history.CopiedAttr]; origin != "" {
			origins[origin] = true
		} else if name == from {
			own[originOf(name, trial)] = true
		}
	}
	for _, trial := range trials {
		if trial.State.IsFinished() && own[originOf(from, trial)] {
			return nil, errors.New("fm: a study cannot have its own trials again: create another one for them")
		}
	}
	return origins, nil
}

// CopyOption is an option of CopyTrials.
type CopyOption func(*copying)

// copying is what the options of CopyTrials say.
type copying struct {
	limits  map[string]float64
	choices map[string]goptuna.CategoricalDistribution // of one value each
	without []int
}

// CopyOptionLimits has the trials judged by other limits: what their objective gave to
// [Constrained] is compared with the limits by name, and where there is none by that name, with
// the one it had. A trial that failed by a limit which it is within now is complete in the copy,
// and the other way round. One that failed by such a limit before its value was measured is left
// out, so that it may be tried again. Trials that failed for other reasons, and pruned ones, stay
// what they are.
func CopyOptionLimits(limits map[string]float64) CopyOption {
	return func(c *copying) { c.limits = limits }
}

// CopyOptionChoice gives each trial one more parameter, a choice of that single value: what the
// trials were made with, such as a data set or a machine. Where the objective of the other study
// asks for a choice of that name with another single value, the sampler learns from the copied
// trials as far as the two are alike.
func CopyOptionChoice(name, value string) CopyOption {
	return func(c *copying) { c.choices[name] = goptuna.CategoricalDistribution{Choices: []string{value}} }
}

// CopyOptionWithout leaves out the trials with these numbers, such as one whose value was wrong.
// What it should have been can be added by [AddTrial]. A number that no finished trial has is
// an error of [CopyTrials].
func CopyOptionWithout(numbers ...int) CopyOption {
	return func(c *copying) { c.without = append(c.without, numbers...) }
}

// checkWithout returns an error where no finished trial has one of the numbers.
func checkWithout(numbers []int, trials []goptuna.FrozenTrial) error {
	for _, number := range numbers {
		if !slices.ContainsFunc(trials, func(trial goptuna.FrozenTrial) bool { return trial.Number == number && trial.State.IsFinished() }) {
			return fmt.Errorf("fm: trial %d cannot be left out: no trial with that number has ended", number)
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

// checkChoices returns an error where a choice is none, or a trial has a parameter of its name.
func checkChoices(choices map[string]goptuna.CategoricalDistribution, trials []goptuna.FrozenTrial) error {
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		if name == "" {
			return errors.New("fm: the choice for copied trials has no name: give it one")
		}
		if _, err := space.NewParam(name, choices[name], nil); err != nil {
			return err
		}
		for _, trial := range trials {
			if trial.State.IsFinished() && trial.Distributions[name] != nil {
				return fmt.Errorf("fm: trial %d has a parameter %q: leave the option out, or give another name", trial.Number, name)
			}
		}
	}
	return nil
}

// copyOf returns what a study takes of a finished trial of another one.
func copyOf(trial goptuna.FrozenTrial) goptuna.FrozenTrial {
	trial = history.WithBoth(trial) // a database takes the internal representation alone
	copied := goptuna.FrozenTrial{
		State: trial.State, DatetimeStart: trial.DatetimeStart, DatetimeComplete: trial.DatetimeComplete,
		Params: map[string]any{}, InternalParams: map[string]float64{}, Distributions: map[string]any{},
		IntermediateValues: maps.Clone(trial.IntermediateValues), UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
	}
	maps.Copy(copied.Params, trial.Params)
	maps.Copy(copied.InternalParams, trial.InternalParams)
	maps.Copy(copied.Distributions, trial.Distributions)
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
	if trial.SystemAttrs[observe.FixedAttr] != "" { // its start is when it was enqueued
		copied.SystemAttrs[observe.FixedAttr] = "{}"
	}
	return copied
}
