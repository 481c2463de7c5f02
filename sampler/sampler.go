package sampler

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

var (
	_ goptuna.Sampler         = (*FMSampler)(nil)
	_ goptuna.RelativeSampler = (*FMSampler)(nil)
)

// FMSampler suggests parameter values for Goptuna's studies. It is safe for
// concurrent use, by several trials and several studies.
type FMSampler struct {
	seed           uint64
	startupTrials  int
	modelTrials    int
	graphs         map[string]*graphs.Graph
	kernel         func(dims int, gs ...*graphs.Graph) (*fmkernel.Kernel, error)
	referenceFit   bool
	hyperSamples   int
	deterministic  bool
	learnOrder     bool
	attributes     bool
	runningTimeout time.Duration

	// mu serialises planning: a trial sees the plans of those before it.
	mu sync.Mutex
	// last saves time only. The history most recently read is for a trial that
	// plans again, for a parameter it had not foreseen; the covariance is
	// extended by the next trial.
	last struct {
		study   *goptuna.Study
		trialID int
		history *history.History

		covariances []keyedCovariance // one per sample of the hyperparameters
		samples     keyedSamples
	}
	warned map[warning]bool
	// params saves the set-up of graphs.
	params map[string]*space.Param
}

// NewSampler returns a sampler with the given options.
func NewSampler(opts ...SamplerOption) *FMSampler {
	s := &FMSampler{
		startupTrials: defaultStartupTrials,
		modelTrials:   defaultModelTrials,
		attributes:    true,
		graphs:        map[string]*graphs.Graph{},
		kernel:        fmkernel.NewModLap,
		warned:        map[warning]bool{},
		params:        map[string]*space.Param{},
	}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// Sample implements goptuna.Sampler. It returns the value of one parameter in
// Goptuna's internal representation, inside the distribution.
//
// Errors have the prefix "fm:" and name the parameter and the remedy; one wraps
// goptuna.ErrUnknownDistribution for a distribution that Goptuna does not
// define, others what the storage returned.
func (s *FMSampler) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, paramName string, paramDistribution interface{}) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	param, err := s.param(paramName, paramDistribution)
	if err != nil {
		return 0, err
	}
	if value, single := param.Single(); single {
		return value, nil
	}
	if value, asked := trial.InternalParams[paramName]; asked && param.Contains(value) {
		return value, nil
	}
	plan := decodePlan(trial.SystemAttrs)
	if value, ok := plan.value(trial, param); ok {
		return value, nil
	}
	asked := maps.Clone(trial.Distributions)
	if asked == nil {
		asked = map[string]any{}
	}
	asked[paramName] = paramDistribution
	plan, err = s.plan(study, trial, asked)
	if err != nil {
		return 0, err
	}
	return plan.Values[paramName].Value, nil
}

// SampleRelative implements goptuna.RelativeSampler, for studies that use
// goptuna.StudyOptionDefineSearchSpace. The values are those that Sample would
// return one by one.
func (s *FMSampler) SampleRelative(study *goptuna.Study, trial goptuna.FrozenTrial, searchSpace map[string]interface{}) (map[string]float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := make(map[string]float64, len(searchSpace))
	open := false
	for name, distribution := range searchSpace {
		param, err := s.param(name, distribution)
		if err != nil {
			return nil, err
		}
		value, single := param.Single()
		if single {
			values[name] = value
		}
		open = open || !single
	}
	if !open {
		return values, nil
	}
	plan, err := s.plan(study, trial, searchSpace)
	if err != nil {
		return nil, err
	}
	for name := range searchSpace {
		if planned, ok := plan.Values[name]; ok {
			values[name] = planned.Value
		}
	}
	return values, nil
}

// maxParams bounds the parameters kept.
const maxParams = 1000

// param returns the parameter of a name and distribution, with vertices for the
// values that earlier distributions had.
func (s *FMSampler) param(name string, distribution any, earlier ...any) (*space.Param, error) {
	key := fmt.Sprintf("%q %#v %#v", name, distribution, earlier)
	if p, ok := s.params[key]; ok {
		return p, nil
	}
	p, err := space.NewParam(name, distribution, s.graphs[name], earlier...)
	if err != nil {
		return nil, err
	}
	if len(s.params) >= maxParams {
		clear(s.params)
	}
	s.params[key] = p
	return p, nil
}

// history returns the history that the trial sees, read when the trial first
// plans.
func (s *FMSampler) history(study *goptuna.Study, trial goptuna.FrozenTrial) (*history.History, error) {
	if s.last.study == study && s.last.trialID == trial.ID {
		return s.last.history, nil
	}
	h, err := history.Read(study, trial.ID)
	if err != nil {
		return nil, err
	}
	s.last.study, s.last.trialID, s.last.history = study, trial.ID, h
	return h, nil
}

// warning identifies a message. Studies in memory all have the same ID.
type warning struct {
	study *goptuna.Study
	kind  string
}

// warn tells the study's logger once per kind of trouble.
func (s *FMSampler) warn(study *goptuna.Study, kind string, fields ...any) {
	if s.isNews(study, kind) {
		study.GetLogger().Warn("fm: "+kind, fields...)
	}
}

// note tells the study's logger once per kind of news.
func (s *FMSampler) note(study *goptuna.Study, kind string, fields ...any) {
	if s.isNews(study, kind) {
		study.GetLogger().Info("fm: "+kind, fields...)
	}
}

// isNews reports whether a message is to be logged.
func (s *FMSampler) isNews(study *goptuna.Study, kind string) bool {
	key := warning{study, kind}
	if s.warned[key] || study.GetLogger() == nil {
		return false
	}
	s.warned[key] = true
	return true
}

// noteUnused tells that a finished trial is not used, once per parameter.
func (t *task) noteUnused(f history.Trial, p *space.Param) {
	if value, ok := f.InternalParams[p.Name]; ok {
		t.note(t.study, fmt.Sprintf("trials whose %q has no place in its distribution as it is now are not used", p.Name),
			fmt.Sprintf("first: trial %d with %v of %#v", f.Number, value, f.Distributions[p.Name]))
	}
}
