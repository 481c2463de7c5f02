package sampler

import (
	"context"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

// ErrNotRun is what [Tell] takes, or an objective returns, of a trial that was not run, or with
// other values than were suggested: the sampler learns nothing of it, and its configuration may
// come again.
var ErrNotRun = errors.New("fm: the trial was not run")

// Ask returns a trial for a program that does not use [Optimize], such as one whose trials are
// experiments by hand: the first that was enqueued, or a new one. Ask it for its parameters, as
// an objective does, evaluate them, and end the trial by [Tell]. The error is that of the
// storage, or of the study's relative sampler, by which the trial has failed.
//
// Until then the trial counts as running: those that are asked for meanwhile are different, as
// in a batch. Where trials take hours or days give [SamplerOptionRunningTimeout].
func Ask(study *goptuna.Study) (goptuna.Trial, error) {
	if study == nil {
		return goptuna.Trial{}, history.ErrNoStudy
	}
	id, _, err := newRun(study).next()
	if err != nil {
		return goptuna.Trial{}, err
	}
	trial := goptuna.Trial{Study: study, ID: id}
	if err := guard(trial.CallRelativeSampler); err != nil { // it panics where a space has choices and was not declared
		return goptuna.Trial{}, errors.Join(fmt.Errorf("fm: starting trial %d: %w", id, err), Tell(trial, 0, err))
	}
	return trial, nil
}

// Tell ends a trial with what an objective would return: a value, an error, or what
// [Constrained] returns. A trial of another process is goptuna.Trial{Study: study, ID: id}. One
// that was not run, or with other values, is ended with [ErrNotRun]; what was run instead can be
// added by [AddTrial]. An error that wraps context.Canceled says the same.
//
// The error is that of the storage, or of a trial that has ended before: its value stands.
func Tell(trial goptuna.Trial, value float64, failure error) error {
	if trial.Study == nil {
		return history.ErrNoStudy
	}
	storage := trial.Study.Storage
	before, err := storage.GetTrial(trial.ID)
	switch {
	case err != nil:
		return fmt.Errorf("fm: reading trial %d: %w", trial.ID, err)
	case before.State.IsFinished():
		return fmt.Errorf("fm: trial %d has ended: it cannot be told another value; CopyTrials makes a study without it, by CopyOptionWithout", before.Number)
	}
	o := outcomeOf(trial, value, failure, errors.Is(failure, context.Canceled))
	if err := newRun(trial.Study).end(trial.ID, o); err != nil {
		return err
	}
	after, err := storage.GetTrial(trial.ID)
	if err != nil {
		return fmt.Errorf("fm: reading trial %d: %w", trial.ID, err)
	}
	warnUnused(trial.Study, after)
	return nil
}
