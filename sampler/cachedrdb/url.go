package cachedrdb

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// imports says where to find the driver of each scheme.
var imports = map[string]string{
	"sqlite":   `"github.com/glebarez/sqlite"`,
	"mysql":    `"gorm.io/driver/mysql"`,
	"postgres": `"gorm.io/driver/postgres"`,
}

// aliases are other names of the schemes.
var aliases = map[string]string{"sqlite3": "sqlite", "mariadb": "mysql", "postgresql": "postgres"}

// Open opens the database that a URL names, with Goptuna's tables in it, which it
// creates if they are missing. The URLs are those that Goptuna's own command
// takes, and SQLAlchemy:
//
//	sqlite:study.db                             OpenSQLite's path; sqlite:///study.db is the same,
//	                                            and an absolute path has four slashes, or one
//	mysql://user:password@host:3306/database    MySQL or MariaDB
//	postgres://user:password@host:5432/database PostgreSQL
//
// Parameters after ? are the driver's, but for SQLite, which has none. In user
// and password, write characters such as @ : / % as %40 %3A %2F %25. Errors do
// not show the password; those about the URL, the drivers or the tables of another program
// wrap ErrInvalid.
func Open(url string, drivers Drivers) (*Storage, error) {
	t, err := parse(url, drivers)
	if err != nil {
		return nil, err
	}
	return t.open(migrate)
}

// OpenExisting opens the database that a URL names, as Open takes it, to look at
// the studies in it: it creates neither a file nor tables, and leaves the journal of a
// SQLite file as it is. A file that may only be read can be looked at, too. If it is
// in a directory where no file can be made, and no program has it open, it is seen as
// it is then: open it again to see what is written later. What is not there is an error.
func OpenExisting(url string, drivers Drivers) (*Storage, error) {
	t, err := parse(url, drivers)
	if err != nil {
		return nil, err
	}
	if t.path == "" {
		return t.open(existing)
	}
	if !isFile(t.path) {
		return nil, fmt.Errorf("%w: there is no SQLite file %s; start the program that makes the study first, or give its path", ErrInvalid, t.path)
	}
	t.dsn = existingDSN(t.path)
	storage, err := t.open(existing)
	if err == nil || !refused(err) || isFile(t.path+"-wal") || isFile(t.path+"-journal") {
		return storage, err
	}
	// SQLite reads a file with the journal WAL by the files beside it, which it makes
	// if there are none. Then all there is is in the file itself.
	if t.dsn, err = immutableDSN(t.path); err != nil {
		return nil, err
	}
	return t.open(existing)
}

// existing checks that the tables are there.
func existing(db *gorm.DB) error {
	ok, err := hasTables(db)
	if err == nil && !ok {
		err = errors.New("it does not have Goptuna's tables")
	}
	return err
}

// parse returns the database that a URL names.
func parse(dsn string, drivers Drivers) (target, error) {
	scheme, rest, ok := strings.Cut(dsn, ":")
	switch {
	case dsn == "":
		return target{}, fmt.Errorf("%w: the URL is empty; write sqlite:FILE, or begin with mysql:// or postgres://", ErrInvalid)
	case strings.ContainsAny(scheme, "=@"): // it may have a password
		return target{}, fmt.Errorf("%w: the text is no URL; begin with sqlite:, mysql:// or postgres://", ErrInvalid)
	case !ok:
		return target{}, fmt.Errorf("%w: %q is no URL; write sqlite:%s, or begin with mysql:// or postgres://", ErrInvalid, dsn, dsn)
	}
	scheme, _, _ = strings.Cut(scheme, "+") // SQLAlchemy's URLs may name a driver: mysql+pymysql
	if alias, ok := aliases[scheme]; ok {
		scheme = alias
	}
	if imports[scheme] == "" {
		return target{}, fmt.Errorf("%w: the URL begins with %s:; use sqlite:, mysql:// or postgres://", ErrInvalid, scheme)
	}
	driver := drivers[scheme]
	if driver == nil {
		return target{}, fmt.Errorf("%w: no driver for %s: import %s and give cachedrdb.Drivers{%q: %s.Open}; there is %v",
			ErrInvalid, scheme, imports[scheme], scheme, scheme, slices.Sorted(maps.Keys(drivers)))
	}
	if scheme == "sqlite" {
		return sqliteTarget(sqlitePath(rest), driver)
	}
	return serverTarget(scheme, rest, driver)
}

// serverTarget returns the database of a server that scheme:rest names.
func serverTarget(scheme, rest string, driver func(dsn string) gorm.Dialector) (target, error) {
	u, err := url.Parse(scheme + ":" + rest)
	if err != nil || u.Opaque != "" { // the text of err has the password
		return target{}, fmt.Errorf("%w: not a URL of the form %s://user:password@host/database; "+
			"in the password, write characters such as @ : / %% as %%40 %%3A %%2F %%25", ErrInvalid, scheme)
	}
	query := u.Query()
	if user := cmp.Or(query.Get("user"), u.User.Username()); user != "" && query.Has("password") {
		// The driver of PostgreSQL takes them there, too, and shows them in errors then.
		u.User = url.UserPassword(user, query.Get("password"))
		query.Del("user")
		query.Del("password")
		u.RawQuery = query.Encode()
	}
	dsn := u.String()
	if scheme == "mysql" {
		if strings.Trim(u.Path, "/") == "" {
			return target{}, fmt.Errorf("%w: the URL names no database; write mysql://user:password@host/database", ErrInvalid)
		}
		dsn = mysqlDSN(u)
	}
	query.Del("password")
	u.RawQuery = query.Encode()
	return target{name: u.Redacted(), dsn: dsn, driver: driver}, nil
}

// sqlitePath returns the file of sqlite:rest. Goptuna's command reads URLs as
// SQLAlchemy does, where three slashes begin a relative path and four an absolute
// one; others take two and three. The one that exists is meant, or whose directory does.
func sqlitePath(rest string) string {
	rest, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return rest
	}
	relative := strings.TrimPrefix(rest, "/")
	for _, is := range []func(string) bool{isFile, func(path string) bool { return isDir(filepath.Dir(path)) }} {
		for _, path := range []string{relative, rest} {
			if is(path) {
				return path
			}
		}
	}
	return relative
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// mysqlDSN returns the URL in the words of the MySQL driver,
//
//	user:password@tcp(host:port)/database?parameters
//
// where user and password stand as they are: the driver looks for the last @.
func mysqlDSN(u *url.URL) string {
	query := u.Query()
	query.Set("parseTime", "true") // rdb.v2 reads times
	address := "tcp(" + net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "3306")) + ")"
	if socket := query.Get("unix_socket"); socket != "" { // SQLAlchemy's
		address = "unix(" + socket + ")"
		query.Del("unix_socket")
	}
	var user string
	if u.User != nil {
		user = u.User.Username()
		if password, ok := u.User.Password(); ok {
			user += ":" + password
		}
		user += "@"
	}
	return user + address + "/" + url.PathEscape(strings.TrimPrefix(u.Path, "/")) + "?" + query.Encode()
}
