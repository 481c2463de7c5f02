package sampler

import (
	"slices"
	"weak"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// maxStudies bounds the studies, and maxPlans the trials of one, that are
	// remembered: those that asked last.
	maxStudies = 8
	maxPlans   = 64
)

// memory saves time, and keeps the log short. What is forgotten is read again from
// storage.
type memory struct {
	studies []*studyMemory // the latest last
	// params saves the set-up of graphs.
	params map[string]*space.Param
}

// studyMemory is what is remembered of one study.
type studyMemory struct {
	study  weak.Pointer[goptuna.Study]
	logged map[string]bool
	plans  []trialPlan // the latest last
	cache  surrogate.Cache
	// history is for a trial that plans again, for a parameter that its plan does
	// not have.
	history *history.History
	readFor int // id of the trial
}

type trialPlan struct {
	trialID int
	plan    *plan.Plan
}

// forget forgets a study.
func (m *memory) forget(study weak.Pointer[goptuna.Study]) {
	m.studies = slices.DeleteFunc(m.studies, func(s *studyMemory) bool { return s.study == study })
}

// of returns what is remembered of a study, and whether that is nothing yet.
func (m *memory) of(study *goptuna.Study) (s *studyMemory, isNew bool) {
	key := weak.Make(study)
	i := slices.IndexFunc(m.studies, func(s *studyMemory) bool { return s.study == key })
	if i == len(m.studies)-1 && i >= 0 {
		return m.studies[i], false
	}
	s = &studyMemory{study: key, logged: map[string]bool{}}
	if i >= 0 {
		s = m.studies[i]
		m.studies = slices.Delete(m.studies, i, i+1)
	}
	m.studies = append(m.studies, s)
	if len(m.studies) > maxStudies {
		m.studies = slices.Delete(m.studies, 0, 1)
	}
	return s, i < 0
}

// readHistory returns the history that the trial sees, read when the trial first
// plans.
func (m *studyMemory) readHistory(study *goptuna.Study, trial goptuna.FrozenTrial) (*history.History, error) {
	if m.history != nil && m.readFor == trial.ID {
		return m.history, nil
	}
	h, err := history.Read(study, trial.ID)
	if err != nil {
		return nil, err
	}
	m.history, m.readFor = h, trial.ID
	return h, nil
}

// plan returns the plan of a trial, if it is remembered.
func (m *studyMemory) plan(trial goptuna.FrozenTrial) (*plan.Plan, bool) {
	for _, p := range slices.Backward(m.plans) {
		if p.trialID == trial.ID {
			return p.plan, true
		}
	}
	return nil, false
}

func (m *studyMemory) keepPlan(trial goptuna.FrozenTrial, p *plan.Plan) {
	m.plans = slices.DeleteFunc(m.plans, func(p trialPlan) bool { return p.trialID == trial.ID })
	m.plans = append(m.plans, trialPlan{trial.ID, p})
	if len(m.plans) > maxPlans {
		m.plans = slices.Delete(m.plans, 0, 1)
	}
}
