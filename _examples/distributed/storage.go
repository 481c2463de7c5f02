package main

import (
	"context"
	"errors"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// drivers are those of the databases that the worker knows.
var drivers = cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open}

// A storage is made for results that have cost something: what a trial ends with is stored as soon as the database can
// take it.
type storage struct {
	*cachedrdb.Storage
	ctx context.Context
	c   config
}

// openStorage connects to the database that c names, and creates Goptuna's tables if they are missing.
func openStorage(ctx context.Context, c config) (*storage, error) {
	s := &storage{ctx: ctx, c: c}
	err := retry(ctx, c, "open the database", func() (err error) {
		s.Storage, err = cachedrdb.Open(c.storage, drivers)
		return err
	}, permanent...)
	return s, err
}

// complete returns the number of complete trials of a study.
func (s *storage) complete(studyID int) (n int, err error) {
	trials, err := s.GetAllTrials(studyID)
	for _, trial := range trials {
		if trial.State == goptuna.TrialStateComplete {
			n++
		}
	}
	return n, err
}

// SetTrialValue stores the value of a trial, again and again where that fails.
func (s *storage) SetTrialValue(trialID int, value float64) error {
	return retry(context.WithoutCancel(s.ctx), s.c, "store a value", func() error {
		return s.Storage.SetTrialValue(trialID, value)
	}, permanent...)
}

// SetTrialState starts or ends a trial, again and again where that fails. After a lost connection the database may have
// ended it although it could not say so: that is no error. But an enqueued trial that has been started by then was probably
// started by another worker.
func (s *storage) SetTrialState(trialID int, state goptuna.TrialState) error {
	attempts := 0
	return retry(context.WithoutCancel(s.ctx), s.c, "set the state of a trial", func() error {
		attempts++
		err := s.Storage.SetTrialState(trialID, state)
		if attempts > 1 && state.IsFinished() && errors.Is(err, goptuna.ErrTrialCannotBeUpdated) {
			if trial, readErr := s.GetTrial(trialID); readErr == nil && trial.State == state {
				return nil
			}
		}
		return err
	}, permanent...)
}
