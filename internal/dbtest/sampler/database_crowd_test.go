package sampler_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Sixty-four workers, each with a sampler and a connection of its own, ask at
// once in a study of 500 trials: nobody gets what another has. The median time
// from asking to having all values is logged.
func TestDatabaseCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a study with 500 trials")
	}
	const workers, history = 64, 500
	problem, err := problems.ByName("func3c")
	if err != nil {
		t.Fatal(err)
	}
	objective := problems.Objective(problem)

	db := dbtest.New(t, dbtest.Postgres)
	memory, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := memory.Optimize(objective, history-workers); err != nil {
		t.Fatal(err)
	}
	shared := join(t, db.Open(t))
	for _, trial := range fmtest.TrialsOf(t, memory) {
		if _, err := shared.Storage.CloneTrial(shared.ID, trial); err != nil {
			t.Fatal(err)
		}
	}
	name, err := shared.Storage.GetStudyNameFromID(shared.ID)
	if err != nil {
		t.Fatal(err)
	}

	studies := make([]*goptuna.Study, workers)
	for i := range studies {
		conn, err := db.Open(t).DB()
		if err != nil {
			t.Fatal(err)
		}
		conn.SetMaxOpenConns(1) // the server has a hundred
		orm, err := gorm.Open(postgres.New(postgres.Config{Conn: conn}), &gorm.Config{Logger: logger.Discard})
		if err != nil {
			t.Fatal(err)
		}
		studies[i], err = goptuna.LoadStudy(name, goptuna.StudyOptionLogger(nil), goptuna.StudyOptionStorage(cachedrdb.NewStorage(orm)),
			goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1))))
		if err != nil {
			t.Fatal(err)
		}
		if err := studies[i].Optimize(objective, 1); err != nil { // a worker that has been at it
			t.Fatal(err)
		}
	}

	var ready, asked, wg sync.WaitGroup
	ready.Add(1)
	asked.Add(workers)
	took := make([]time.Duration, workers)
	for i, study := range studies {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ready.Wait()
			start := time.Now()
			if err := study.Optimize(func(trial goptuna.Trial) (float64, error) {
				c, v, err := problem.Suggest(&trial)
				took[i] = time.Since(start)
				asked.Done()
				asked.Wait() // all are running until the last has its values
				if err != nil {
					return 0, err
				}
				return problem.Eval(c, v)
			}, 1); err != nil {
				t.Error(err)
			}
		}()
	}
	ready.Done()
	wg.Wait()
	slices.Sort(took)
	t.Logf("%d workers at %d trials: median %v, longest %v", workers, history, took[workers/2].Round(time.Millisecond), took[workers-1].Round(time.Millisecond))
	trials := fmtest.TrialsOf(t, shared)
	checkTrials(t, trials, history+workers)
}
