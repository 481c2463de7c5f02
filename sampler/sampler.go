package sampler

import (
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

var (
	_ goptuna.Sampler         = (*FMSampler)(nil)
	_ goptuna.RelativeSampler = (*FMSampler)(nil)
)

// FMSampler suggests parameter values for Goptuna's studies. It is safe for
// concurrent use, by several trials and several studies; by several goroutines of one
// trial in a database only, since Goptuna's storage in memory gives out a trial's own maps.
type FMSampler struct {
	startupTrials  int // 0 means as many as the space needs
	graphs         map[string]*graphs.Graph
	fitting        surrogate.Settings
	attributes     bool
	runningTimeout time.Duration

	memory memory
}

// NewSampler returns a sampler with the given options. It panics when one is nil.
func NewSampler(opts ...SamplerOption) *FMSampler {
	s := &FMSampler{
		graphs:     map[string]*graphs.Graph{},
		fitting:    surrogate.DefaultSettings(),
		attributes: true,
	}
	for i, opt := range opts {
		if opt == nil {
			panic(nilOption("NewSampler", i))
		}
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
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
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
	p := s.memory.of(study).plan(trial)
	if _, ok := p.For(param); !ok || !p.Follows(trial) {
		if p, err = s.extend(study, trial, param); err != nil {
			return 0, err
		}
	}
	if value, ok := p.For(param); ok {
		return value, nil
	}
	// No plan of ours is without this value; whatever may be stored, what is
	// returned lies in the distribution.
	return param.FromUnit(firstCoordinate(paramName, s.fitting.Seed, trial.Number)), nil
}

// SampleRelative implements goptuna.RelativeSampler, for studies that use
// goptuna.StudyOptionDefineSearchSpace. The values are those that Sample would
// return one by one, and so are the errors.
func (s *FMSampler) SampleRelative(study *goptuna.Study, trial goptuna.FrozenTrial, searchSpace map[string]interface{}) (map[string]float64, error) {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	values := make(map[string]float64, len(searchSpace))
	var open []*space.Param
	for name, distribution := range searchSpace {
		param, err := s.param(name, distribution)
		if err != nil {
			return nil, err
		}
		if value, single := param.Single(); single {
			values[name] = value
		} else {
			open = append(open, param)
		}
	}
	if len(open) == 0 {
		return values, nil
	}
	p, err := s.plan(study, trial, searchSpace)
	if err != nil {
		return nil, err
	}
	for _, param := range open {
		if value, ok := p.For(param); ok {
			values[param.Name] = value
		}
	}
	return values, nil
}
