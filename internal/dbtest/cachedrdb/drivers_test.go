package cachedrdb_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// sqliteDrivers are the drivers of SQLite that OpenSQLite speaks to. The one that
// needs a C compiler adds itself.
var sqliteDrivers = map[string]func(dsn string) gorm.Dialector{"glebarez": sqlite.Open}

// The settings arrive, whatever the driver calls them.
func TestSQLiteSettings(t *testing.T) {
	for name, driver := range sqliteDrivers {
		storage, err := cachedrdb.OpenSQLite(filepath.Join(t.TempDir(), "study.db"), driver)
		check(t, err)
		defer storage.Close()
		db, err := storage.DB()
		check(t, err)
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "busy_timeout": "60000", "synchronous": "1", "foreign_keys": "1",
		} {
			if got := setting(t, storage, pragma); got != want {
				t.Errorf("%s: %s is %s, want %s", name, pragma, got, want)
			}
		}
		// A transaction has the lock to write from its first statement on.
		first, err := db.Begin()
		check(t, err)
		other, err := db.Conn(context.Background())
		check(t, err)
		_, err = other.ExecContext(context.Background(), "PRAGMA busy_timeout = 10")
		check(t, err)
		if tx, err := other.BeginTx(context.Background(), nil); err == nil {
			tx.Rollback()
			t.Errorf("%s: two transactions at a time", name)
		}
		check(t, other.Close())
		check(t, first.Rollback())
	}
}

// To look at a file does not change its journal.
func TestOpenExistingLeavesJournal(t *testing.T) {
	for name, driver := range sqliteDrivers {
		path := filepath.Join(t.TempDir(), "study.db")
		storage, err := cachedrdb.OpenSQLite(path, driver)
		check(t, err)
		setting(t, storage, "journal_mode = DELETE")
		check(t, storage.Close())
		storage, err = cachedrdb.OpenExisting("sqlite:"+path, cachedrdb.Drivers{"sqlite": driver})
		check(t, err)
		for pragma, want := range map[string]string{"journal_mode": "delete", "busy_timeout": "60000", "foreign_keys": "1"} {
			if got := setting(t, storage, pragma); got != want {
				t.Errorf("%s: %s is %s, want %s", name, pragma, got, want)
			}
		}
		check(t, storage.Close())
	}
}

// setting returns the value of a pragma, or sets it.
func setting(t *testing.T, storage *cachedrdb.Storage, pragma string) (value string) {
	t.Helper()
	db, err := storage.DB()
	check(t, err)
	check(t, db.QueryRow("PRAGMA "+pragma).Scan(&value))
	return value
}
