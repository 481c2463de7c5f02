// Package sqlite keeps the runs of a harness.Plan in SQLite files. It is a package
// of its own so that a program without such files does not carry the database,
// which is most of its memory.
package sqlite

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Open opens an SQLite file, or creates it, with Goptuna's tables in it.
func Open(path string) (storage goptuna.Storage, end func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, nil, err
	}
	db, err := gorm.Open(sqlite.Open(path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"),
		&gorm.Config{Logger: logger.Discard})
	if err == nil {
		err = rdb.RunAutoMigrate(db)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	connection, err := db.DB()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return cachedrdb.NewStorage(db), connection.Close, nil
}
