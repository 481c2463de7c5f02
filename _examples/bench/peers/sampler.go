package peers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// Sampler is a system in a process of its own, as one of Goptuna's samplers, for
// one study with one worker.
//
// The process remembers the trials; a new one is given them all. A study goes on
// after an interruption, though not exactly as it would have without: the random
// numbers are others then.
type Sampler struct {
	ctx    context.Context
	worker *bridge.Worker
	seed   int64
	setup  setup        // which the worker sends at every start
	sent   map[int]bool // numbers of the trials in setup

	begun  bool
	trial  int            // ID of the trial that the answers are for
	values map[string]any // of it, as far as they are known
	cost   Cost
}

// Cost is what the suggestions of a trial took, in the process.
type Cost struct {
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`      // seconds of processors
	PeakRSS int64   `json:"peak_rss"` // largest resident memory in bytes, 0 where it is not known
}

// The messages; peer.py describes them.
type (
	setup struct {
		Variant    string               `json:"variant"`
		Space      problems.Space       `json:"space"` // nil where the objective decides
		Conditions []problems.Condition `json:"conditions"`
		Seed       int64                `json:"seed"`
		Threads    int                  `json:"threads"`
		Trials     []trial              `json:"trials"`
	}
	trial struct {
		Params problems.Space `json:"params"`
		Values map[string]any `json:"values"`
		Value  *float64       `json:"value"` // nil if the trial failed

		// Measured is what a trial with constraints has measured, even where it failed since it
		// violates one.
		Measured measured `json:"measured"`
	}
	measured struct {
		Value      *float64           `json:"y,omitempty"`
		Violations history.Violations `json:"c"`
	}
	request struct {
		Trials []trial        `json:"trials"` // finished since the last request
		New    bool           `json:"new"`    // a trial begins
		Param  problems.Param `json:"param"`  // to be answered
	}
	answer struct {
		Values map[string]any `json:"values"`
		Cost
	}
)

// Sample implements goptuna.Sampler.
func (s *Sampler) Sample(study *goptuna.Study, frozen goptuna.FrozenTrial, name string, distribution any) (float64, error) {
	param, err := paramOf(name, distribution)
	if err != nil {
		return 0, err
	}
	r := request{Param: param, New: !s.begun || frozen.ID != s.trial, Trials: []trial{}}
	if r.New {
		s.begun, s.trial, s.values, s.cost = true, frozen.ID, map[string]any{}, Cost{}
		if err := s.ask(study, r); err != nil {
			return 0, err
		}
	} else if _, known := s.values[name]; !known {
		if err := s.ask(study, r); err != nil {
			return 0, err
		}
	}
	return internal(param, s.values[name])
}

// Cost returns what the suggestions of the last trial took.
func (s *Sampler) Cost() Cost { return s.cost }

// ask sends a request and keeps the values that come back.
func (s *Sampler) ask(study *goptuna.Study, r request) error {
	if r.New {
		trials, err := s.fresh(study)
		if err != nil {
			return err
		}
		r.Trials = trials
	}
	var a answer
	if err := s.worker.Call(s.ctx, r, &a); err != nil {
		return err
	}
	for name, value := range a.Values {
		s.values[name] = value
	}
	s.cost = Cost{s.cost.Seconds + a.Seconds, s.cost.CPU + a.CPU, a.PeakRSS}
	// A new process would be given the trials with another seed, lest it repeat
	// the draws of this one.
	s.setup.Trials = append(s.setup.Trials, r.Trials...)
	s.setup.Seed = s.seed + int64(len(s.setup.Trials))<<16
	return nil
}

// fresh returns the finished trials that were not sent to the process.
func (s *Sampler) fresh(study *goptuna.Study) ([]trial, error) {
	all, err := study.GetTrials()
	if err != nil {
		return nil, err
	}
	fresh := []trial{}
	for _, t := range all {
		if s.sent[t.Number] || !t.State.IsFinished() || len(t.Params) == 0 {
			continue // a trial without values was interrupted
		}
		s.sent[t.Number] = true
		m := history.MeasurementOf(t.SystemAttrs)
		u := trial{Values: t.Params, Measured: measured{m.Value, m.Violations()}}
		for name, distribution := range t.Distributions {
			param, err := paramOf(name, distribution)
			if err != nil {
				return nil, err
			}
			u.Params = append(u.Params, param)
		}
		slices.SortFunc(u.Params, func(a, b problems.Param) int { return cmp.Compare(a.Name, b.Name) })
		if t.State == goptuna.TrialStateComplete {
			u.Value = &t.Value
		}
		fresh = append(fresh, u)
	}
	return fresh, nil
}

// paramOf describes one of Goptuna's distributions.
func paramOf(name string, distribution any) (problems.Param, error) {
	ordinal := func(low, high, step float64) problems.Param {
		levels := 1 + int(math.Floor((high-low)/step+1e-9))
		return problems.Param{Name: name, Kind: problems.Ordinal, Low: low, High: low + float64(levels-1)*step, Levels: levels}
	}
	switch d := distribution.(type) {
	case goptuna.UniformDistribution:
		return problems.Float(name, d.Low, d.High), nil
	case goptuna.LogUniformDistribution:
		return problems.LogFloat(name, d.Low, d.High), nil
	case goptuna.IntUniformDistribution:
		return ordinal(float64(d.Low), float64(d.High), 1), nil
	case goptuna.StepIntUniformDistribution: // its upper end is not one of its values
		return ordinal(float64(d.Low), float64(d.High-1), float64(d.Step)), nil
	case goptuna.DiscreteUniformDistribution:
		return ordinal(d.Low, d.High, d.Q), nil
	case goptuna.CategoricalDistribution:
		return problems.Choice(name, d.Choices...), nil
	}
	return problems.Param{}, goptuna.ErrUnknownDistribution
}

// internal returns a value as Goptuna represents it: of a choice, its number.
func internal(p problems.Param, value any) (float64, error) {
	switch value := value.(type) {
	case float64:
		if p.Kind != problems.Nominal && value >= p.Low && value <= p.High {
			return value, nil
		}
	case string:
		if level := slices.Index(p.Choices, value); level >= 0 {
			return float64(level), nil
		}
	}
	return 0, fmt.Errorf("peers: the value %v for %s is not in its range", value, p.Name)
}
