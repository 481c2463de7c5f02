package cachedrdb

import (
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"
)

const (
	// openChunk and childrenChunk are how many trial ids go into one query.
	// SQLite before version 3.32 takes 999 variables; children name their ids
	// four times.
	openChunk     = 900
	childrenChunk = 200
)

// reader reads trials from the tables of rdb.v2.
type reader struct {
	db            *gorm.DB
	distributions distributions

	// Queries, with the identifiers quoted as the database has it.
	byID, byStudy, changed, open, children string
}

func newReader(db *gorm.DB) *reader {
	quote := func(names ...string) string {
		quoted := make([]string, len(names))
		for i, name := range names {
			quoted[i] = db.Statement.Quote(name)
		}
		return strings.Join(quoted, ", ")
	}
	trials, id, study := quote("trials"), quote("trial_id"), quote("study_id")
	columns := quote("trial_id", "number", "study_id", "state", "value", "datetime_start", "datetime_complete")
	r := &reader{
		db:      db,
		byID:    fmt.Sprintf("SELECT %s FROM %s WHERE %s = ?", columns, trials, id),
		byStudy: fmt.Sprintf("SELECT %s FROM %s WHERE %s = ? ORDER BY %s", columns, trials, study, id),
		changed: fmt.Sprintf("SELECT %s, (SELECT COUNT(*) FROM %s WHERE %s = ?) FROM %s WHERE %s = ? AND (%s >= ? OR %s IN ?)",
			columns, trials, study, trials, study, id, id),
		open: fmt.Sprintf("SELECT %s FROM %s WHERE %s = ? AND %s IN ?", columns, trials, study, id),
	}
	// The members of the union have the same types in every column, for the
	// databases that insist: kind, trial, name, step, number, text.
	r.children = strings.Join([]string{
		fmt.Sprintf("SELECT %d, %s, 0, %s FROM %s WHERE %s IN ?", kindParam, quote("trial_id", "param_name"), quote("param_value", "distribution_json"), quote("trial_params"), id),
		fmt.Sprintf("SELECT %d, %s, '', %s, '' FROM %s WHERE %s IN ?", kindValue, id, quote("step", "value"), quote("trial_values"), id),
		fmt.Sprintf("SELECT %d, %s, 0, 0, %s FROM %s WHERE %s IN ?", kindUser, quote("trial_id", "key"), quote("value"), quote("trial_user_attributes"), id),
		fmt.Sprintf("SELECT %d, %s, 0, 0, %s FROM %s WHERE %s IN ?", kindSystem, quote("trial_id", "key"), quote("value"), quote("trial_system_attributes"), id),
	}, " UNION ALL ")
	return r
}

// The kinds of a trial's children.
const (
	kindParam = iota
	kindValue
	kindUser
	kindSystem
)

// advance returns a snapshot of the study as it is now, given an earlier one.
func (r *reader) advance(studyID int, s snapshot) (snapshot, error) {
	if len(s.records) > 0 {
		rows, total, err := r.changedRows(studyID, s)
		if err != nil {
			return snapshot{}, err
		}
		if next, read, ok := s.merged(rows, total); ok {
			return next, r.readChildren(read)
		}
	}
	s, err := r.rows(studyID)
	if err != nil {
		return snapshot{}, err
	}
	return s, r.readChildren(s.records)
}

// rows returns a snapshot of the study as it is now, without the children of its
// trials.
func (r *reader) rows(studyID int) (snapshot, error) {
	var records []*record
	err := r.scanTrials(func(row trialRow) { records = append(records, &record{trialRow: row}) }, nil, r.byStudy, studyID)
	return newSnapshot(records), err
}

// changedRows returns the rows that snapshot.merged asks for, by trial id, and
// the number of all rows at the time when the new ones were read.
func (r *reader) changedRows(studyID int, s snapshot) (rows []trialRow, total int, err error) {
	last := s.records[len(s.records)-1].id
	open := s.open
	if len(open) > 0 && open[len(open)-1] == last {
		open = open[:len(open)-1]
	}
	add := func(row trialRow) { rows = append(rows, row) }
	n := min(len(open), openChunk)
	if err := r.scanTrials(add, &total, r.changed, studyID, studyID, last, open[:n]); err != nil {
		return nil, 0, err
	}
	for chunk := range slices.Chunk(open[n:], openChunk) {
		if err := r.scanTrials(add, nil, r.open, studyID, chunk); err != nil {
			return nil, 0, err
		}
	}
	// Not by ORDER BY: SQLite would scan the table for it.
	slices.SortFunc(rows, func(a, b trialRow) int { return a.id - b.id })
	return rows, total, nil
}

// row returns a trial's row, or gorm.ErrRecordNotFound.
func (r *reader) row(trialID int) (trialRow, error) {
	var row trialRow
	found := false
	err := r.scanTrials(func(got trialRow) { row, found = got, true }, nil, r.byID, trialID)
	if err == nil && !found {
		err = gorm.ErrRecordNotFound
	}
	return row, err
}

// trial returns the trial of a row.
func (r *reader) trial(row trialRow) (goptuna.FrozenTrial, error) {
	rec := &record{trialRow: row}
	if err := r.readChildren([]*record{rec}); err != nil {
		return goptuna.FrozenTrial{}, err
	}
	return rec.frozen(), nil
}

// scanTrials calls add with each row of a query on the table of trials. The
// column after those of the trial goes to extra, unless that is nil.
func (r *reader) scanTrials(add func(trialRow), extra *int, query string, args ...any) error {
	return r.scan(query, args, func(rows *sql.Rows) error {
		var (
			row             trialRow
			number, study   sql.NullInt64
			state           string
			value           sql.NullFloat64
			start, complete sql.NullTime
		)
		dst := []any{&row.id, &number, &study, &state, &value, &start, &complete}
		if extra != nil {
			dst = append(dst, extra)
		}
		if err := rows.Scan(dst...); err != nil {
			return err
		}
		row.number, row.studyID = int(number.Int64), int(study.Int64)
		row.value, row.start, row.complete = orNaN(value), start.Time, complete.Time
		var ok bool
		if row.state, ok = states[state]; !ok {
			return fmt.Errorf("cachedrdb: the trial with id %d: %q is no state of a trial", row.id, state)
		}
		add(row)
		return nil
	})
}

// readChildren completes records that have only their rows. It comes after the
// query for these: the children of a trial that was finished then are final.
func (r *reader) readChildren(records []*record) error {
	for chunk := range slices.Chunk(records, childrenChunk) {
		byID := make(map[int]*record, len(chunk))
		ids := make([]int, len(chunk))
		for i, rec := range chunk {
			ids[i], byID[rec.id] = rec.id, rec
		}
		err := r.scan(r.children, []any{ids, ids, ids, ids}, func(rows *sql.Rows) error {
			var (
				kind, id, step int
				name, text     sql.NullString
				value          sql.NullFloat64
			)
			if err := rows.Scan(&kind, &id, &name, &step, &value, &text); err != nil {
				return err
			}
			rec := byID[id]
			switch kind {
			case kindParam:
				if err := rec.addParam(name.String, orNaN(value), text.String, &r.distributions); err != nil {
					return fmt.Errorf("cachedrdb: parameter %q of the trial with id %d: %w", name.String, id, err)
				}
			case kindValue:
				rec.values = append(rec.values, intermediate{step, orNaN(value)})
			case kindUser:
				rec.user = append(rec.user, attribute{name.String, text.String})
			case kindSystem:
				rec.system = append(rec.system, attribute{name.String, text.String})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, rec := range chunk {
			rec.clip()
		}
	}
	return nil
}

// scan calls f for each row that a query returns.
func (r *reader) scan(query string, args []any, f func(*sql.Rows) error) error {
	rows, err := r.db.Raw(query, args...).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// orNaN reads a number. rdb.v2 stores no NULL, but SQLite does in place of NaN.
func orNaN(x sql.NullFloat64) float64 {
	if !x.Valid {
		return math.NaN()
	}
	return x.Float64
}

// states are the states of trials as rdb.v2 writes them.
var states = map[string]goptuna.TrialState{
	"RUNNING":  goptuna.TrialStateRunning,
	"COMPLETE": goptuna.TrialStateComplete,
	"PRUNED":   goptuna.TrialStatePruned,
	"FAIL":     goptuna.TrialStateFail,
	"WAITING":  goptuna.TrialStateWaiting,
}
