package cachedrdb

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Drivers are the functions that make a GORM dialector of a data source name, by
// the scheme of a URL: "sqlite", "mysql", "postgres". They come from the caller's
// imports, so that this module needs no driver:
//
//	cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open}
type Drivers map[string]func(dsn string) gorm.Dialector

// ErrInvalid is wrapped by errors about a path, a URL, the drivers, the tables of
// another program or a trial to clone: another attempt would not change them, as it may
// those of a database.
var ErrInvalid = errors.New("cachedrdb")

// invalid is an error that is ErrInvalid without its text, to be put after the name
// of the database.
type invalid string

func (e invalid) Error() string { return string(e) }
func (e invalid) Unwrap() error { return ErrInvalid }

// busyTimeout is how long SQLite waits for another connection's lock. Nothing in
// a storage takes longer than some milliseconds; many workers may queue.
const busyTimeout = time.Minute

// OpenSQLite opens the SQLite file at path, which it creates if there is none,
// with Goptuna's tables in it. The driver is sqlite.Open of
// github.com/glebarez/sqlite, which needs no C compiler, or of
// gorm.io/driver/sqlite.
//
// Any number of goroutines and processes of one machine may open the same file,
// also at the same moment. The file must not lie on a network share: locks do not
// work there. Two files beside it, with the endings -wal and -shm, belong to it
// while it is open.
//
// While another program has the file locked, OpenSQLite tries again for a minute.
// Errors about the path, the driver or the tables of another program wrap ErrInvalid.
func OpenSQLite(path string, driver func(dsn string) gorm.Dialector) (*Storage, error) {
	t, err := sqliteTarget(path, driver)
	if err != nil {
		return nil, err
	}
	return t.open(migrate)
}

// Close closes the connections to the database. Storages that share them, by
// NewStorage on one gorm.DB, are closed, too.
func (s *Storage) Close() error {
	db, err := s.DB()
	if err != nil {
		return err
	}
	return db.Close()
}

// target is a database to open.
type target struct {
	name   string // for people: without a password
	path   string // of a SQLite file
	dsn    string
	driver func(dsn string) gorm.Dialector
}

// sqliteTarget returns the SQLite file at path.
func sqliteTarget(path string, driver func(dsn string) gorm.Dialector) (target, error) {
	if driver == nil {
		return target{}, fmt.Errorf("%w: no SQLite driver: give sqlite.Open of github.com/glebarez/sqlite or of gorm.io/driver/sqlite", ErrInvalid)
	}
	if err := checkPath(path); err != nil {
		return target{}, err
	}
	return target{name: "the SQLite file " + path, path: path, dsn: sqliteDSN(path), driver: driver}, nil
}

// open connects to the database, and has the tables prepared. It tries again while
// the database is locked: SQLite does not wait where two connections turn a new
// file to WAL at once.
func (t target) open(prepare func(*gorm.DB) error) (*Storage, error) {
	for begin := time.Now(); ; {
		storage, err := connect(t.driver(t.dsn), prepare)
		if err == nil {
			return storage, nil
		}
		if !strings.Contains(err.Error(), "database is locked") || time.Since(begin) > busyTimeout {
			if dir := filepath.Dir(t.path); t.path != "" && refused(err) && !writable(dir) {
				err = invalid(fmt.Sprintf("%v; no file can be made in the directory %s, as SQLite does beside its own", err, dir))
			}
			return nil, fmt.Errorf("cachedrdb: cannot open %s: %w", t.name, err)
		}
		time.Sleep(5*time.Millisecond + rand.N(20*time.Millisecond))
	}
}

func connect(dialector gorm.Dialector, prepare func(*gorm.DB) error) (*Storage, error) {
	// Errors are returned. GORM would print them, too, and "record not found"
	// wherever something is looked for.
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err == nil {
		err = prepare(db)
	}
	if err != nil {
		closePool(db)
		return nil, err
	}
	return NewStorage(db), nil
}

// closePool closes the connections of a database that was not opened to the end.
func closePool(db *gorm.DB) {
	if db == nil || db.ConnPool == nil {
		return
	}
	if pool, err := db.DB(); err == nil {
		pool.Close()
	}
}

// checkPath says what is wrong with a path. SQLite's own words for a missing
// directory are "out of memory".
func checkPath(path string) error {
	switch {
	case path == "":
		return fmt.Errorf(`%w: the path of the SQLite file is empty; give one, such as "study.db"`, ErrInvalid)
	case strings.Contains(path, ":memory:"):
		return fmt.Errorf("%w: every connection to :memory: has a database of its own; for a study in memory, omit StudyOptionStorage", ErrInvalid)
	case strings.HasPrefix(path, "file:"), strings.Contains(path, "?"):
		return fmt.Errorf("%w: the SQLite file is given as %q; give a path without file: and without ?, the settings are made here", ErrInvalid, path)
	}
	if isDir(path) {
		return fmt.Errorf("%w: %s is a directory; give the path of a file in it", ErrInvalid, path)
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no directory %s for the SQLite file %s; create it first", ErrInvalid, dir, filepath.Base(path))
	case err != nil:
		return fmt.Errorf("%w: cannot open the SQLite file %s: %w", ErrInvalid, path, err)
	case !info.IsDir():
		return fmt.Errorf("%w: %s is no directory, and cannot have the SQLite file %s", ErrInvalid, dir, filepath.Base(path))
	}
	return nil
}

// refused reports whether SQLite may have missed a right. Of some directories it says
// "unable to open database file: out of memory".
func refused(err error) bool {
	text := err.Error()
	return strings.Contains(text, "readonly database") || strings.Contains(text, "unable to open database file")
}

// writable reports whether a file can be made in a directory.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "cachedrdb-*")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}

// sqliteDSN returns the path with the settings that a study needs.
func sqliteDSN(path string) string {
	return existingDSN(path) + "&" + strings.Join([]string{
		// Others can read while one writes.
		"_pragma=journal_mode(WAL)&_journal_mode=WAL",
		// Safe with WAL, and faster: a power cut may cost the last trials, never the file.
		"_pragma=synchronous(NORMAL)&_synchronous=NORMAL",
	}, "&")
}

// existingDSN returns the path with those settings that do not change the file, each
// as both drivers know it: glebarez's as _pragma, mattn's, which is GORM's, by a name
// of its own. Each ignores the other's.
func existingDSN(path string) string {
	ms := busyTimeout.Milliseconds()
	return path + "?" + strings.Join([]string{
		// Wait for the lock of another connection rather than fail.
		fmt.Sprintf("_pragma=busy_timeout(%d)&_busy_timeout=%d", ms, ms),
		// A study that is deleted takes its trials along.
		"_pragma=foreign_keys(1)&_foreign_keys=1",
		// A transaction that begins with a read could not wait for the lock to write.
		"_txlock=immediate",
	}, "&")
}

// immutableDSN names a file that SQLite is to read without files beside it, and without
// locks. Only a URL can say so.
func immutableDSN(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // also before C:
	u := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro&immutable=1"}
	return u.String(), nil
}
