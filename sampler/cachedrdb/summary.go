package cachedrdb

import (
	"database/sql"

	"github.com/c-bata/goptuna"
)

// GetAllStudySummaries returns the studies in the order of their ids, each with the
// trial that GetBestTrial returns. DatetimeStart is the start of the last trial, as
// in rdb.Storage.
func (s *Storage) GetAllStudySummaries() ([]goptuna.StudySummary, error) {
	summaries, err := s.reader.studies()
	if err != nil {
		return nil, err
	}
	for i := range summaries {
		if err := s.summarize(&summaries[i]); err != nil {
			return nil, err
		}
	}
	return summaries, nil
}

// summarize completes a summary that has id, name and direction. It caches nothing:
// a list of studies should not take the memory of all their trials.
func (s *Storage) summarize(summary *goptuna.StudySummary) (err error) {
	if summary.UserAttrs, err = s.GetStudyUserAttrs(summary.ID); err != nil {
		return err
	}
	if summary.SystemAttrs, err = s.GetStudySystemAttrs(summary.ID); err != nil {
		return err
	}
	snap, err := s.reader.rows(summary.ID)
	if err != nil {
		return err
	}
	for _, r := range snap.records {
		if r.start.After(summary.DatetimeStart) {
			summary.DatetimeStart = r.start
		}
	}
	if best := snap.best(summary.Direction); best != nil {
		summary.BestTrial, err = s.reader.trial(best.trialRow)
	}
	return err
}

// studies returns all studies with id, name and direction.
func (r *reader) studies() ([]goptuna.StudySummary, error) {
	studies := []goptuna.StudySummary{} // not nil, as in rdb.Storage: [] in JSON
	err := r.scan("SELECT study_id, study_name, direction FROM studies ORDER BY study_id", nil, func(rows *sql.Rows) error {
		study := goptuna.StudySummary{Direction: goptuna.StudyDirectionMinimize}
		var direction string
		if err := rows.Scan(&study.ID, &study.Name, &direction); err != nil {
			return err
		}
		if direction == "MAXIMIZE" {
			study.Direction = goptuna.StudyDirectionMaximize
		}
		studies = append(studies, study)
		return nil
	})
	return studies, err
}
