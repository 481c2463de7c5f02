package sampler

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

// AddTrial adds a finished trial that was evaluated elsewhere: by hand, in another
// study, or before the study began. The sampler learns from it as from its own.
//
// params are the values as an objective gets them: float64 or int for numbers, the
// text of a choice. distributions are those that the objective asks for, such as
// goptuna.LogUniformDistribution{Low: 1e-4, High: 1}; they may have more parameters
// than the trial, as where these depend on others. A value that is NaN or infinite
// makes it a failed trial, which is not suggested again.
//
// A trial of another study is added by its Value, Params and Distributions. The
// errors are those of params and distributions, which name the parameter, and of
// the storage.
func AddTrial(study *goptuna.Study, value float64, params, distributions map[string]any) error {
	now := time.Now()
	trial := goptuna.FrozenTrial{
		State: goptuna.TrialStateComplete, Value: value,
		DatetimeStart: now, DatetimeComplete: now,
		Params: map[string]any{}, InternalParams: map[string]float64{}, Distributions: map[string]any{},
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		d, known := distributions[name]
		if !known {
			return fmt.Errorf("fm: parameter %q has a value and no distribution: give the one that the objective asks for", name)
		}
		param, err := space.NewParam(name, d, nil)
		if err != nil {
			return err
		}
		internal := history.Internal(d, params[name])
		if !param.Contains(internal) {
			return fmt.Errorf("fm: parameter %q of a trial to add is %v (%T), which is not in %+v: give the distribution that the value comes from", name, params[name], params[name], d)
		}
		external, err := goptuna.ToExternalRepresentation(d, internal)
		if err != nil {
			return fmt.Errorf("fm: parameter %q: %w", name, err)
		}
		trial.Params[name], trial.InternalParams[name], trial.Distributions[name] = external, internal, d
	}
	if !isFinite(value) {
		trial.State, trial.Value = goptuna.TrialStateFail, 0
		trial.UserAttrs = map[string]string{errorAttr: fmt.Sprintf("the trial was added with the value %v", value)}
	}
	if _, err := study.Storage.CloneTrial(study.ID, trial); err != nil {
		return fmt.Errorf("fm: adding a trial: %w", err)
	}
	return nil
}
