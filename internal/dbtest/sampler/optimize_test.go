package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Every end of a trial is the same on every database, and so are that of a context and
// one by another program.
func TestOptimize(t *testing.T) {
	dbtest.EachKind(t, func(t *testing.T, kind dbtest.Kind) {
		for name, storage := range map[string]func(testing.TB) goptuna.Storage{
			"rdb":       func(t testing.TB) goptuna.Storage { return dbtest.New(t, kind).Open(t) },
			"cachedrdb": func(t testing.TB) goptuna.Storage { return cachedrdb.NewStorage(dbtest.New(t, kind).OpenDB(t)) },
		} {
			if name == "rdb" && testing.Short() {
				continue
			}
			t.Run(name, func(t *testing.T) {
				fmtest.CheckEnds(t, storage)
				fmtest.CheckContext(t, storage)
				fmtest.CheckEndedByAnother(t, storage)
			})
		}
	})
}

// An answer is what an objective returns, and what a database makes of it in
// Goptuna's own Optimize: the table of docs/outcomes.md.
type answer struct {
	name  string
	value float64
	err   error
	want  map[string]handled // by storage
}

// handled is how a study takes an answer.
type handled struct {
	state goptuna.TrialState
	ends  bool    // Optimize returns an error
	best  float64 // the study's best value, after two more trials with the values 3 and 5
}

var nan = math.NaN()

// What Goptuna does with answers that have no value: the reason for fm.Optimize.
func TestGoptunasOwnOptimize(t *testing.T) {
	const complete, failed, running = goptuna.TrialStateComplete, goptuna.TrialStateFail, goptuna.TrialStateRunning
	answers := []answer{
		{"NaN", math.NaN(), nil, map[string]handled{
			"memory": {complete, false, nan}, "sqlite": {complete, false, 0}, "mysql": {running, true, 3}, "postgres": {complete, false, nan},
		}},
		{"-Inf", math.Inf(-1), nil, map[string]handled{
			"memory": {complete, false, math.Inf(-1)}, "sqlite": {complete, false, math.Inf(-1)},
			"mysql": {running, true, 3}, "postgres": {complete, false, math.Inf(-1)},
		}},
		{"an error", 0, errors.New("no data"), map[string]handled{
			"memory": {failed, true, 3}, "sqlite": {failed, true, 3}, "mysql": {failed, true, 3}, "postgres": {failed, true, 3},
		}},
		{"pruned, wrapped", 0, fmt.Errorf("early: %w", goptuna.ErrTrialPruned), map[string]handled{
			"memory": {failed, true, 3}, "sqlite": {failed, true, 3}, "mysql": {failed, true, 3}, "postgres": {failed, true, 3},
		}},
		{"pruned", 0, goptuna.ErrTrialPruned, map[string]handled{
			"memory":   {goptuna.TrialStatePruned, false, 3},
			"sqlite":   {goptuna.TrialStatePruned, false, 3},
			"mysql":    {goptuna.TrialStatePruned, false, 3},
			"postgres": {goptuna.TrialStatePruned, false, 3},
		}},
	}
	for name, storage := range map[string]func(t *testing.T) goptuna.Storage{
		"memory":   func(*testing.T) goptuna.Storage { return goptuna.NewInMemoryStorage() },
		"sqlite":   func(t *testing.T) goptuna.Storage { return dbtest.New(t, dbtest.SQLite).Open(t) },
		"mysql":    func(t *testing.T) goptuna.Storage { return dbtest.New(t, dbtest.MySQL).Open(t) },
		"postgres": func(t *testing.T) goptuna.Storage { return dbtest.New(t, dbtest.Postgres).Open(t) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, a := range answers {
				study, err := goptuna.CreateStudy(a.name, goptuna.StudyOptionStorage(storage(t)), goptuna.StudyOptionLogger(nil))
				if err != nil {
					t.Fatal(err)
				}
				returns := func(value float64, err error) goptuna.FuncObjective {
					return func(goptuna.Trial) (float64, error) { return value, err }
				}
				want := a.want[name]
				if err := study.Optimize(returns(a.value, a.err), 1); (err != nil) != want.ends {
					t.Errorf("%s: error %v, want one: %t", a.name, err, want.ends)
				}
				fmtest.Optimize(t, study, returns(3, nil), 1)
				fmtest.Optimize(t, study, returns(5, nil), 1)
				if state := fmtest.TrialsOf(t, study)[0].State; state != want.state {
					t.Errorf("%s: the trial is %v, want %v", a.name, state, want.state)
				}
				best, err := study.GetBestValue()
				if err != nil || best != want.best && !(math.IsNaN(best) && math.IsNaN(want.best)) {
					t.Errorf("%s: best value %v, error %v; want %v", a.name, best, err, want.best)
				}
			}
		})
	}
}

// A panic of the objective ends the program, and its trial runs for ever.
func TestGoptunasOwnPanic(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), dbtest.OnSQLite(t))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic has been caught")
			}
		}()
		study.Optimize(func(goptuna.Trial) (float64, error) { panic("out of cheese") }, 1)
	}()
	if trials := fmtest.TrialsOf(t, study); len(trials) != 1 || trials[0].State != goptuna.TrialStateRunning {
		t.Errorf("trials %+v", trials)
	}
}

// A wrapper that marks the trial as failed itself, and tells Goptuna of no error,
// ends the study all the same.
func TestGoptunasOwnAfterTheFact(t *testing.T) {
	for name, storage := range map[string]goptuna.Storage{"memory": goptuna.NewInMemoryStorage(), "sqlite": dbtest.New(t, dbtest.SQLite).Open(t)} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(storage))
		for _, answer := range []error{nil, goptuna.ErrTrialPruned} {
			if err := study.Optimize(func(trial goptuna.Trial) (float64, error) {
				if err := storage.SetTrialState(trial.ID, goptuna.TrialStateFail); err != nil {
					t.Error(err)
				}
				return 1, answer
			}, 1); !errors.Is(err, goptuna.ErrTrialCannotBeUpdated) {
				t.Errorf("%s, after the answer %v: %v", name, answer, err)
			}
		}
	}
}

// refusing is a storage without room for trials.
type refusing struct {
	goptuna.Storage
	asked int
	stop  func()
}

func (r *refusing) CreateNewTrial(int) (int, error) {
	if r.asked++; r.asked == 1000 {
		r.stop()
	}
	return 0, errors.New("the disk is full")
}

// Goptuna asks again and again for a trial that cannot be created.
func TestGoptunasOwnLoop(t *testing.T) {
	storage := &refusing{Storage: dbtest.New(t, dbtest.SQLite).Open(t)}
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionStorage(storage))
	ctx, cancel := context.WithCancel(t.Context())
	storage.stop = cancel
	study.WithContext(ctx)
	if err := study.Optimize(func(goptuna.Trial) (float64, error) { return 0, nil }, 1); !errors.Is(err, context.Canceled) || storage.asked != 1000 {
		t.Errorf("asked %d times, then %v", storage.asked, err)
	}
	storage.asked = 0
	err := fm.Optimize(t.Context(), study, func(context.Context, goptuna.Trial) (float64, error) { return 0, nil }, 1)
	if err == nil || storage.asked != 1 {
		t.Errorf("fm.Optimize asked %d times, then %v", storage.asked, err)
	}
}
