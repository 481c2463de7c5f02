package cachedrdb_test

import (
	"context"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// counter is a logger that counts queries and the rows they return.
type counter struct {
	logger.Interface
	queries int
}

func (c *counter) Trace(context.Context, time.Time, func() (string, int64), error) { c.queries++ }

// How many queries each reading takes.
func TestQueries(t *testing.T) {
	db := openSQLite(t)
	plain := rdb.NewStorage(db)
	id := newStudy(t, plain, "study")
	fill(t, db, id, 450, 2)
	queries := &counter{Interface: logger.Discard}
	cached := cachedrdb.NewStorage(db.Session(&gorm.Session{Logger: queries}))
	all := func() error { _, err := cached.GetAllTrials(id); return err }
	best := func() error { _, err := cached.GetBestTrial(id); return err }
	trial := func(id int) func() error {
		return func() error { _, err := cached.GetTrial(id); return err }
	}
	const finished, open = 7, 451
	for _, test := range []struct {
		name string
		read func() error
		want int
		why  string
	}{
		{"a trial before all", trial(finished), 2, "its row and its children"},
		{"the first time", all, 4, "the rows, and the children of 200, 200 and 50"},
		{"the second time", all, 1, "new rows: none"},
		{"the best trial", best, 2, "the direction, and new rows"},
		{"a finished trial", trial(finished), 1, "its row, which has not changed"},
		{"create", func() error { _, err := plain.CreateNewTrial(id); return err }, 0, ""},
		{"with a running trial", all, 2, "new rows, and their children"},
		{"with the same", all, 2, "open rows, and their children"},
		{"the running trial", trial(open), 2, "its row and its children"},
		{"number", func() error { _, err := cached.GetTrialNumberFromID(open); return err }, 1, "its row"},
		{"finish", func() error { return plain.SetTrialState(open, goptuna.TrialStateFail) }, 0, ""},
		{"when it has finished", all, 2, "open rows, and their children"},
		{"after that", all, 1, "new rows: none"},
		{"late", func() error { return plain.SetTrialUserAttr(finished, "late", "by another process") }, 0, ""},
		{"what others do to finished trials is not seen", all, 1, "new rows: none"},
	} {
		queries.queries = 0
		check(t, test.read())
		if queries.queries != test.want {
			t.Errorf("%s: %d queries, want %d (%s)", test.name, queries.queries, test.want, test.why)
		}
	}
}

// A queue of more trials than a query takes variables.
func TestManyOpenTrials(t *testing.T) {
	skipShort(t)
	db := openSQLite(t)
	queries := &counter{Interface: logger.Discard}
	plain, cached := rdb.NewStorage(db), cachedrdb.NewStorage(db.Session(&gorm.Session{Logger: queries}))
	id := newStudy(t, plain, "study")
	fill(t, db, id, 1150, 1)
	check(t, db.Exec("UPDATE trials SET state = 'WAITING' WHERE number >= 200").Error)
	agree(t, "first", cached, plain, []int{id}, nil)
	queries.queries = 0
	_, err := cached.GetAllTrials(id)
	check(t, err)
	if want := 2 + 5; queries.queries != want {
		t.Errorf("%d queries, want %d: two portions of open rows, five of children", queries.queries, want)
	}
	check(t, db.Exec("UPDATE trials SET state = 'COMPLETE'").Error)
	complete(t, plain, id, 1)
	running(t, plain, id, 1)
	agree(t, "when all have finished", cached, plain, []int{id}, nil)
}
