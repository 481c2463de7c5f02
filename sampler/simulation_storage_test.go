package sampler_test

import (
	"path/filepath"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// sqliteDB opens a new database of the test's own.
func sqliteDB(t testing.TB) *gorm.DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.db")
	db, err := gorm.Open(sqlite.Open(file+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_txlock=immediate"),
		&gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if conn, err := db.DB(); err != nil || conn.Close() != nil {
			t.Errorf("closing %s: %v", file, err)
		}
	})
	if err := rdb.RunAutoMigrate(db); err != nil {
		t.Fatal(err)
	}
	return db
}

// The random studies of TestSimulation, on databases.
func TestSimulationOnDatabases(t *testing.T) {
	count := uint64(30)
	if testing.Short() {
		count = 8
	}
	if *simulationCount > 0 {
		count = *simulationCount
	}
	for name, storage := range map[string]func(testing.TB) goptuna.Storage{
		"rdb":       func(t testing.TB) goptuna.Storage { return rdb.NewStorage(sqliteDB(t)) },
		"cachedrdb": func(t testing.TB) goptuna.Storage { return cachedrdb.NewStorage(sqliteDB(t)) },
	} {
		t.Run(name, func(t *testing.T) { simulate(t, *simulationSeed, count, storage) })
	}
}
