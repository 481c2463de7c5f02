package history

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
)

// database is a storage in a relational database that can be asked what
// Goptuna's interface cannot. Its trials are copies, not live maps.
type database interface{ DB() (*sql.DB, error) }

// Shared reports whether other processes may work on the study, so that trials can
// be planned beside each other.
func Shared(study *goptuna.Study) bool {
	_, relational := study.Storage.(database)
	return relational
}

// query runs a query on the database of a study, if it has one, and calls row
// for each result.
func query(study *goptuna.Study, row func(*sql.Rows) error, format string, args ...any) error {
	storage, ok := study.Storage.(database)
	if !ok {
		return nil
	}
	run := func() error {
		db, err := storage.DB()
		if err != nil {
			return err
		}
		rows, err := db.Query(fmt.Sprintf(format, args...)) // numbers only
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	if err := run(); err != nil {
		return fmt.Errorf("fm: reading the trials of the study: %w", err)
	}
	return nil
}

// nullValues returns the ids of complete trials whose value is NULL. SQLite
// stores NaN as NULL, which Goptuna reads back as 0: a trial that failed at
// night would look like an optimum. Only a value of exactly 0 is suspicious.
func nullValues(study *goptuna.Study, trials []goptuna.FrozenTrial) (map[int]bool, error) {
	if !slices.ContainsFunc(trials, func(t goptuna.FrozenTrial) bool {
		return t.State == goptuna.TrialStateComplete && t.Value == 0
	}) {
		return nil, nil
	}
	null := map[int]bool{}
	err := query(study, func(rows *sql.Rows) error {
		var id int
		err := rows.Scan(&id)
		null[id] = true
		return err
	}, "SELECT trial_id FROM trials WHERE study_id = %d AND value IS NULL", study.ID)
	return null, err
}

// Later returns the system attributes of other trials that may have been
// planned since h was read, by trial id: those that were running then, since one
// with a plan may have made another, those that waited, and all that came after. In
// memory there are none: a sampler plans one trial at a time.
func (h *History) Later(study *goptuna.Study) (map[int]map[string]string, error) {
	var known strings.Builder
	for _, t := range h.Running {
		fmt.Fprintf(&known, ", %d", t.ID)
	}
	for _, id := range h.waiting {
		fmt.Fprintf(&known, ", %d", id)
	}
	attrs := map[int]map[string]string{}
	err := query(study, func(rows *sql.Rows) error {
		var id int
		var key, value string
		if err := rows.Scan(&id, &key, &value); err != nil {
			return err
		}
		if attrs[id] == nil {
			attrs[id] = map[string]string{}
		}
		attrs[id][key] = value
		return nil
	}, `SELECT a.trial_id, a.key, a.value FROM trial_system_attributes a JOIN trials t ON t.trial_id = a.trial_id
		WHERE t.study_id = %d AND t.trial_id <> %d AND (t.trial_id > %d OR t.trial_id IN (-1%s))`, study.ID, h.Self, h.latestID, &known)
	return attrs, err
}
