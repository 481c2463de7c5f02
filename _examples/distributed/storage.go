package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	driver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// A storage is Goptuna's, made for results that have cost something: what a trial ends with is stored as soon as the
// database can take it.
type storage struct {
	*rdb.Storage
	db     *gorm.DB
	ctx    context.Context
	c      config
	giveUp context.CancelCauseFunc
}

// openStorage connects to the database that c names, and creates Goptuna's tables if they are missing.
func openStorage(ctx context.Context, c config) (*storage, error) {
	dialector, err := dialector(c.storage)
	if err != nil {
		return nil, err
	}
	var db *gorm.DB
	err = retry(ctx, c, "open the database", func() (err error) {
		if db == nil {
			db, err = gorm.Open(dialector, &gorm.Config{Logger: logger.Discard}) // errors come back to us
			if err != nil {
				db = nil
				return err
			}
		}
		// Not where they are: a migration takes locks that running trials would wait for. Of two workers that create
		// them at once, one fails, and finds them at its next attempt.
		if db.Migrator().HasTable("trial_values") { // the last that is created
			return nil
		}
		return rdb.RunAutoMigrate(db)
	})
	if err != nil {
		return nil, err
	}
	return &storage{Storage: rdb.NewStorage(db), db: db, ctx: ctx, c: c}, nil
}

// dialector takes the URLs that Goptuna's own commands take.
func dialector(storage string) (gorm.Dialector, error) {
	if rest, ok := strings.CutPrefix(storage, "sqlite://"); ok {
		file := strings.TrimPrefix(rest, "/") // as in SQLAlchemy, three slashes begin a relative path and four an absolute one
		return sqlite.Open(file +
			"?_pragma=busy_timeout(10000)" + // wait up to 10 s for another process, rather than fail
			"&_pragma=journal_mode(WAL)" + // others, like the dashboard, can read while we write
			"&_pragma=synchronous(NORMAL)" + // safe with WAL, and faster
			"&_txlock=immediate"), nil // so that two processes can work on one study
	}
	u, err := url.Parse(storage)
	if err != nil || u.Scheme == "" { // the error would print the password
		return nil, errors.New("-storage is no URL: use postgres://user:password@host:port/database, mysql://... or sqlite://file.db")
	}
	switch u.Scheme {
	case "postgres", "postgresql":
		return postgres.Open(storage), nil
	case "mysql":
		config := driver.NewConfig()
		config.Net, config.Addr, config.User, config.DBName = "tcp", u.Host, u.User.Username(), strings.TrimPrefix(u.Path, "/")
		config.Passwd, _ = u.User.Password()
		if u.Port() == "" {
			config.Addr += ":3306"
		}
		config.ParseTime = true // Goptuna reads times
		config.Params = map[string]string{}
		for name, values := range u.Query() {
			if name != "parseTime" && name != "charset" {
				config.Params[name] = values[0]
			}
		}
		return mysql.Open(config.FormatDSN()), nil
	}
	return nil, fmt.Errorf("-storage begins with %s: use postgres, mysql or sqlite", u.Scheme)
}

func (s *storage) close() error {
	db, err := s.DB()
	if err != nil {
		return err
	}
	return db.Close()
}

// complete returns the number of complete trials of a study.
func (s *storage) complete(studyID int) (int, error) {
	var n int64
	err := s.db.Table("trials").Where("study_id = ? AND state = ?", studyID, "COMPLETE").Count(&n).Error
	return int(n), err
}

// CreateNewTrial takes its time over an error, such as a deadlock, and ends everything when it gives up: Optimize would do
// neither.
func (s *storage) CreateNewTrial(studyID int) (id int, err error) {
	err = retry(s.ctx, s.c, "create a trial", func() (err error) {
		id, err = s.Storage.CreateNewTrial(studyID)
		return err
	})
	if err != nil {
		s.giveUp(err)
	}
	return id, err
}

// SetTrialValue stores the value of a trial, again and again where that fails.
func (s *storage) SetTrialValue(trialID int, value float64) error {
	return retry(context.WithoutCancel(s.ctx), s.c, "store a value", func() error {
		return permanent(s.Storage.SetTrialValue(trialID, value))
	})
}

// SetTrialState ends a trial, again and again where that fails. After a lost connection the database may have done it
// although it could not say so.
func (s *storage) SetTrialState(trialID int, state goptuna.TrialState) error {
	attempts := 0
	return retry(context.WithoutCancel(s.ctx), s.c, "end a trial", func() error {
		attempts++
		err := s.Storage.SetTrialState(trialID, state)
		if attempts > 1 && errors.Is(err, goptuna.ErrTrialCannotBeUpdated) {
			if trial, readErr := s.GetTrial(trialID); readErr == nil && trial.State == state {
				return nil
			}
		}
		return permanent(err)
	})
}
