package cachedrdb

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm/clause"
)

// SetStudyUserAttr sets an attribute of a study for the user.
func (s *Storage) SetStudyUserAttr(studyID int, key string, value string) error {
	return s.setAttr("study_user_attributes", "study_id", studyID, key, value)
}

// SetStudySystemAttr sets an attribute of a study for the system.
func (s *Storage) SetStudySystemAttr(studyID int, key string, value string) error {
	return s.setAttr("study_system_attributes", "study_id", studyID, key, value)
}

// setAttr sets an attribute in one statement. rdb.Storage looks for it first: of two
// that do so at the same time one is refused, and it takes an empty key or value for one
// that is not given. The error names the attribute.
func (s *Storage) setAttr(table, owner string, id int, key, value string) error {
	err := s.reader.db.Table(table).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: owner}, {Name: "key"}},
		DoUpdates: clause.AssignmentColumns([]string{"value"}),
	}).Create(map[string]any{owner: id, "key": key, "value": value}).Error
	if err == nil {
		return nil
	}
	hint := ""
	if n := utf8.RuneCountInString(value); n > maxText {
		hint = fmt.Sprintf("; the value has %d characters and may have %d: give a shorter one", n, maxText)
	}
	return fmt.Errorf("cachedrdb: attribute %q: %w%s", key, err, hint)
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
	return s.setAttr("trial_user_attributes", "trial_id", trialID, key, value)
}

// SetTrialSystemAttr sets an attribute of a trial for the system.
func (s *Storage) SetTrialSystemAttr(trialID int, key string, value string) error {
	defer s.written(trialID)
	return s.setAttr("trial_system_attributes", "trial_id", trialID, key, value)
}

// written notes that a trial may have been written to, whatever the error: a
// finished trial should not be, but rdb.Storage lets attributes and parameters
// pass.
func (s *Storage) written(trialID int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.caches {
		c.written(trialID)
	}
}
