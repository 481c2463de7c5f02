package cachedrdb_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Goroutines of two processes run trials of one study. Each finds in the storage
// what it has just written, and every complete trial whole, and spoils what it was
// given, which is its own.
func TestDatabaseWorkers(t *testing.T) {
	const workers, trials = 3, 4
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		plain := db.Open(t)
		storages := []goptuna.Storage{cachedrdb.NewStorage(db.OpenDB(t)), cachedrdb.NewStorage(db.OpenDB(t))}
		id := newStudy(t, plain, "study")

		var group sync.WaitGroup
		for _, s := range storages {
			for range workers {
				group.Add(1)
				go func() {
					defer group.Done()
					if err := work(s, trials); err != nil {
						t.Error(err)
					}
				}()
			}
		}
		group.Wait()
		all, err := plain.GetAllTrials(id)
		check(t, err)
		if want := len(storages) * workers * trials; len(all) != want {
			t.Errorf("%d trials, want %d", len(all), want)
		}
		for _, s := range storages {
			agree(t, "at the end", s, plain, []int{id}, nil)
		}
	})
}

func work(s goptuna.Storage, trials int) error {
	study, err := goptuna.LoadStudy("study", goptuna.StudyOptionStorage(s), goptuna.StudyOptionLogger(nil))
	if err != nil {
		return err
	}
	for range trials {
		var number int
		err := study.Optimize(func(trial goptuna.Trial) (float64, error) {
			value, err := suggest(&trial, 3)
			if err != nil {
				return 0, err
			}
			if number, err = trial.Number(); err != nil {
				return 0, err
			}
			value += float64(number) // PostgreSQL takes any of equal values for the first
			return value, trial.SetUserAttr("key", fmt.Sprint(number))
		}, 1)
		if err != nil {
			return err
		}
		all, err := study.GetTrials()
		if err != nil {
			return err
		}
		if own := all[number]; own.Number != number || own.State != goptuna.TrialStateComplete {
			return fmt.Errorf("trial %d, just completed, reads as %+v", number, own)
		}
		for _, trial := range all {
			if trial.State == goptuna.TrialStateComplete && (len(trial.Params) != 3 || trial.UserAttrs["key"] != fmt.Sprint(trial.Number)) {
				return fmt.Errorf("trial %d is complete and reads as %+v", trial.Number, trial)
			}
		}
		best, err := s.GetBestTrial(study.ID)
		if err != nil {
			return err
		}
		for _, trial := range append(all, best) {
			spoil(trial)
		}
	}
	return nil
}

// spoil writes to every map of a trial.
func spoil(trial goptuna.FrozenTrial) {
	clear(trial.InternalParams)
	clear(trial.Params)
	clear(trial.Distributions)
	trial.UserAttrs["spoiled"] = "yes"
	trial.SystemAttrs["spoiled"] = "yes"
	trial.IntermediateValues[-1] = -1
}

// Attributes are written to finished trials while others read.
func TestConcurrentLateAttributes(t *testing.T) {
	db := openSQLite(t)
	var plain, cached goptuna.Storage = rdb.NewStorage(db), cachedrdb.NewStorage(db)
	id := newStudy(t, plain, "study")
	fill(t, db, id, 20, 2)
	trials, err := plain.GetAllTrials(id)
	check(t, err)

	var group sync.WaitGroup
	for worker := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := worker; i < len(trials); i += 4 {
				key := fmt.Sprint("worker", worker)
				if err := cached.SetTrialUserAttr(trials[i].ID, key, "value"); err != nil {
					t.Error(err)
				}
				all, err := cached.GetAllTrials(id)
				if err != nil || all[i].UserAttrs[key] != "value" {
					t.Errorf("trial %d: attributes %v, error %v", i, all[i].UserAttrs, err)
				}
				one, err := cached.GetTrial(trials[i].ID)
				if err != nil || one.UserAttrs[key] != "value" {
					t.Errorf("trial %d alone: attributes %v, error %v", i, one.UserAttrs, err)
				}
			}
		}()
	}
	group.Wait()
	agree(t, "at the end", cached, plain, []int{id}, nil)
}
