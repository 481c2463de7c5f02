package cachedrdb

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
)

// GetStudyIDFromName returns the id of a study. The error is gorm.ErrRecordNotFound
// itself if there is none, since programs compare it, and wraps ErrInvalid if the database takes the
// name for that of another one, as MySQL and MariaDB do by default with x and X.
func (s *Storage) GetStudyIDFromName(name string) (int, error) {
	id, err := s.idOf(name)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.misses[name]++
	}
	return id, err
}

// idOf returns the id of the study with exactly this name: another one is not to be loaded,
// or deleted, in its place.
func (s *Storage) idOf(name string) (int, error) {
	id, err := s.Storage.GetStudyIDFromName(name)
	if err != nil {
		return id, err
	}
	if stored, _ := s.Storage.GetStudyNameFromID(id); stored != "" && stored != name {
		return 0, fmt.Errorf("%w: the database does not tell the name %q from that of the study %q: use another one", ErrInvalid, name, stored)
	}
	return id, nil
}

// CreateNewStudy creates a study and returns its id. A name that is taken is an
// error, unless this storage has just looked for it in vain: then another worker
// was faster, and the study is that worker's. So goptuna.CreateStudy with
// StudyOptionLoadIfExists, which looks and then creates, is safe for workers that
// start at the same moment.
func (s *Storage) CreateNewStudy(name string) (int, error) {
	looked := s.takeMiss(name)
	id, err := s.Storage.CreateNewStudy(name)
	if err == nil {
		return id, nil
	}
	taken, lookErr := s.idOf(name)
	switch {
	case lookErr == nil && looked:
		return taken, nil
	case lookErr == nil:
		return 0, fmt.Errorf("cachedrdb: there is a study %q: give goptuna.StudyOptionLoadIfExists(true) to go on with it, or another name: %w", name, err)
	case errors.Is(lookErr, ErrInvalid):
		return 0, lookErr
	}
	return id, err
}

// takeMiss reports whether a study was looked for in vain, once for each time that it was:
// several goroutines may look before the first of them creates it.
func (s *Storage) takeMiss(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.misses[name]
	if n <= 1 {
		delete(s.misses, name)
	} else {
		s.misses[name] = n - 1
	}
	return n > 0
}

// CloneTrial adds a copy of a trial to a study and returns its id. rdb.Storage
// stores InternalParams with their Distributions: a parameter that is in Params
// only would be lost, and is ErrInvalid here, as is one whose distribution or choice
// there is not. One that the database refuses is an error, too, where rdb.Storage would go
// on without it. A trial without a start gets one; rdb.Storage's GetAllStudySummaries,
// as Goptuna's dashboard calls it, panics without.
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
	params := base.InternalParams
	names := slices.Sorted(maps.Keys(params))
	for _, name := range names {
		if _, err := external(base.Distributions[name], params[name]); err != nil {
			return 0, fmt.Errorf("%w: parameter %q of a trial to clone: %w", ErrInvalid, name, err)
		}
	}
	base.InternalParams = nil // set below, where errors are seen
	var id int
	err := s.reader.db.Transaction(func(tx *gorm.DB) (err error) {
		storage := rdb.NewStorage(tx)
		if id, err = storage.CloneTrial(studyID, base); err != nil {
			return err
		}
		for _, name := range names {
			if err := storage.SetTrialParam(id, name, params[name], base.Distributions[name]); err != nil {
				return fmt.Errorf("cachedrdb: parameter %q of a trial to clone: %w%s", name, err, paramHint(name, base.Distributions[name], names))
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

// What the columns take, in characters. SQLite takes any number.
const (
	maxName = 512  // of a parameter
	maxText = 2048 // of a distribution as JSON, or the value of an attribute
)

// paramHint says what to do about a parameter that the database has refused, if the
// parameter shows it. The names are those of the trial.
func paramHint(name string, distribution any, names []string) string {
	if n := utf8.RuneCountInString(name); n > maxName {
		return fmt.Sprintf("; the name has %d characters and may have %d: use a shorter one", n, maxName)
	}
	text, err := goptuna.DistributionToJSON(distribution)
	if n := utf8.RuneCount(text); err == nil && n > maxText {
		return fmt.Sprintf("; the distribution has %d characters as JSON and may have %d: use fewer or shorter choices", n, maxText)
	}
	if !utf8.ValidString(name) || strings.Contains(name, "\x00") {
		return "; the database may take names in UTF-8 without NUL only: use another one"
	}
	for _, other := range names {
		// As MySQL compares by default, but for accents.
		if other != name && strings.EqualFold(strings.TrimRight(other, " "), strings.TrimRight(name, " ")) {
			return fmt.Sprintf("; the database may not tell the name from %q: rename one of them", other)
		}
	}
	return ""
}
