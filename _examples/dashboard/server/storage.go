//go:build develop

package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A database is Goptuna's storage in one.
type database struct {
	*cachedrdb.Storage
	name string // for people: without a password
	db   *gorm.DB
}

// openStorage opens the database that the URL names. It neither creates one nor touches its tables.
func openStorage(storageURL string) (database, error) {
	dialector, name, err := dialect(storageURL)
	if err != nil {
		return database{}, err
	}
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return database{}, fmt.Errorf("cannot open %s: %w", name, err)
	}
	return database{Storage: cachedrdb.NewStorage(db), name: name, db: db}, nil
}

func (d database) close() error {
	db, err := d.db.DB()
	if err != nil {
		return err
	}
	return db.Close()
}

// dialect returns how to connect to the database that the URL names, and a name of it to show.
func dialect(storageURL string) (dialector gorm.Dialector, name string, err error) {
	scheme, rest, ok := strings.Cut(storageURL, "://")
	switch {
	case storageURL == "":
		return nil, "", errors.New("no study to show: add -storage sqlite://quickstart.db, or a URL that begins with mysql:// or postgres://")
	case !ok: // a path
		scheme, rest = "sqlite", storageURL
	}
	scheme, _, _ = strings.Cut(scheme, "+") // SQLAlchemy's URLs may name a driver: mysql+pymysql

	if scheme == "sqlite" {
		path, err := sqlitePath(rest)
		if err != nil {
			return nil, "", err
		}
		// Wait for a study that is writing, and let a study that is deleted take its trials along.
		return sqlite.Open(path + "?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"), path, nil
	}

	u, err := url.Parse(scheme + "://" + rest)
	if err != nil { // whose text has the password in it
		return nil, "", errors.New("-storage is not a URL: in the password, write characters such as @ : / % as %40 %3A %2F %25")
	}
	switch scheme {
	case "mysql", "mariadb":
		dsn, err := mysqlDSN(u)
		return mysql.Open(dsn), u.Redacted(), err
	case "postgres", "postgresql":
		return postgres.Open(u.String()), u.Redacted(), nil
	}
	return nil, "", fmt.Errorf("-storage begins with %s://: use sqlite://, mysql:// or postgres://", scheme)
}

// sqlitePath returns the file of sqlite://rest. Goptuna's own command reads URLs as SQLAlchemy does, where three slashes begin a
// relative path and four an absolute one; others take two and three. Whichever exists is meant.
func sqlitePath(rest string) (string, error) {
	paths := []string{rest}
	if after, ok := strings.CutPrefix(rest, "/"); ok {
		paths = []string{after, rest}
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no SQLite file %s; start the program that makes the study first, or give its path", strings.Join(paths, " or "))
}

// mysqlDSN returns the URL in the words of the MySQL driver, with its parameters.
func mysqlDSN(u *url.URL) (string, error) {
	query := u.Query()
	socket := query.Get("unix_socket")
	query.Del("unix_socket")
	config, err := mysqldriver.ParseDSN("/?" + query.Encode())
	if err != nil {
		return "", fmt.Errorf("-storage: %w", err)
	}
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.DBName = strings.TrimPrefix(u.Path, "/")
	config.ParseTime = true
	port := u.Port()
	if port == "" {
		port = "3306"
	}
	config.Net, config.Addr = "tcp", net.JoinHostPort(u.Hostname(), port)
	if socket != "" {
		config.Net, config.Addr = "unix", socket
	}
	return config.FormatDSN(), nil
}

// finite is a storage without NaN and infinities, which JSON does not have: one of them, and the dashboard's answer would be
// empty. A trial with such a value is shown as failed.
type finite struct{ goptuna.Storage }

func (f finite) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := f.Storage.GetAllTrials(studyID)
	for i := range trials {
		trials[i] = withoutNaN(trials[i])
	}
	return trials, err
}

func (f finite) GetAllStudySummaries() ([]goptuna.StudySummary, error) {
	studies, err := f.Storage.GetAllStudySummaries()
	for i := range studies {
		studies[i].BestTrial = withoutNaN(studies[i].BestTrial)
	}
	return studies, err
}

func withoutNaN(trial goptuna.FrozenTrial) goptuna.FrozenTrial {
	if !isFinite(trial.Value) {
		trial.Value, trial.State = 0, goptuna.TrialStateFail
	}
	steps := make(map[int]float64, len(trial.IntermediateValues))
	for step, value := range trial.IntermediateValues {
		if isFinite(value) {
			steps[step] = value
		}
	}
	trial.IntermediateValues = steps
	return trial
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
