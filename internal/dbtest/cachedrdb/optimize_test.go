package cachedrdb_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/cmaes"
	"github.com/c-bata/goptuna/medianstopping"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/c-bata/goptuna/tpe"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A study with the cached storage has the trials, to the last bit, of one with
// the plain storage.
func TestOptimizeAsPlain(t *testing.T) {
	fmtest.Sequential(t)
	for _, test := range []struct {
		name      string
		options   func() []goptuna.StudyOption
		trials    int
		objective goptuna.FuncObjective
	}{
		{
			name: "fm",
			options: func() []goptuna.StudyOption {
				return sampler(fm.NewSampler(fm.SamplerOptionSeed(3), fm.SamplerOptionNumberOfStartupTrials(5)))
			},
			trials:    12,
			objective: func(trial goptuna.Trial) (float64, error) { return suggest(&trial, 3) },
		},
		{
			name: "cmaes, which asks for the intersection of spaces, and pruning",
			options: func() []goptuna.StudyOption {
				pruner, err := medianstopping.NewPercentilePruner(50)
				check(t, err)
				return append(sampler(goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(3))),
					goptuna.StudyOptionRelativeSampler(cmaes.NewSampler(cmaes.SamplerOptionSeed(3), cmaes.SamplerOptionNStartupTrials(3))),
					goptuna.StudyOptionPruner(pruner))
			},
			trials:    20,
			objective: dwindling,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := func(s goptuna.Storage) []goptuna.FrozenTrial {
				options := append(test.options(), goptuna.StudyOptionStorage(s), goptuna.StudyOptionLogger(nil))
				study, err := goptuna.CreateStudy("study", options...)
				check(t, err)
				check(t, study.EnqueueTrial(map[string]float64{"parameter0": 0.25}))
				check(t, study.Optimize(test.objective, test.trials))
				trials, err := study.GetTrials()
				check(t, err)
				for i := range trials {
					trials[i].DatetimeStart, trials[i].DatetimeComplete = time.Time{}, time.Time{}
				}
				return trials
			}
			want := run(rdb.NewStorage(openSQLite(t)))
			got := run(cachedrdb.NewStorage(oneConnection(t)))
			if len(want) != test.trials {
				t.Fatalf("%d trials, want %d", len(want), test.trials)
			}
			for i := range want {
				if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
					t.Fatalf("trial %d:\ngot  %+v\nwant %+v", i, got[i:], want[i])
				}
			}
		})
	}
}

// TPE draws from a global source, so two runs of it differ. What one run reads is
// compared instead.
func TestTPEReadsAsPlain(t *testing.T) {
	skipShort(t)
	db := openSQLite(t)
	storage := &compared{t: t, Storage: cachedrdb.NewStorage(db), plain: rdb.NewStorage(db)}
	study, err := goptuna.CreateStudy("study", append(sampler(tpe.NewSampler()), goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil))...)
	check(t, err)
	storage.studies = []int{study.ID}
	err = study.Optimize(func(trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestCategorical("categorical", []string{"a", "b", "c"}); err != nil {
			return 0, err
		}
		return suggest(&trial, 3)
	}, 13)
	check(t, err)
	if want := 13 * 5; storage.times < want { // one per trial and one per parameter
		t.Errorf("compared %d times, want at least %d", storage.times, want)
	}
}

// compared checks that a storage reads as a plain one whenever all trials are
// read.
type compared struct {
	goptuna.Storage
	t       *testing.T
	plain   goptuna.Storage
	studies []int
	times   int
}

func (c *compared) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := c.Storage.GetAllTrials(studyID)
	var ids []int
	if len(trials) > 0 {
		ids = append(ids, trials[0].ID, trials[len(trials)-1].ID)
	}
	agree(c.t, fmt.Sprintf("with %d trials", len(trials)), c.Storage, c.plain, c.studies, ids)
	c.times++
	return trials, err
}

func sampler(s goptuna.Sampler) []goptuna.StudyOption {
	return []goptuna.StudyOption{goptuna.StudyOptionSampler(s)}
}

// oneConnection returns a database that cannot be asked twice at a time.
func oneConnection(t *testing.T) *gorm.DB {
	t.Helper()
	db := openSQLite(t)
	pool, err := db.DB()
	check(t, err)
	pool.SetMaxOpenConns(1)
	return db
}

// dwindling is an objective with one parameter less in every seventh trial, and
// one more in the first.
func dwindling(trial goptuna.Trial) (float64, error) {
	number, err := trial.Number()
	if err != nil {
		return 0, err
	}
	p := 4
	if number%7 == 6 {
		p--
	}
	if number == 0 {
		p++
	}
	value, err := suggest(&trial, p)
	if err != nil {
		return 0, err
	}
	for step := range 2 {
		if err := trial.ShouldPrune(step, value+float64(step)); err != nil {
			return 0, err
		}
	}
	return value, nil
}

// Goptuna deletes from the map of distributions of the first complete trial
// (goptuna.IntersectionSearchSpace). The next one who asks finds it whole.
func TestIntersectionSearchSpace(t *testing.T) {
	db := openSQLite(t)
	plain, cached := rdb.NewStorage(db), cachedrdb.NewStorage(db)
	study, err := goptuna.CreateStudy("study", goptuna.StudyOptionStorage(cached), goptuna.StudyOptionLogger(nil))
	check(t, err)
	check(t, study.Optimize(dwindling, 7))
	for i := range 3 {
		space, err := goptuna.IntersectionSearchSpace(study)
		check(t, err)
		if len(space) != 3 {
			t.Errorf("%d parameters in common, want 3", len(space))
		}
		agree(t, fmt.Sprint("time ", i), cached, plain, []int{study.ID}, nil)
	}
}
