package sampler_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
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
	problem := problems.Func3C()
	objective := problems.Objective(problem)

	db := dbtest.New(t, dbtest.Postgres)
	shared := join(t, db.Open(t))
	memory := fmtest.NewStudy(t, goptuna.NewRandomSampler())
	fmtest.Optimize(t, memory, objective, history-workers)
	clone(t, shared, fmtest.TrialsOf(t, memory), true)

	studies := make([]*goptuna.Study, workers)
	for i := range studies {
		orm := db.OpenDB(t)
		pool, err := orm.DB()
		if err != nil {
			t.Fatal(err)
		}
		pool.SetMaxOpenConns(1) // the server has a hundred
		studies[i] = join(t, cachedrdb.NewStorage(orm))
		fmtest.Optimize(t, studies[i], objective, 1) // a worker that has been at it
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
	checkTrials(t, fmtest.TrialsOf(t, shared), history+workers)
}
