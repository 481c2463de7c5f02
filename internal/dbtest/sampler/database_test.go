package sampler_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// dbObjective has parameters of every kind. Its values are at least 1.
var dbObjective = fmtest.Ask(fmtest.Mixed(), func(x map[string]float64) float64 { return 1 + fmtest.MixedValue(x) })

// storages are options for a new storage, by where it is.
var storages = map[string]func(testing.TB) goptuna.StudyOption{
	"in memory": func(testing.TB) goptuna.StudyOption { return goptuna.StudyOptionStorage(goptuna.NewInMemoryStorage()) },
	"on SQLite": dbtest.OnSQLite,
}

// join creates the study, or loads it where it is there, with a new sampler: as
// a process does that joins.
func join(t *testing.T, storage goptuna.Storage, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	return fmtest.NewStudy(t, fmtest.Seeded(t, 1), append(opts, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))...)
}

// checkTrials fails the test unless there are so many trials, no two of them
// with one number or configuration.
func checkTrials(t *testing.T, trials []goptuna.FrozenTrial, want int) {
	t.Helper()
	if len(trials) != want {
		t.Errorf("%d trials, want %d", len(trials), want)
	}
	checkNumbers(t, trials)
}

// checkNumbers fails the test unless the trials are numbered without a gap, and
// those that had all their values have different ones.
func checkNumbers(t *testing.T, trials []goptuna.FrozenTrial) {
	t.Helper()
	first := map[string]goptuna.FrozenTrial{}
	for i, trial := range trials {
		if trial.Number != i {
			t.Errorf("trial %d follows trial %d", trial.Number, i-1)
		}
		if len(trial.InternalParams) < len(trials[0].InternalParams) {
			continue // broken off
		}
		key := fmt.Sprint(trial.InternalParams) // maps print in the order of their keys
		if other, ok := first[key]; ok {
			t.Errorf("trial %d, begun %v after trial %d, repeats its configuration %s", trial.Number,
				trial.DatetimeStart.Sub(other.DatetimeStart), other.Number, key)
			continue
		}
		first[key] = trial
	}
}

// A study on a database that one process starts and another continues has the
// trials, to the last bit, of one that stays in the memory of a third.
func TestDatabaseTrialsEqualThoseInMemory(t *testing.T) {
	fmtest.Sequential(t)
	memory := join(t, goptuna.NewInMemoryStorage())
	fmtest.Optimize(t, memory, dbObjective, 30)
	want := fmtest.TrialsOf(t, memory)
	checkTrials(t, want, 30)
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		study := join(t, db.Open(t))
		for range 2 {
			dbWorker{Kind: db.Kind, DSN: db.DSN, Trials: 15}.start(t).wait(t)
		}
		fmtest.SameTrials(t, string(db.Kind), fmtest.TrialsOf(t, study), want)
	})
}

// Values that a trial was enqueued with are kept, and the others are those that
// the same study has in memory.
func TestDatabaseEnqueuedTrials(t *testing.T) {
	fmtest.Sequential(t)
	run := func(t *testing.T, storage goptuna.Storage) []goptuna.FrozenTrial {
		study := join(t, storage)
		for _, fixed := range []map[string]float64{
			{"dropout": 0.25, "kind": 2}, // in the start-up
			{"rate": 1e-3, "layers": 11}, // by the model
		} {
			number := len(fmtest.TrialsOf(t, study))
			fmtest.Enqueue(t, study, fixed)
			fmtest.Optimize(t, study, dbObjective, 12)
			trial := fmtest.TrialsOf(t, study)[number]
			for name, value := range fixed {
				if trial.InternalParams[name] != value {
					t.Errorf("trial %d was enqueued with %s = %v and has %v", trial.Number, name, value, trial.InternalParams[name])
				}
			}
		}
		trials := fmtest.TrialsOf(t, study)
		checkTrials(t, trials, 24)
		return trials
	}
	want := run(t, goptuna.NewInMemoryStorage())
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		fmtest.SameTrials(t, string(db.Kind), run(t, db.Open(t)), want)
	})
}

// More values than a database takes are an error that says so, and no trial is left.
func TestDatabaseRefusesManyEnqueuedValues(t *testing.T) {
	params, distributions := map[string]any{}, map[string]any{}
	for i := range 100 {
		name := fmt.Sprintf("a parameter with a long name, %d", i)
		params[name], distributions[name] = 0.5, goptuna.UniformDistribution{High: 1}
	}
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		study := join(t, db.Open(t))
		err, trials := fm.EnqueueTrial(study, params, distributions), fmtest.TrialsOf(t, study)
		if db.Kind == dbtest.SQLite {
			if err != nil || len(trials) != 1 {
				t.Errorf("%d trials, error %v", len(trials), err)
			}
		} else if err == nil || !strings.Contains(err.Error(), "may have 2048: give fewer") || len(trials) != 0 {
			t.Errorf("%d trials, error %v", len(trials), err)
		}
	})
}

// Trials that fail, are pruned, or have no finite value stop nothing, and are not
// taken for good ones. What becomes of them is Goptuna's affair, and differs:
//
//	             in memory      SQLite                PostgreSQL     MariaDB, MySQL
//	failed       failed         failed                failed         failed
//	pruned       with its last intermediate value, everywhere
//	NaN          complete, NaN  complete, read as 0   complete, NaN  running for ever
//	+Inf         complete, Inf  complete, Inf         complete, Inf  running for ever
//
// MySQL refuses the value, Optimize returns that error, or passes over it with
// StudyOptionIgnoreError, and the trial stays as it was. So do not return such
// values: return an error.
func TestDatabaseTrialsWithoutValue(t *testing.T) {
	fmtest.Sequential(t)
	const failed, pruned, nan, inf = 3, 12, 14, 16
	objective := func(trial goptuna.Trial) (float64, error) {
		value, err := dbObjective(trial)
		if err != nil {
			return 0, err
		}
		number, err := trial.Number()
		if err != nil {
			return 0, err
		}
		switch number {
		case failed:
			return 0, errors.New("failed")
		case pruned:
			return 0, trial.ShouldPrune(1, value)
		case nan:
			return math.NaN(), nil
		case inf:
			return math.Inf(1), nil
		}
		return value, nil
	}
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		study := join(t, db.Open(t), goptuna.StudyOptionIgnoreError(true), goptuna.StudyOptionPruner(fmtest.PruneAll{}))
		fmtest.Optimize(t, study, objective, 25)
		trials := fmtest.TrialsOf(t, study)
		checkTrials(t, trials, 25)

		complete := goptuna.TrialStateComplete
		states := map[int]goptuna.TrialState{failed: goptuna.TrialStateFail, pruned: goptuna.TrialStatePruned, nan: complete, inf: complete}
		values := map[int]float64{nan: math.NaN(), inf: math.Inf(1)}
		switch db.Kind {
		case dbtest.SQLite:
			values[nan] = 0
		case dbtest.MySQL:
			states[nan], states[inf] = goptuna.TrialStateRunning, goptuna.TrialStateRunning
			values[nan], values[inf] = 0, 0
		}
		for i, trial := range trials {
			want, ok := states[i]
			if !ok {
				want = complete
			}
			if trial.State != want {
				t.Errorf("trial %d is %v, want %v", i, trial.State, want)
			}
			if want, ok := values[i]; ok && trial.Value != want && !(math.IsNaN(trial.Value) && math.IsNaN(want)) {
				t.Errorf("trial %d has the value %v, want %v", i, trial.Value, want)
			}
		}
		if value := trials[pruned].Value; value < 1 {
			t.Errorf("the pruned trial has the value %v, not that of its last step", value)
		}

		// Had the model taken such a trial for the optimum, later ones would crowd around it.
		for _, i := range []int{failed, nan, inf} {
			later := trials[inf+1:]
			if near := countNear(later, trials[i]); near > len(later)/2 {
				t.Errorf("%d of %d later trials are near trial %d, which has no value", near, len(later), i)
			}
		}
	})
}

// countNear returns how many trials of dbObjective are near the given one.
func countNear(trials []goptuna.FrozenTrial, to goptuna.FrozenTrial) (n int) {
	for _, trial := range trials {
		x, y := trial.InternalParams, to.InternalParams
		if x["kind"] == y["kind"] && x["layers"] == y["layers"] && math.Abs(x["dropout"]-y["dropout"]) < 0.3 && math.Abs(x["units"]-y["units"]) < 8 {
			n++
		}
	}
	return n
}

// A plan of many parameters with long names takes several attributes, each of
// them short enough for every database, and comes back whole.
func TestDatabaseLongPlans(t *testing.T) {
	fmtest.Sequential(t)
	const parameters = 50
	objective := func(trial goptuna.Trial) (value float64, err error) {
		for i := range parameters {
			x, err := trial.SuggestFloat(fmt.Sprintf("Größe %02d %s", i, strings.Repeat("of a very long name ", 5)), 0, 1)
			if err != nil {
				return 0, err
			}
			value += (x - 0.4) * (x - 0.4)
		}
		return value, nil
	}
	const trials = 13
	memory := join(t, goptuna.NewInMemoryStorage())
	fmtest.Optimize(t, memory, objective, trials)
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		fmtest.Optimize(t, join(t, db.Open(t)), objective, trials-1)
		study := join(t, db.Open(t))
		fmtest.Optimize(t, study, objective, 1) // from what another connection has stored
		got := fmtest.TrialsOf(t, study)
		fmtest.SameTrials(t, string(db.Kind), got, fmtest.TrialsOf(t, memory))
		chunks := 0
		for name, value := range got[trials-1].SystemAttrs {
			if n := len(value); n > 2045 {
				t.Errorf("the attribute %s has %d characters", name, n)
			}
			if strings.HasPrefix(name, "fm:plan:") {
				chunks++
			}
		}
		if chunks < 2 {
			t.Errorf("the plan has %d attribute, too few to test anything", chunks)
		}
	})
}

// Eight goroutines of one process repeat nothing.
func TestDatabaseGoroutines(t *testing.T) {
	const workers, each = 8, 5
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		study := join(t, db.Open(t))
		var wg sync.WaitGroup
		for range workers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if err := study.Optimize(dbObjective, each); err != nil {
					t.Error(err)
				}
			}()
		}
		wg.Wait()
		checkTrials(t, fmtest.TrialsOf(t, study), workers*each)
	})
}

// Four processes repeat nothing either.
func TestDatabaseProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("runs several processes")
	}
	const workers, each = 4, 10
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		study := join(t, db.Open(t))
		var running []*dbProcess
		for range workers {
			running = append(running, dbWorker{Kind: db.Kind, DSN: db.DSN, Trials: each}.start(t))
		}
		for _, p := range running {
			p.wait(t)
		}
		checkTrials(t, fmtest.TrialsOf(t, study), workers*each)
	})
}
