package sampler

import (
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// maxStudies bounds the studies of which more is remembered than what was logged, and
	// maxPlans the trials of one: those that asked last.
	maxStudies = 8
	maxPlans   = 64
	// maxParams bounds the parameters that are remembered.
	maxParams = 1000
)

// memory saves time, and keeps the log short. What is forgotten is read again from
// storage.
type memory struct {
	// mu serialises planning: a trial sees the plans of those before it.
	mu sync.Mutex

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
	readFor trialKey
}

type trialPlan struct {
	trial trialKey
	plan  *plan.Plan
}

// trialKey tells a trial from others. Its id alone does not: a database that is restored
// from a backup gives some ids again, as storage in memory does after a study is deleted.
type trialKey struct {
	id    int
	start int64 // in nanoseconds; time.Time itself may differ by its zone
}

func keyOf(trial goptuna.FrozenTrial) trialKey {
	return trialKey{trial.ID, trial.DatetimeStart.UnixNano()}
}

// param returns the parameter of a name and distribution, with places for the
// values that earlier distributions had. It is an observe.NewParam.
func (s *FMSampler) param(name string, distribution any, earlier ...any) (*space.Param, error) {
	m, key := &s.memory, space.Key(name, distribution, earlier...)
	if p, ok := m.params[key]; ok {
		return p, nil
	}
	p, err := space.NewParam(name, distribution, s.graphs[name], earlier...)
	if err != nil {
		return nil, err
	}
	if m.params == nil || len(m.params) >= maxParams {
		m.params = map[string]*space.Param{}
	}
	m.params[key] = p
	return p, nil
}

// of returns what is remembered of a study, until it is garbage.
func (m *memory) of(study *goptuna.Study) *studyMemory {
	key := weak.Make(study)
	i := slices.IndexFunc(m.studies, func(s *studyMemory) bool { return s.study == key })
	s := &studyMemory{study: key, logged: map[string]bool{}}
	if i >= 0 {
		s = m.studies[i]
		m.studies = slices.Delete(m.studies, i, i+1)
	} else {
		runtime.AddCleanup(study, m.forget, key)
	}
	m.studies = append(m.studies, s)
	if first := len(m.studies) - maxStudies; first > 0 {
		old := m.studies[first-1]
		*old = studyMemory{study: old.study, logged: old.logged}
	}
	return s
}

// readHistory returns the history that the trial sees, read when the trial first
// plans.
func (m *studyMemory) readHistory(study *goptuna.Study, trial goptuna.FrozenTrial) (*history.History, error) {
	if m.history != nil && m.readFor == keyOf(trial) {
		return m.history, nil
	}
	h, err := history.Read(study, trial.ID)
	if err != nil {
		return nil, err
	}
	m.history, m.readFor = h, keyOf(trial)
	return h, nil
}

// plan returns the plan of a trial, empty where there is none.
func (m *studyMemory) plan(trial goptuna.FrozenTrial) *plan.Plan {
	for _, p := range slices.Backward(m.plans) {
		if p.trial == keyOf(trial) {
			return p.plan
		}
	}
	p := plan.Decode(trial.SystemAttrs)
	m.keepPlan(trial, p)
	return p
}

func (m *studyMemory) keepPlan(trial goptuna.FrozenTrial, p *plan.Plan) {
	m.plans = slices.DeleteFunc(m.plans, func(p trialPlan) bool { return p.trial == keyOf(trial) })
	m.plans = append(m.plans, trialPlan{keyOf(trial), p})
	if len(m.plans) > maxPlans {
		m.plans = slices.Delete(m.plans, 0, 1)
	}
}

// forget forgets a study.
func (m *memory) forget(study weak.Pointer[goptuna.Study]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.studies = slices.DeleteFunc(m.studies, func(s *studyMemory) bool { return s.study == study })
}
