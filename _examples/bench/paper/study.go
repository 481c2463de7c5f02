package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// What a trial's user attributes say besides Goptuna's own records.
const (
	attrSeconds = "suggest_seconds" // that the method took for all parameters
	attrError   = "error"           // why the objective failed
)

// attrSettings is the user attribute of a study that tells settings apart.
const attrSettings = "settings"

// maxAttr is a length that an attribute may have.
const maxAttr = 2000

// study is one run of a method: a Goptuna study in an SQLite file.
type study struct {
	experiment *experiment
	method     *method
	seed       int
	starts     string
	path       string
}

// outcome is a finished trial.
type outcome struct {
	value   float64 // NaN if the trial failed
	seconds float64 // that the method took
}

func newStudy(cfg config, m *method, seed int) *study {
	return &study{cfg.experiment, m, seed, cfg.starts, studyPath(cfg, m, strconv.Itoa(seed))}
}

// studyPath returns the path of the study's file. The seed may be a pattern.
func studyPath(cfg config, m *method, seed string) string {
	if cfg.starts == startsPaper {
		seed = "start" + seed
	}
	return filepath.Join(cfg.out, cfg.experiment.name, m.name+"-"+seed+".db")
}

// seeds returns the seeds that the output directory has studies of, in order.
func seeds(cfg config, m *method) []int {
	paths, _ := filepath.Glob(studyPath(cfg, m, "[0-9]*")) // the pattern is well-formed
	before, after, _ := strings.Cut(studyPath(cfg, m, "*"), "*")
	var seeds []int
	for _, path := range paths {
		if seed, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(path, before), after)); err == nil {
			seeds = append(seeds, seed)
		}
	}
	slices.Sort(seeds)
	return seeds
}

// String is the name of the study in its file.
func (s *study) String() string {
	if s.starts == startsPaper {
		return fmt.Sprintf("%s, %s, start %d of the paper", s.experiment.title, s.method.title, s.seed)
	}
	return fmt.Sprintf("%s, %s, seed %d", s.experiment.title, s.method.title, s.seed)
}

// outcomes returns the finished trials, none if the study has not begun.
func (s *study) outcomes() (outcomes []outcome, err error) {
	if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	storage, err := openStorage(s.path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeStorage(storage)) }()
	loaded, err := goptuna.CreateStudy(s.String(),
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	trials, err := loaded.GetTrials()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	return s.read(trials), nil
}

// read returns the outcomes of the trials that ended by themselves.
func (s *study) read(trials []goptuna.FrozenTrial) []outcome {
	slices.SortFunc(trials, func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Number, b.Number) })
	var outcomes []outcome
	for _, t := range trials {
		o := outcome{value: math.NaN()}
		o.seconds, _ = strconv.ParseFloat(t.UserAttrs[attrSeconds], 64)
		switch {
		case t.State == goptuna.TrialStateComplete:
			o.value = t.Value
			if s.experiment.logModel {
				o.value = math.Exp(o.value)
			}
		case t.UserAttrs[attrError] == "":
			continue // not finished, or stopped
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// do runs what is missing of the study and calls tick after each trial.
func (s *study) do(ctx context.Context, cfg config, p *problem.Problem, tick func()) (err error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return err
	}
	storage, err := openStorage(s.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStorage(storage)) }()
	sampler, end, err := s.method.sampler(ctx, setting{problem: p, seed: int64(s.seed), trials: cfg.trials, python: cfg.python})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	created, err := goptuna.CreateStudy(s.String(),
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionIgnoreError(true), // a failed trial is no reason to stop
		goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(sampler),
	)
	if err != nil {
		return err
	}
	trials, err := s.prepare(cfg, p, created)
	if err != nil {
		return err
	}

	// Goptuna goes on after errors of the objective, whatever they are: those of
	// the method or of the database end the study here.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	created.WithContext(ctx)
	objective := func(trial goptuna.Trial) (float64, error) {
		value, err := s.evaluate(ctx, trial, p)
		if err != nil && !errors.Is(err, errObjective) {
			cancel(err)
		}
		if ctx.Err() == nil {
			tick()
		}
		return value, err
	}
	err = created.Optimize(objective, cfg.trials-len(s.read(trials)))
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// prepare checks that a study was made by the same settings, fails trials that
// were running when an earlier start was killed, and fixes the start points of a
// new study. It returns the trials that there are.
func (s *study) prepare(cfg config, p *problem.Problem, created *goptuna.Study) ([]goptuna.FrozenTrial, error) {
	attrs, err := created.GetUserAttrs()
	if err != nil {
		return nil, err
	}
	trials, err := created.GetTrials()
	if err != nil {
		return nil, err
	}
	if earlier, ok := attrs[attrSettings]; ok && earlier != p.Settings {
		return nil, fmt.Errorf("%s was made with %q, not %q: name another -out", s.path, earlier, p.Settings)
	}
	if err := created.SetUserAttr(attrSettings, p.Settings); err != nil {
		return nil, err
	}
	for _, t := range trials {
		if t.State == goptuna.TrialStateRunning {
			if err := created.Storage.SetTrialState(t.ID, goptuna.TrialStateFail); err != nil {
				return nil, err
			}
		}
	}
	if len(trials) > 0 || s.starts != startsPaper {
		return trials, nil
	}
	points, err := readStarts(cfg.data, s.experiment.designs, s.seed, p.Space)
	if err != nil {
		return nil, err
	}
	for _, point := range points {
		if err := created.EnqueueTrial(point); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// errObjective is wrapped by the error of an objective.
var errObjective = errors.New("the objective failed")

// evaluate is the objective of the study.
func (s *study) evaluate(ctx context.Context, trial goptuna.Trial, p *problem.Problem) (float64, error) {
	start := time.Now()
	c, v, err := p.Space.Suggest(&trial)
	if err != nil {
		return 0, err
	}
	seconds := strconv.FormatFloat(time.Since(start).Seconds(), 'g', 4, 64)
	if err := trial.SetUserAttr(attrSeconds, seconds); err != nil {
		return 0, err
	}
	value, err := p.Evaluate(p.Space.Values(c, v))
	if err == nil && (math.IsNaN(value) || math.IsInf(value, 0)) {
		err = fmt.Errorf("the value is %v", value)
	}
	if err != nil && ctx.Err() != nil {
		return 0, err // a signal may have ended the worker, too: the trial did not fail by itself
	}
	if err != nil {
		text := err.Error()
		return 0, errors.Join(errObjective, err, trial.SetUserAttr(attrError, text[:min(len(text), maxAttr)]))
	}
	if s.experiment.logModel {
		value = math.Log(value)
	}
	return value, nil
}

// openStorage opens the SQLite file, or creates it, with Goptuna's tables in it.
func openStorage(path string) (*cachedrdb.Storage, error) {
	db, err := gorm.Open(sqlite.Open(path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"),
		&gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return cachedrdb.NewStorage(db), nil
}

// closeStorage closes the file.
func closeStorage(storage *cachedrdb.Storage) error {
	db, err := storage.DB()
	if err != nil {
		return err
	}
	return db.Close()
}
