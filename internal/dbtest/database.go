package dbtest

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	driver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Kind is a database system.
type Kind string

const (
	SQLite   Kind = "sqlite"
	MySQL    Kind = "mysql" // MariaDB, or whatever server the environment names
	Postgres Kind = "postgres"
)

// EachKind runs the test for every kind of database, as a subtest named after it.
func EachKind(t *testing.T, test func(t *testing.T, kind Kind)) {
	t.Helper()
	for _, kind := range []Kind{SQLite, MySQL, Postgres} {
		t.Run(string(kind), func(t *testing.T) { test(t, kind) })
	}
}

// Each runs the test on a new database of every kind.
func Each(t *testing.T, test func(t *testing.T, db *Database)) {
	t.Helper()
	EachKind(t, func(t *testing.T, kind Kind) { test(t, New(t, kind)) })
}

// EachEmpty is Each without Goptuna's tables.
func EachEmpty(t *testing.T, test func(t *testing.T, db *Database)) {
	t.Helper()
	EachKind(t, func(t *testing.T, kind Kind) { test(t, NewEmpty(t, kind)) })
}

// Database is a database of one test, with Goptuna's tables in it.
type Database struct {
	Kind Kind
	// DSN is what Connect takes, in this process or another.
	DSN string

	server *server // nil for SQLite
}

// New creates a database. It skips the test when there is no server of the
// kind. The database is dropped after the test.
func New(t testing.TB, kind Kind) *Database {
	t.Helper()
	d := NewEmpty(t, kind)
	db, err := open(kind, d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(db)
	if err := rdb.RunAutoMigrate(db); err != nil {
		t.Fatalf("dbtest: creating the tables: %v", err)
	}
	return d
}

// NewEmpty creates a database as New does, without Goptuna's tables. In SQLite not
// even the file is there.
func NewEmpty(t testing.TB, kind Kind) *Database {
	t.Helper()
	d := &Database{Kind: kind}
	if kind == SQLite {
		// As cachedrdb.OpenSQLite does, but without waiting for the disk.
		d.DSN = filepath.Join(t.TempDir(), "study.db") +
			"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=foreign_keys(1)&_txlock=immediate"
		return d
	}
	server, err := shared[kind]()
	if missing := (missingError{}); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.server = server
	if d.DSN, err = server.create(t); err != nil {
		t.Fatalf("dbtest: creating a database: %v", err)
	}
	return d
}

// Open returns a storage with connections of its own, which are closed after
// the test: what a process that joins has.
func (d *Database) Open(t testing.TB) *rdb.Storage {
	t.Helper()
	return rdb.NewStorage(d.OpenDB(t))
}

// OpenDB returns what Open makes a storage of.
func (d *Database) OpenDB(t testing.TB) *gorm.DB {
	t.Helper()
	db, err := open(d.Kind, d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeDB(db) })
	return db
}

// URL returns the address of the database in the form scheme://user@host/name, or
// sqlite:path.
func (d *Database) URL(t testing.TB) string {
	t.Helper()
	u := url.URL{Scheme: string(d.Kind)}
	switch {
	case d.Kind == SQLite:
		path, _, _ := strings.Cut(d.DSN, "?")
		return "sqlite:" + path
	case d.Kind == MySQL:
		config, err := driver.ParseDSN(d.DSN)
		if err != nil {
			t.Fatal(err)
		}
		u.Host, u.User, u.Path = config.Addr, url.UserPassword(config.User, config.Passwd), "/"+config.DBName
	case strings.Contains(d.DSN, "://"):
		return d.DSN
	default:
		options := url.Values{}
		for _, option := range strings.Fields(d.DSN) {
			name, value, _ := strings.Cut(option, "=")
			options.Set(name, value) // the last one counts
		}
		u.Path, u.RawQuery = "/", options.Encode()
	}
	return u.String()
}

// OnSQLite is the option for a study in a new SQLite file.
func OnSQLite(t testing.TB) goptuna.StudyOption {
	t.Helper()
	return goptuna.StudyOptionStorage(New(t, SQLite).Open(t))
}

// Connect opens a database that New has created.
func Connect(kind Kind, dsn string) (*rdb.Storage, error) {
	db, err := open(kind, dsn)
	if err != nil {
		return nil, err
	}
	return rdb.NewStorage(db), nil
}

// Restart breaks the server off, without a farewell to its clients, lets it be
// down for a while, starts it again and waits until it answers. What was
// committed stays. It skips the test when the server is not a private one.
func (d *Database) Restart(t testing.TB, down time.Duration) {
	t.Helper()
	if !d.Private() {
		t.Skip("dbtest: only a private server can be restarted")
	}
	if err := d.server.restart(down); err != nil {
		t.Fatal(err)
	}
}

// Private reports whether the database can be restarted.
func (d *Database) Private() bool { return d.server != nil && d.server.private() }

func open(kind Kind, dsn string) (*gorm.DB, error) {
	var dialector gorm.Dialector
	switch kind {
	case SQLite:
		dialector = sqlite.Open(dsn)
	case MySQL:
		config, err := driver.ParseDSN(dsn)
		if err != nil {
			return nil, fmt.Errorf("dbtest: opening %s: %w", kind, err)
		}
		config.Logger = &driver.NopLogger{} // a broken connection is an error, too
		connector, err := driver.NewConnector(config)
		if err != nil {
			return nil, fmt.Errorf("dbtest: opening %s: %w", kind, err)
		}
		dialector = mysql.New(mysql.Config{Conn: sql.OpenDB(connector)})
	case Postgres:
		dialector = postgres.Open(dsn)
	default:
		return nil, fmt.Errorf("dbtest: unknown kind %q", kind)
	}
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, fmt.Errorf("dbtest: opening %s: %w", kind, err)
	}
	return db, nil
}

func closeDB(db *gorm.DB) {
	if pool, err := db.DB(); err == nil {
		pool.Close()
	}
}
