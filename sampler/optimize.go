package sampler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// Objective evaluates a trial: it asks for its parameters and returns its value.
// The context ends when the study is to stop. Several workers call it at the same time.
type Objective func(ctx context.Context, trial goptuna.Trial) (float64, error)

// Optimize runs so many trials of a study. It takes the place of study.Optimize,
// which ends at the first error, lets a panic end the program, and stores NaN and
// infinities as values. Here a trial ends in one of these ways:
//
//   - The objective returns a finite value: the trial is complete.
//   - It returns goptuna.ErrTrialPruned, or an error that wraps it: the trial is
//     pruned.
//   - It returns another error, NaN or an infinity, it panics, or it ends its
//     goroutine, as t.FailNow does: the trial has failed, and the study goes on. Its
//     user attribute "fm: error" has the reason, "fm: stack" the stack of a panic.
//   - It returns what Constrained does of a violated constraint, or another value after that:
//     the trial has failed, too, and the sampler learns from what was measured.
//   - It returns an error after the context has ended: the trial was interrupted.
//     It is marked as failed, but the sampler takes nothing from it.
//   - Another program has ended the trial meanwhile: that stands, a warning has what
//     the objective gave, and the study goes on.
//
// A context that ends is how a study is stopped and no error: Optimize waits for
// the trials that run, starts no other, and returns nil. ctx.Err() tells. An
// objective that takes long should end with its context. The error is that of a
// storage that does not work, joined over the workers; what runs by then is
// finished first. A nil context, study or objective and a negative number of trials are
// errors, too. Failed trials are none, even if all have failed.
//
// Where the first ten trials of the call all fail for the same reason, a warning says so.
//
// Enqueued trials come first, as in Goptuna. A warning names the values that a complete one
// did not use: of a misspelt parameter, or outside of its range. Goptuna's own
// StudyOptionIgnoreError, StudyOptionTrialNotifyChannel and Study.WithContext mean nothing
// here: OptimizeOptionFinished takes the place of the second. A panic in a goroutine that
// the objective has started cannot be caught. Optimize is safe for concurrent use on one
// study, as far as sampler and storage are; those of this module are.
func Optimize(ctx context.Context, study *goptuna.Study, objective Objective, trials int, opts ...OptimizeOption) error {
	switch {
	case study == nil:
		return history.ErrNoStudy
	case ctx == nil:
		return errors.New("fm: the context is nil: give context.Background()")
	case objective == nil:
		return errors.New("fm: the objective is nil: give a function")
	case trials < 0:
		return fmt.Errorf("fm: cannot run %d trials: give a number of at least 0", trials)
	}
	r := newRun(study)
	r.objective, r.workers = objective, 1
	for i, opt := range opts {
		if opt == nil {
			panic(nilOption("Optimize", i))
		}
		opt(r)
	}
	var (
		started atomic.Int64
		broken  atomic.Bool
		group   sync.WaitGroup
		errs    = make([]error, r.workers)
	)
	said := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(said)
		study.GetLogger().Info("fm: the study is to stop", "the trials that run are waited for; an objective that looks at its context ends at once")
	})
	for i := range errs {
		group.Go(func() {
			for ctx.Err() == nil && !broken.Load() && started.Add(1) <= int64(trials) {
				if errs[i] = r.trial(ctx); errs[i] != nil {
					broken.Store(true)
				}
			}
		})
	}
	group.Wait()
	if !stop() {
		<-said
	}
	return errors.Join(errs...)
}

// OptimizeOption is an option of Optimize.
type OptimizeOption func(*run)

// OptimizeOptionWorkers sets how many trials run at the same time, each in a
// goroutine of its own. The default is 1. It panics when n is below 1.
func OptimizeOptionWorkers(n int) OptimizeOption {
	if n < 1 {
		panic(fmt.Sprintf("fm: number of workers is %d; need at least 1 (omit the option for 1)", n))
	}
	return func(r *run) { r.workers = n }
}

// OptimizeOptionFinished adds a function that is called with each trial after it
// has ended, one at a time: its worker goes on when it returns. Several are called in the
// order of the options. A panic in f is not caught. The option panics when f is nil.
func OptimizeOptionFinished(f func(goptuna.FrozenTrial)) OptimizeOption {
	if f == nil {
		panic("fm: the function for finished trials is nil (omit the option for none)")
	}
	return func(r *run) { r.finished = append(r.finished, f) }
}

// run is one call of Optimize.
type run struct {
	study     *goptuna.Study
	objective Objective
	workers   int
	finished  []func(goptuna.FrozenTrial)

	starting  *sync.Mutex // held by next
	reporting sync.Mutex  // held while finished is called

	counting sync.Mutex // of the following
	ended    int
	kind     string // of the failures; empty once a trial has not failed, or otherwise
}

func newRun(study *goptuna.Study) *run {
	r := &run{study: study, starting: &sync.Mutex{}}
	if !history.Shared(study) {
		r.starting = &startingInMemory
	}
	return r
}

// startingInMemory is held by next for storage in memory, by all calls of Optimize:
// it would let two of them start the same trial.
var startingInMemory sync.Mutex

// trial runs one trial. The error is the storage's.
func (r *run) trial(ctx context.Context) error {
	id, enqueued, err := r.next()
	if err != nil {
		return err
	}
	o := evaluate(ctx, r.objective, goptuna.Trial{Study: r.study, ID: id})
	if err := r.end(id, o); err != nil {
		return err
	}
	if len(r.finished) == 0 && !enqueued {
		return nil
	}
	trial, err := r.study.Storage.GetTrial(id)
	if err != nil {
		return fmt.Errorf("fm: reading trial %d: %w", id, err)
	}
	warnUnused(r.study, trial)
	r.reporting.Lock()
	defer r.reporting.Unlock()
	for _, f := range r.finished {
		f(trial)
	}
	return nil
}

// warnUnused warns of the values that a trial was enqueued with and does not have.
func warnUnused(study *goptuna.Study, trial goptuna.FrozenTrial) {
	if unused := unusedValues(trial); len(unused) > 0 {
		study.GetLogger().Warn("fm: values that a trial was enqueued with were not used", fmt.Sprintf("trialID=%d", trial.ID), strings.Join(unused, "; "))
	}
}

// unusedValues says which of the values that a complete trial was enqueued with it does
// not have: Goptuna passes them over without a word.
func unusedValues(trial goptuna.FrozenTrial) (unused []string) {
	if trial.State != goptuna.TrialStateComplete {
		return nil // it may have ended before it asked for all
	}
	values, _ := observe.Enqueued(trial.SystemAttrs)
	var choices map[string]string
	if json.Unmarshal([]byte(trial.SystemAttrs[choicesAttr]), &choices) != nil {
		choices = nil // enqueued by Goptuna, or without a choice
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if got, ok := trial.InternalParams[name]; !ok {
			unused = append(unused, fmt.Sprintf("the objective does not ask for %q", name))
		} else if got != values[name] {
			unused = append(unused, fmt.Sprintf("that of %q is not in the distribution that the objective asks for", name))
		} else if choice, ok := choices[name]; ok && string([]rune(fmt.Sprint(trial.Params[name]))) != choice { // as JSON has it
			unused = append(unused, fmt.Sprintf("%q was to be %q and is %v: the objective has its choices in another order", name, choice, trial.Params[name]))
		}
	}
	return unused
}

// next returns the first trial that waits, which was enqueued, or a new one. It is
// running. One worker looks at a time.
func (r *run) next() (id int, enqueued bool, err error) {
	r.starting.Lock()
	defer r.starting.Unlock()
	storage := r.study.Storage
	trials, err := r.study.GetTrials()
	if err != nil && !errors.Is(err, goptuna.ErrTrialsPartiallyDeleted) {
		return 0, false, fmt.Errorf("fm: reading the trials of the study: %w", err)
	}
	for _, t := range trials {
		if t.State != goptuna.TrialStateWaiting {
			continue
		}
		err := storage.SetTrialState(t.ID, goptuna.TrialStateRunning)
		if err == nil {
			return t.ID, true, nil
		}
		if !errors.Is(err, goptuna.ErrTrialCannotBeUpdated) { // another worker has it
			return 0, false, fmt.Errorf("fm: starting enqueued trial %d: %w", t.ID, err)
		}
	}
	if id, err = storage.CreateNewTrial(r.study.ID); err != nil {
		return 0, false, fmt.Errorf("fm: creating a trial of the study with id %d: %w", r.study.ID, err)
	}
	return id, false, nil
}

// end stores how a trial has ended. Another program may have ended it meanwhile, such as
// one that takes its worker for dead: then that stands, and the study goes on.
func (r *run) end(id int, o outcome) error {
	storage := r.study.Storage
	log, fields := r.study.GetLogger(), []any{fmt.Sprintf("trialID=%d", id), fmt.Sprintf("state=%s", o.state)}
	if o.state == goptuna.TrialStatePruned {
		o.value = lastValue(storage, id)
	}
	if o.state == goptuna.TrialStateFail {
		fields = append(fields, fmt.Sprintf("err=%s", o.reason))
		// That a database does not take the reason is no reason to leave the trial running; and
		// of a trial that has ended it would take it, too.
		if trial, err := storage.GetTrial(id); err != nil || !trial.State.IsFinished() {
			if err := o.explain(storage, id); err != nil && !errors.Is(err, goptuna.ErrTrialCannotBeUpdated) {
				log.Warn("fm: cannot store why a trial failed", fmt.Sprintf("trialID=%d", id), fmt.Sprintf("err=%s", err))
			}
		}
	} else if isFinite(o.value) {
		fields = append(fields, fmt.Sprintf("evaluation=%.8g", o.value))
	}
	err := o.store(storage, id)
	switch {
	case errors.Is(err, goptuna.ErrTrialCannotBeUpdated):
		log.Warn("fm: another program has ended a trial; what its objective gave is not stored", fields...)
	case err != nil:
		return err
	case o.infeasible:
		log.Info("Trial infeasible", fields...)
	case o.state == goptuna.TrialStateFail:
		log.Error("Trial failed", fields...)
	default:
		log.Info("Trial finished", fields...)
	}
	r.count(o)
	return nil
}

// sameFailures is the number of trials after which a warning says that all have failed for the
// same reason.
const sameFailures = 10

// count logs once that all trials of the call so far have failed for the same reason.
func (r *run) count(o outcome) {
	if o.interrupted {
		return
	}
	r.counting.Lock()
	defer r.counting.Unlock()
	kind := o.failure()
	if r.ended++; r.ended == 1 {
		r.kind = kind
	} else if kind != r.kind {
		r.kind = ""
	}
	if r.ended == sameFailures && r.kind != "" {
		reason, _, _ := strings.Cut(o.reason, "\n")
		r.study.GetLogger().Warn(fmt.Sprintf("fm: all %d trials so far have failed", sameFailures), reason)
	}
}

// lastValue returns the value of a pruned trial, which in Goptuna is its last
// intermediate value, or NaN if there is none.
func lastValue(storage goptuna.Storage, id int) float64 {
	trial, err := storage.GetTrial(id)
	if err != nil {
		return math.NaN()
	}
	if step, ok := trial.GetLatestStep(); ok {
		return trial.IntermediateValues[step]
	}
	return math.NaN()
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
