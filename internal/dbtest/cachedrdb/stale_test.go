package cachedrdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// running adds a running trial with a parameter to a study.
func running(t *testing.T, s goptuna.Storage, studyID int, x float64) int {
	t.Helper()
	id, err := s.CreateNewTrial(studyID)
	check(t, err)
	check(t, s.SetTrialParam(id, "x", x, goptuna.UniformDistribution{Low: 0, High: 100}))
	return id
}

// complete adds a complete trial with a parameter to a study.
func complete(t *testing.T, s goptuna.Storage, studyID int, x float64) int {
	t.Helper()
	id := running(t, s, studyID, x)
	check(t, s.SetTrialValue(id, x))
	check(t, s.SetTrialState(id, goptuna.TrialStateComplete))
	return id
}

// newStudy returns the id of a new study.
func newStudy(t testing.TB, s goptuna.Storage, name string) int {
	t.Helper()
	id, err := s.CreateNewStudy(name)
	check(t, err)
	return id
}

// SQLite can give the ids of deleted rows to new ones. A study in the place of
// another one, with the same ids and the same name, is not taken for it.
func TestStudyInPlaceOfAnother(t *testing.T) {
	for _, test := range []struct {
		name                      string
		complete, running         int
		newComplete, newRunning   int
		otherFirst, byOtherWriter bool
		clones                    bool // with the times of the trials they replace
	}{
		{name: "as many", complete: 3, newComplete: 3},
		{name: "as many, by another process", complete: 3, newComplete: 3, byOtherWriter: true},
		{name: "as many, the last running", complete: 2, running: 1, newComplete: 2, newRunning: 1, byOtherWriter: true},
		{name: "the last complete now", complete: 2, running: 1, newComplete: 3, byOtherWriter: true},
		{name: "the last running now", complete: 3, newComplete: 2, newRunning: 1, byOtherWriter: true},
		{name: "as many, started at the same times", complete: 3, newComplete: 3, byOtherWriter: true, clones: true},
		{name: "fewer", complete: 3, newComplete: 2, byOtherWriter: true},
		{name: "more", complete: 3, newComplete: 5, byOtherWriter: true},
		{name: "none", complete: 3, byOtherWriter: true},
		{name: "none before", newComplete: 3, byOtherWriter: true},
		{name: "the first id belongs to another study now", complete: 3, newComplete: 3, otherFirst: true, byOtherWriter: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := openSQLite(t)
			var plain, cached goptuna.Storage = rdb.NewStorage(db), cachedrdb.NewStorage(db)
			add := func(studyID, completed, open int, x float64) {
				for i := range completed {
					complete(t, plain, studyID, x+float64(i))
				}
				for range open {
					running(t, plain, studyID, x)
				}
			}
			id := newStudy(t, plain, "study")
			add(id, test.complete, test.running, 10)
			agree(t, "before", cached, plain, []int{id}, nil)

			old, err := plain.GetAllTrials(id)
			check(t, err)

			writer := cached
			if test.byOtherWriter {
				writer = plain
			}
			check(t, writer.DeleteStudy(id))
			for _, table := range []string{"studies", "trials", "trial_params"} {
				check(t, db.Exec("DELETE FROM sqlite_sequence WHERE name = ?", table).Error)
			}
			if again := newStudy(t, plain, "study"); again != id {
				t.Fatalf("the second study has id %d, want %d", again, id)
			}
			if test.otherFirst {
				complete(t, plain, newStudy(t, plain, "other"), 50)
			}
			if test.clones {
				for _, trial := range old {
					trial.Value++
					_, err := plain.CloneTrial(id, trial)
					check(t, err)
				}
			} else {
				add(id, test.newComplete, test.newRunning, 20)
			}
			agree(t, "after", cached, plain, []int{id, id + 1}, []int{1, 2, 3, 4, 5})
			agree(t, "after that", cached, plain, []int{id, id + 1}, []int{1, 2, 3, 4, 5})
		})
	}
}

// A trial may become visible after one with a higher id, as when its transaction
// commits later.
func TestDatabaseLowerIDAppearsLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, database *dbtest.Database) {
		db := database.OpenDB(t)
		plain, cached := rdb.NewStorage(db), cachedrdb.NewStorage(db)
		id := newStudy(t, plain, "study")
		first := complete(t, plain, id, 1)
		insert := func(trialID int, state string) {
			row := trialRow{TrialID: trialID, StudyID: id, State: state, Value: float64(trialID), DatetimeStart: time.Now(), DatetimeComplete: time.Now()}
			check(t, db.Create(&row).Error)
		}
		for i, trial := range []struct {
			offset int
			state  string
		}{
			{20, "COMPLETE"}, {10, "COMPLETE"}, {15, "RUNNING"}, {14, "COMPLETE"}, {30, "RUNNING"}, {25, "COMPLETE"}, {5, "WAITING"},
		} {
			insert(first+trial.offset, trial.state)
			agree(t, fmt.Sprint("trial ", i), cached, plain, []int{id}, []int{first + trial.offset})
		}
		// As many vanish as appear.
		check(t, db.Delete(&trialRow{TrialID: first + 10}).Error)
		insert(first+40, "COMPLETE")
		agree(t, "one in place of another", cached, plain, []int{id}, nil)
		check(t, db.Delete(&trialRow{TrialID: first + 40}).Error)
		insert(first+2, "COMPLETE")
		agree(t, "one in place of the last", cached, plain, []int{id}, nil)
		check(t, db.Delete(&trialRow{TrialID: first + 15}).Error)
		insert(first+3, "COMPLETE")
		agree(t, "one in place of a running one", cached, plain, []int{id}, nil)
		// SQLite does not have two transactions that write.
		if db.Name() != "sqlite" {
			if db.Name() == "postgres" { // which does not count the ids that were not its own
				check(t, db.Exec("SELECT setval('trials_trial_id_seq', 100)").Error)
			}
			slow := db.Begin()
			for i, tx := range []*gorm.DB{slow, db} {
				check(t, tx.Create(&trialRow{StudyID: id, State: "COMPLETE", Value: -float64(i), DatetimeStart: time.Now(), DatetimeComplete: time.Now()}).Error)
			}
			agree(t, "before a transaction commits", cached, plain, []int{id}, nil)
			check(t, slow.Commit().Error)
			agree(t, "after a transaction has committed", cached, plain, []int{id}, nil)
		}
	})
}

// Rows of trials that vanish alone, which rdb.Storage never makes them do.
func TestTrialsDeletedByHand(t *testing.T) {
	db := openSQLite(t)
	plain, cached := rdb.NewStorage(db), cachedrdb.NewStorage(db)
	id := newStudy(t, plain, "study")
	var trials []int
	for i := range 4 {
		trials = append(trials, complete(t, plain, id, float64(i)), running(t, plain, id, float64(i)))
	}
	for _, i := range []int{2, 3, 7, 6, 0, 1, 4, 5} {
		agree(t, "before", cached, plain, []int{id}, trials)
		check(t, db.Delete(&trialRow{TrialID: trials[i]}).Error)
		agree(t, fmt.Sprintf("without trial %d", i), cached, plain, []int{id}, trials)
	}
}

// A finished trial is written to, through the same storage, while a reading is
// about to cache it from before the write.
func TestWriteDuringReading(t *testing.T) {
	db := openSQLite(t)
	plain := rdb.NewStorage(db)
	id := newStudy(t, plain, "study")
	fill(t, db, id, 300, 1) // in two portions
	const trial = 1

	var cached *cachedrdb.Storage
	queries := 0
	hooked := db.Session(&gorm.Session{NewDB: true})
	check(t, hooked.Callback().Row().Register("test:write", func(*gorm.DB) {
		if queries++; queries == 3 { // the rows, and the first portion of their children
			check(t, cached.SetTrialUserAttr(trial, "late", "yes"))
		}
	}))
	cached = cachedrdb.NewStorage(hooked)
	before, err := cached.GetAllTrials(id)
	check(t, err)
	if queries != 3 || before[0].ID != trial || len(before[0].UserAttrs) != 0 {
		t.Fatalf("%d queries, attributes %v: the test wants to write when the trial has been read", queries, before[0].UserAttrs)
	}
	agree(t, "after the write", cached, plain, []int{id}, []int{trial})
}

// A study is deleted while the list of studies is being read. The others are in it.
func TestDeletionDuringSummaries(t *testing.T) {
	db := openSQLite(t)
	plain, cached := rdb.NewStorage(db), cachedrdb.NewStorage(db)
	id, other := newStudy(t, plain, "study"), newStudy(t, plain, "other")
	complete(t, plain, id, 1)
	complete(t, plain, other, 1)
	queries := 0
	check(t, db.Callback().Row().Before("gorm:row").Register("test:delete", func(*gorm.DB) {
		if queries++; queries == 3 { // after the studies, and the rows of the first one's trials
			check(t, plain.DeleteStudy(id))
		}
	}))
	summaries, err := cached.GetAllStudySummaries()
	check(t, err)
	if last := summaries[len(summaries)-1]; last.ID != other || last.BestTrial.Value != 1 {
		t.Errorf("summaries %+v", summaries)
	}
}
