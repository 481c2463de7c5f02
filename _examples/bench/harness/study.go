package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"
)

// What attributes of the user say besides Goptuna's own records.
const (
	attrSeconds  = "suggest_seconds" // of a trial: those that the method took
	attrError    = "error"           // of a trial: why the objective failed
	attrExact    = "exact"           // of a trial: its value without noise
	attrSettings = "settings"        // of a study: those of the problem
)

// maxAttr is a length that an attribute may have in a database.
const maxAttr = 2000

// run makes a run, or what is missing of it, and calls tick after so many trials.
func (p *Plan) run(ctx context.Context, j *job, tick func(trials int)) (err error) {
	instance, err := j.method.Open(ctx, p.setting(j))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, instance.Close()) }()
	j.Version = instance.Version
	if p.Make != nil {
		defer tick(p.Trials)
		return p.Make(ctx, j.Run, instance)
	}
	sampler := &timed{Sampler: instance}
	study, end, err := openStudy(p.Open, j.file, fmt.Sprintf("%s, %s, seed %d", j.problem.Name, j.method.Title, j.Seed), sampler)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	trials, err := resume(study, j)
	if err != nil {
		return err
	}
	if len(trials) == 0 && p.Prepare != nil {
		if err := p.Prepare(study, j.problem, j.Seed); err != nil {
			return err
		}
	}

	if err := j.optimize(ctx, study, sampler, p.Trials-len(finished(trials)), tick); err != nil {
		return err
	}
	if trials, err = study.GetTrials(); err != nil {
		return err
	}
	j.read(trials, j.problem)
	return nil
}

// optimize makes so many trials of a run.
func (j *job) optimize(ctx context.Context, study *goptuna.Study, sampler *timed, trials int, tick func(trials int)) error {
	var fatal error
	objective := j.objective(ctx, sampler, &fatal)
	for range trials {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := study.Optimize(objective, 1); errors.Join(fatal, err) != nil {
			return cmp.Or(fatal, err)
		}
		tick(1)
	}
	return nil
}

// objective returns the objective of a run, which stores the error that ends the run, if any, in
// fatal: to Goptuna every error is that of a trial.
func (j *job) objective(ctx context.Context, sampler *timed, fatal *error) goptuna.FuncObjective {
	return func(trial goptuna.Trial) (float64, error) {
		sampler.spent = 0
		value, err := j.problem.Objective(trial)
		if err == nil && j.problem.Noise > 0 {
			value, err = j.noisy(trial, value)
		}
		if err == nil && (math.IsNaN(value) || math.IsInf(value, 0)) {
			err = fmt.Errorf("%w: the value is %v", ErrFailed, value)
		}
		seconds := strconv.FormatFloat(sampler.spent.Seconds(), 'g', 4, 64)
		switch stopped := context.Cause(ctx); {
		case err != nil && stopped != nil:
			*fatal = stopped // the signal may have ended a worker: the trial did not fail by itself
		case errors.Is(err, ErrFailed):
			text := err.Error()
			*fatal = errors.Join(trial.SetUserAttr(attrSeconds, seconds), trial.SetUserAttr(attrError, text[:min(len(text), maxAttr)]))
		case err != nil:
			*fatal = err
		default:
			*fatal = trial.SetUserAttr(attrSeconds, seconds)
		}
		return value, err
	}
}

// noisy returns the value of a trial with noise, and keeps the one without.
func (j *job) noisy(trial goptuna.Trial, value float64) (float64, error) {
	number, err := trial.Number()
	if err != nil {
		return 0, err
	}
	err = trial.SetUserAttr(attrExact, strconv.FormatFloat(value, 'g', -1, 64))
	return value + j.problem.Noise*Noise(j.Seed, number), err
}

// Opener opens a file of studies, or creates it, as sqlite.Open does.
type Opener = func(path string) (storage goptuna.Storage, end func() error, err error)

// openStudy opens the study in a file, or creates it, or creates one in memory.
func openStudy(open Opener, path, name string, sampler goptuna.Sampler) (study *goptuna.Study, end func() error, err error) {
	var storage goptuna.Storage = goptuna.NewInMemoryStorage()
	end = func() error { return nil }
	if path != "" {
		if storage, end, err = open(path); err != nil {
			return nil, nil, err
		}
		studies, err := storage.GetAllStudySummaries()
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		if len(studies) > 0 {
			name = studies[0].Name
		}
	}
	study, err = goptuna.CreateStudy(name,
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionIgnoreError(true), // a failed trial is no reason to stop
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(sampler),
	)
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return study, end, nil
}

// resume checks that a study was made with the same settings, fails the trials
// that were running when an earlier start was killed, and returns all trials.
func resume(study *goptuna.Study, j *job) ([]goptuna.FrozenTrial, error) {
	attrs, err := study.GetUserAttrs()
	if err != nil {
		return nil, err
	}
	if earlier, ok := attrs[attrSettings]; ok && earlier != j.problem.Settings {
		return nil, fmt.Errorf("%s was made with %q, not %q: name another -out", j.file, earlier, j.problem.Settings)
	}
	if err := study.SetUserAttr(attrSettings, j.problem.Settings); err != nil {
		return nil, err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	for _, t := range trials {
		if t.State == goptuna.TrialStateRunning {
			if err := study.Storage.SetTrialState(t.ID, goptuna.TrialStateFail); err != nil {
				return nil, err
			}
		}
	}
	return trials, nil
}

// finished returns the trials that ended by themselves, by number.
func finished(trials []goptuna.FrozenTrial) []goptuna.FrozenTrial {
	trials = slices.DeleteFunc(slices.Clone(trials), func(t goptuna.FrozenTrial) bool {
		return t.State != goptuna.TrialStateComplete && t.UserAttrs[attrError] == "" // not finished, or stopped
	})
	slices.SortFunc(trials, func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Number, b.Number) })
	return trials
}

// read sets what the trials say.
func (r *Run) read(trials []goptuna.FrozenTrial, p *Problem) {
	r.Trials, r.Values, r.Suggest, r.Seconds = finished(trials), nil, nil, 0
	for _, t := range r.Trials {
		seconds, _ := strconv.ParseFloat(t.UserAttrs[attrSeconds], 64)
		r.Suggest = append(r.Suggest, seconds)
		r.Seconds += seconds
		value := math.NaN()
		if t.State == goptuna.TrialStateComplete {
			value = t.Value
			if exact, ok := t.UserAttrs[attrExact]; ok {
				value, _ = strconv.ParseFloat(exact, 64)
			}
			value = p.plain(value)
		}
		r.Values = append(r.Values, value)
	}
}

// ReadStudy returns the run in a file, without the names that a run has; it has
// no trials if there is no such file.
func ReadStudy(open Opener, path string, p *Problem) (*Run, error) {
	r := &Run{}
	return r, r.load(open, path, p)
}

// load sets what the study in a file says, if there is one.
func (r *Run) load(open Opener, path string, p *Problem) (err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	storage, end, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	studies, err := storage.GetAllStudySummaries()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range studies {
		trials, err := storage.GetAllTrials(s.ID)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		r.read(trials, p)
	}
	return nil
}
