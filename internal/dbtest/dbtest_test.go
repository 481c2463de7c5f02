package dbtest_test

import (
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
)

// Two connections see the same study, and two databases of one server do not
// share any.
func TestDatabases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		if _, err := goptuna.CreateStudy("s", goptuna.StudyOptionStorage(db.Open(t))); err != nil {
			t.Fatal(err)
		}
		if _, err := goptuna.LoadStudy("s", goptuna.StudyOptionStorage(db.Open(t))); err != nil {
			t.Error("another connection:", err)
		}
		other := dbtest.New(t, db.Kind)
		if _, err := goptuna.LoadStudy("s", goptuna.StudyOptionStorage(other.Open(t))); err == nil {
			t.Error("another database has the study too")
		}
	})
}

// A restart breaks connections, and keeps what was committed.
func TestRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("restarts servers")
	}
	for _, kind := range []dbtest.Kind{dbtest.MySQL, dbtest.Postgres} {
		t.Run(string(kind), func(t *testing.T) {
			db := dbtest.New(t, kind)
			storage := db.Open(t)
			id, err := storage.CreateNewStudy("s")
			if err != nil {
				t.Fatal(err)
			}
			pool, err := storage.DB()
			if err != nil {
				t.Fatal(err)
			}
			tx, err := pool.Begin()
			if err != nil {
				t.Fatal(err)
			}
			db.Restart(t, 100*time.Millisecond)
			if _, err := tx.Exec("DELETE FROM studies"); err == nil {
				t.Error("a connection has outlived the server")
			}
			tx.Rollback()
			if got, err := db.Open(t).GetStudyIDFromName("s"); err != nil || got != id {
				t.Errorf("study %d after the restart, error %v; want %d", got, err, id)
			}
		})
	}
}
