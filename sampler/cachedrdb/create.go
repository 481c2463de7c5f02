package cachedrdb

import (
	"errors"

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
