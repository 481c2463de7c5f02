package cachedrdb

import (
	"errors"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"
)

// GetStudyIDFromName returns the id of a study. The error is
// gorm.ErrRecordNotFound if there is none.
func (s *Storage) GetStudyIDFromName(name string) (int, error) {
	id, err := s.Storage.GetStudyIDFromName(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(err, gorm.ErrRecordNotFound) {
		s.missing[name] = true
	} else {
		delete(s.missing, name)
	}
	return id, err
}

// CreateNewStudy creates a study and returns its id. A name that is taken is an
// error, unless this storage has just looked for it in vain: then another worker
// was faster, and the study is that worker's. So goptuna.CreateStudy with
// StudyOptionLoadIfExists, which looks and then creates, is safe for workers that
// start at the same moment.
func (s *Storage) CreateNewStudy(name string) (int, error) {
	s.mu.Lock()
	looked := s.missing[name]
	delete(s.missing, name)
	s.mu.Unlock()
	id, err := s.Storage.CreateNewStudy(name)
	if err != nil && looked {
		if id, found := s.Storage.GetStudyIDFromName(name); found == nil {
			return id, nil
		}
	}
	return id, err
}

// CloneTrial adds a copy of a trial to a study and returns its id. rdb.Storage
// stores InternalParams with their Distributions: a parameter that is in Params
// only would be lost, and is an error here. A trial without a start gets one;
// rdb.Storage's GetAllStudySummaries panics without.
func (s *Storage) CloneTrial(studyID int, base goptuna.FrozenTrial) (int, error) {
	for name := range base.Params {
		if _, ok := base.InternalParams[name]; !ok {
			return 0, fmt.Errorf("%w: parameter %q of a trial to clone is in Params only: fill InternalParams and Distributions, "+
				"or add the trial by AddTrial of package sampler", ErrInvalid, name)
		}
	}
	if base.DatetimeStart.IsZero() {
		base.DatetimeStart = base.DatetimeComplete
	}
	if base.DatetimeStart.IsZero() {
		base.DatetimeStart = time.Now()
	}
	return s.Storage.CloneTrial(studyID, base)
}
