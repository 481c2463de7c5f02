package sampler

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// AddTrial adds a finished trial that was evaluated elsewhere: by hand, in another
// study, or before the study began. The sampler learns from it as from its own.
//
// params are the values as an objective gets them: numbers, of any type, and the text of
// a choice. distributions are those that the objective asks for, such as
// goptuna.LogUniformDistribution{Low: 1e-4, High: 1}; they may have more parameters
// than the trial, as where these depend on others. A value that is NaN or infinite
// makes it a failed trial, which is not suggested again. constraints are what was measured
// beside the value, as [Constrained] takes them; the trial fails where one is violated.
//
// A trial of another study is added by its Value, Params and Distributions, and all of them
// by [CopyTrials]. The errors are those of params and distributions, which name the parameter, and of
// the storage.
func AddTrial(study *goptuna.Study, value float64, params, distributions map[string]any, constraints ...Constraint) error {
	if study == nil {
		return history.ErrNoStudy
	}
	values, err := internalValues(params, distributions)
	if err != nil {
		return err
	}
	now := time.Now()
	trial := goptuna.FrozenTrial{
		State: goptuna.TrialStateComplete, Value: value,
		DatetimeStart: now, DatetimeComplete: now,
		Params: map[string]any{}, InternalParams: values, Distributions: map[string]any{},
		UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
	}
	for name, internal := range values {
		trial.Distributions[name] = distributions[name]
		if trial.Params[name], err = goptuna.ToExternalRepresentation(distributions[name], internal); err != nil {
			return fmt.Errorf("fm: parameter %q: %w", name, err)
		}
	}
	measured, infeasible, err := measure(value, constraints)
	if err != nil {
		return err
	}
	if len(constraints) > 0 {
		key, text, err := measured.Attribute()
		if err != nil {
			return err
		}
		trial.SystemAttrs[key], trial.UserAttrs[history.LimitsAttr] = text, describe(constraints)
	}
	switch {
	case infeasible != nil:
		trial.State, trial.Value = goptuna.TrialStateFail, 0
		trial.UserAttrs[history.ErrorAttr] = storable(infeasible.Error())
	case !isFinite(value):
		trial.State, trial.Value = goptuna.TrialStateFail, 0
		trial.UserAttrs[history.ErrorAttr] = fmt.Sprintf("the trial was added with the value %v", value)
	}
	if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
		return fmt.Errorf("fm: adding a trial: %w", err)
	}
	return nil
}

// EnqueueTrial adds a trial that is to run next, with params as AddTrial takes
// them. The sampler chooses those that are not given. Goptuna's own EnqueueTrial
// takes the index of a choice, and says nothing of a value that it will not use. The
// errors are those of AddTrial; of values that the objective did not ask for, and of choices that
// it has in another order, [Optimize] warns.
func EnqueueTrial(study *goptuna.Study, params, distributions map[string]any) error {
	if study == nil {
		return history.ErrNoStudy
	}
	values, err := internalValues(params, distributions)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !utf8.ValidString(name) {
			return fmt.Errorf("fm: parameter %q cannot be enqueued: its name is not UTF-8, and Goptuna would not find it; use another one", name)
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("fm: encoding the values of a trial: %w", err)
	}
	trial := goptuna.FrozenTrial{
		State: goptuna.TrialStateWaiting, DatetimeStart: time.Now(),
		Params: map[string]any{}, InternalParams: map[string]float64{}, Distributions: map[string]any{}, IntermediateValues: map[int]float64{},
		UserAttrs: map[string]string{}, SystemAttrs: map[string]string{observe.FixedAttr: string(text)},
	}
	choices := map[string]string{}
	for name := range values {
		if choice, ok := params[name].(string); ok {
			choices[name] = choice
		}
	}
	if text, err := json.Marshal(choices); err == nil && len(choices) > 0 && len(history.ASCII(text)) <= history.MaxText {
		trial.SystemAttrs[choicesAttr] = history.ASCII(text)
	}
	if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
		return fmt.Errorf("fm: enqueuing a trial: %w%s", err, enqueueHint(values))
	}
	return nil
}

// choicesAttr is the system attribute of an enqueued trial that has the text of its choices:
// Goptuna keeps their index, which in the objective may be that of another one.
const choicesAttr = "fm:choices"

// enqueueHint says what to do about values that the storage has refused, if they show it.
func enqueueHint(values map[string]float64) string {
	text, err := json.Marshal(values) // as Goptuna stores them
	if n := utf8.RuneCount(text); err == nil && n > history.MaxText {
		return fmt.Sprintf("; the values have %d characters as JSON and may have %d: give fewer of them, or shorter names", n, history.MaxText)
	}
	return ""
}

// internalValues returns the internal representation of values, each of which must
// be in its distribution.
func internalValues(params, distributions map[string]any) (map[string]float64, error) {
	values := make(map[string]float64, len(params))
	for _, name := range slices.Sorted(maps.Keys(params)) {
		d, known := distributions[name]
		if !known {
			return nil, fmt.Errorf("fm: parameter %q has a value and no distribution: give the one that the objective asks for", name)
		}
		param, err := space.NewParam(name, d, nil)
		if err != nil {
			return nil, err
		}
		if values[name], err = param.Read(params[name]); err != nil {
			return nil, fmt.Errorf("%w, or the distribution that it comes from", err)
		}
	}
	return values, nil
}
