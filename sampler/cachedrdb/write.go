package cachedrdb

import (
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"
)

// SetStudyUserAttr sets an attribute of a study for the user.
func (s *Storage) SetStudyUserAttr(studyID int, key string, value string) error {
	return twice(func() error { return s.Storage.SetStudyUserAttr(studyID, key, value) })
}

// SetStudySystemAttr sets an attribute of a study for the system.
func (s *Storage) SetStudySystemAttr(studyID int, key string, value string) error {
	return twice(func() error { return s.Storage.SetStudySystemAttr(studyID, key, value) })
}

// twice tries again once. rdb.Storage looks for an attribute and creates it if it
// is not there: of two workers that do so at the same time one is refused, and
// finds it when it looks again.
func twice(set func() error) error {
	err := set()
	if err != nil {
		err = set()
	}
	return err
}

// SetTrialValue sets the value of a trial.
func (s *Storage) SetTrialValue(trialID int, value float64) error {
	defer s.written(trialID)
	return s.Storage.SetTrialValue(trialID, value)
}

// SetTrialIntermediateValue sets the value of a trial at a step.
func (s *Storage) SetTrialIntermediateValue(trialID int, step int, value float64) error {
	defer s.written(trialID)
	return s.Storage.SetTrialIntermediateValue(trialID, step, value)
}

// SetTrialParam sets a parameter of a trial, once. Where the database refuses it, the
// error says what to do about it, if that is known.
func (s *Storage) SetTrialParam(trialID int, paramName string, paramValueInternal float64, distribution interface{}) error {
	defer s.written(trialID)
	err := s.Storage.SetTrialParam(trialID, paramName, paramValueInternal, distribution)
	if err == nil {
		return nil
	}
	trial, _ := s.GetTrial(trialID)
	hint := paramHint(paramName, distribution, slices.Sorted(maps.Keys(trial.InternalParams)))
	if _, ok := trial.InternalParams[paramName]; ok {
		hint = "; the trial has it already: ask for a parameter once in a trial, and keep the answer"
	}
	return fmt.Errorf("cachedrdb: parameter %q: %w%s", paramName, err, hint)
}

// SetTrialState sets the state of a trial.
func (s *Storage) SetTrialState(trialID int, state goptuna.TrialState) error {
	defer s.written(trialID)
	return s.Storage.SetTrialState(trialID, state)
}

// SetTrialUserAttr sets an attribute of a trial for the user.
func (s *Storage) SetTrialUserAttr(trialID int, key string, value string) error {
	defer s.written(trialID)
	return s.Storage.SetTrialUserAttr(trialID, key, value)
}

// SetTrialSystemAttr sets an attribute of a trial for the system.
func (s *Storage) SetTrialSystemAttr(trialID int, key string, value string) error {
	defer s.written(trialID)
	return s.Storage.SetTrialSystemAttr(trialID, key, value)
}

// written notes that a trial may have been written to, whatever the error: a
// finished trial should not be, but rdb.Storage lets attributes and parameters
// pass.
func (s *Storage) written(trialID int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.studies {
		c.written(trialID)
	}
}
