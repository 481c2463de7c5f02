package cachedrdb

import (
	"sync"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
)

var _ goptuna.Storage = (*Storage)(nil)

// Storage is rdb.Storage with a cache of finished trials. It is safe for
// concurrent use. The methods that are not defined here are rdb.Storage's.
type Storage struct {
	*rdb.Storage
	reader *reader

	mu     sync.Mutex
	caches map[int]*cache // by the id of the study
	misses map[string]int // how often studies were looked for and not found, by name
}

// NewStorage returns a storage on a database that has the tables of
// rdb.RunAutoMigrate. It does not check that; OpenSQLite and Open do, and see to more.
func NewStorage(db *gorm.DB) *Storage {
	return &Storage{
		Storage: rdb.NewStorage(db),
		reader:  newReader(db),
		caches:  map[int]*cache{},
		misses:  map[string]int{},
	}
}

// GetAllTrials returns the trials of a study in the order of their ids, none if
// there is no such study.
func (s *Storage) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	snap, err := s.cache(studyID).current(s.reader)
	if err != nil {
		return nil, err
	}
	trials := make([]goptuna.FrozenTrial, len(snap.records))
	for i, r := range snap.records {
		trials[i] = r.frozen()
	}
	return trials, nil
}

// GetBestTrial returns the complete trial with the best value, the first of
// several, and the zero FrozenTrial if none has a value other than NaN. The error is
// gorm.ErrRecordNotFound if there is no such study.
func (s *Storage) GetBestTrial(studyID int) (goptuna.FrozenTrial, error) {
	direction, err := s.GetStudyDirection(studyID)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	snap, err := s.cache(studyID).current(s.reader)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	best := snap.best(direction)
	if best == nil {
		return goptuna.FrozenTrial{}, nil
	}
	return best.frozen(), nil
}

// GetTrial returns a trial, or gorm.ErrRecordNotFound. It takes two queries, one
// for a trial that is finished and cached.
func (s *Storage) GetTrial(trialID int) (goptuna.FrozenTrial, error) {
	row, err := s.reader.row(trialID)
	if err != nil {
		return goptuna.FrozenTrial{}, err
	}
	// The id may have been given to another trial since: see snapshot.merged.
	if cached := s.cache(row.studyID).closed(trialID); cached != nil && cached.trialRow.equal(row) {
		return cached.frozen(), nil
	}
	return s.reader.trial(row)
}

// GetTrialNumberFromID returns a trial's number, which counts from 0 in its
// study, or gorm.ErrRecordNotFound.
func (s *Storage) GetTrialNumberFromID(trialID int) (int, error) {
	row, err := s.reader.row(trialID)
	if err != nil {
		return -1, err
	}
	return row.number, nil
}

// GetTrialParams returns a trial's parameters as the objective sees them, or
// gorm.ErrRecordNotFound.
func (s *Storage) GetTrialParams(trialID int) (map[string]interface{}, error) {
	trial, err := s.GetTrial(trialID)
	if err != nil {
		return nil, err
	}
	return trial.Params, nil
}

// DeleteStudy deletes a study, if there is one, and its trials. Those stay in a SQLite
// file that was opened without foreign keys, which OpenSQLite turns on.
func (s *Storage) DeleteStudy(studyID int) error {
	err := s.Storage.DeleteStudy(studyID)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.caches, studyID)
	return err
}

func (s *Storage) cache(studyID int) *cache {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.caches[studyID] == nil {
		s.caches[studyID] = &cache{studyID: studyID}
	}
	return s.caches[studyID]
}
