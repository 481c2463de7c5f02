package cachedrdb

import (
	"cmp"
	"math"
	"slices"

	"github.com/c-bata/goptuna"
)

// snapshot is a study as it was read. A trial is open if it must be read again
// before it is returned, and closed otherwise. Snapshots are immutable, and so
// are the records in them.
type snapshot struct {
	records []*record // by trial id
	open    []int     // trial ids, ascending
}

func (s snapshot) find(trialID int) (int, bool) {
	return slices.BinarySearchFunc(s.records, trialID, func(r *record, id int) int { return cmp.Compare(r.id, id) })
}

// closed returns the record of a closed trial, or nil.
func (s snapshot) closed(trialID int) *record {
	i, ok := s.find(trialID)
	if !ok {
		return nil
	}
	if _, open := slices.BinarySearch(s.open, trialID); open {
		return nil
	}
	return s.records[i]
}

// opened returns the snapshot with the given trials, as far as it has them, open.
func (s snapshot) opened(trialIDs map[int]struct{}) snapshot {
	if len(trialIDs) == 0 {
		return s
	}
	open := slices.Clone(s.open)
	for id := range trialIDs {
		if s.closed(id) != nil {
			open = append(open, id)
		}
	}
	slices.Sort(open)
	return snapshot{s.records, open}
}

// newSnapshot returns the snapshot with the given records, sorted by trial id.
func newSnapshot(records []*record) snapshot {
	s := snapshot{records: records}
	for _, r := range records {
		if !r.state.IsFinished() {
			s.open = append(s.open, r.id)
		}
	}
	return s
}

// best returns the complete trial with the best value, or nil. NaN is none.
func (s snapshot) best(direction goptuna.StudyDirection) *record {
	var best *record
	for _, r := range s.records {
		switch {
		case r.state != goptuna.TrialStateComplete || math.IsNaN(r.value):
		case best == nil,
			direction == goptuna.StudyDirectionMaximize && r.value > best.value,
			direction != goptuna.StudyDirectionMaximize && r.value < best.value:
			best = r
		}
	}
	return best
}

// merged returns the snapshot with what was read after it: every row whose trial
// is open, every row with an id from that of the last record upwards, by trial id,
// and the number of all rows. It also returns the records to read the children of. It
// reports false if rows other than these have changed, so that the snapshot is
// of no use.
//
// The rows are all that can have changed by rdb.Storage:
//
//   - A closed trial has not changed, by definition.
//   - A new trial has a higher id than those before it in its study. The
//     databases hand out ids in ascending order, and the creation of a trial
//     takes its id and commits while it holds a lock on the study's row (on the
//     whole database in SQLite), so that ids appear in that order too. Where
//     they don't, be it that rows were inserted by hand or that a cluster of
//     databases locks less, the number of rows gives it away.
//   - Trials vanish with their study only. Then the last one is missing, or it is
//     another one that was given the same id: SQLite (in tables without
//     AUTOINCREMENT) and MySQL before version 8 (when it starts) count on from
//     the highest id in the table. They can only give a trial's id away if the
//     study's last id was free as well, so to look at the last row is enough.
func (s snapshot) merged(rows []trialRow, total int) (next snapshot, read []*record, ok bool) {
	records := slices.Clone(s.records)
	seen := 0 // rows of known trials
	for _, row := range rows {
		i, known := s.find(row.id)
		if !known {
			r := &record{trialRow: row}
			records, read = append(records, r), append(read, r)
			continue
		}
		if !row.sameTrial(records[i].trialRow) {
			return snapshot{}, nil, false
		}
		seen++
		if closed := s.closed(row.id); closed == nil {
			records[i] = &record{trialRow: row}
			read = append(read, records[i])
		} else if !closed.trialRow.equal(row) {
			return snapshot{}, nil, false
		}
	}
	expected := len(s.open)
	if last := s.records[len(s.records)-1]; s.closed(last.id) != nil {
		expected++
	}
	if seen != expected || total != len(records) {
		return snapshot{}, nil, false
	}
	return newSnapshot(records), read, true
}
