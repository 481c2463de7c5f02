package cachedrdb_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// Three processes, two of them with the cached storage, write to the same two
// studies in random turns. After each write, both cached storages answer like a
// plain one.
func TestDatabaseWritersTakeTurns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		seeds, steps := uint64(1), 40
		if !testing.Short() && db.Kind == dbtest.SQLite {
			seeds, steps = 2, 200
		}
		for seed := range seeds {
			w := &world{
				rng:     rand.New(rand.NewPCG(seed, 0)),
				dbs:     []*gorm.DB{db.OpenDB(t), db.OpenDB(t)},
				plain:   db.Open(t),
				names:   []string{fmt.Sprint("a", seed), fmt.Sprint("b", seed)},
				studies: make([]int, 2),
			}
			for _, db := range w.dbs {
				w.cached = append(w.cached, cachedrdb.NewStorage(db))
			}
			for i := range w.studies {
				w.recreate(t, w.plain, i)
			}
			for step := range steps {
				what := w.write(t)
				// Not every storage looks every time, so that much or little has
				// changed when it does.
				for i, s := range w.cached {
					if w.rng.IntN(3) > 0 {
						w.agree(t, s, fmt.Sprintf("seed %d, step %d (%s), storage %d", seed, step, what, i))
					}
				}
			}
		}
	})
}

type world struct {
	rng     *rand.Rand
	dbs     []*gorm.DB // of the cached storages
	plain   goptuna.Storage
	cached  []goptuna.Storage
	names   []string
	studies []int // ids
	trials  []int // ids, of deleted ones too
}

// write makes one random change through a random storage and says which.
func (w *world) write(t *testing.T) string {
	t.Helper()
	s := append(slices.Clone(w.cached), w.plain)[w.rng.IntN(3)]
	i := w.rng.IntN(len(w.studies))
	switch p := w.rng.Float64(); {
	case p < 0.01:
		w.recreate(t, s, i)
		return "delete study"
	case p < 0.02:
		check(t, s.SetStudyDirection(w.studies[i], goptuna.StudyDirectionMaximize))
		return "direction"
	case p < 0.1:
		id, err := s.CloneTrial(w.studies[i], w.anyTrial())
		check(t, err)
		w.trials = append(w.trials, id)
		return "clone"
	case p < 0.25 || len(w.trials) == 0:
		id, err := s.CreateNewTrial(w.studies[i])
		check(t, err)
		w.trials = append(w.trials, id)
		return "create"
	}
	return w.writeTrial(s)
}

// writeTrial makes one random change to a trial.
func (w *world) writeTrial(s goptuna.Storage) string {
	// Recent trials mostly, so that many get finished.
	id := w.trials[max(0, len(w.trials)-1-int(w.rng.ExpFloat64()*4))]
	trial, err := w.plain.GetTrial(id)
	if err != nil {
		return "nothing" // its study was deleted
	}
	if trial.State.IsFinished() && w.rng.IntN(2) == 0 {
		// Should not be done, but is possible, and then seen by the storage that
		// did it. The other one starts over.
		w.cached[1] = cachedrdb.NewStorage(w.dbs[1])
		s = w.cached[0]
	} else if trial.State.IsFinished() {
		return "nothing"
	}
	// Errors are none of this test's business.
	switch w.rng.IntN(6) {
	case 0:
		names := slices.Sorted(maps.Keys(distributions))
		name := names[w.rng.IntN(len(names))]
		s.SetTrialParam(id, name, 2, distributions[name])
		return "param"
	case 1:
		s.SetTrialIntermediateValue(id, w.rng.IntN(5), w.rng.NormFloat64())
		return "intermediate value"
	case 2:
		s.SetTrialUserAttr(id, fmt.Sprint("key", w.rng.IntN(3)), fmt.Sprint(w.rng.IntN(100)))
		return "user attribute"
	case 3:
		s.SetTrialSystemAttr(id, fmt.Sprint("key", w.rng.IntN(3)), fmt.Sprint(w.rng.IntN(100)))
		return "system attribute"
	case 4:
		s.SetTrialValue(id, w.value())
		return "value"
	default:
		s.SetTrialValue(id, w.value()) // or else several complete trials may have 0
		s.SetTrialState(id, goptuna.TrialState(w.rng.IntN(5)))
		return "state"
	}
}

// value returns an objective value. On SQLite there are infinities, and equal
// values: of these, PostgreSQL sees any as the first. For NaN, TestNaN.
func (w *world) value() float64 {
	if w.dbs[0].Name() != "sqlite" {
		return w.rng.NormFloat64()
	}
	special := []float64{0, 1, math.Inf(1), math.Inf(-1)}
	if i := w.rng.IntN(40); i < len(special) {
		return special[i]
	}
	return math.Round(8 * w.rng.NormFloat64())
}

func (w *world) anyTrial() goptuna.FrozenTrial {
	trial := goptuna.FrozenTrial{
		State:              goptuna.TrialState(w.rng.IntN(5)),
		Value:              w.value(),
		DatetimeStart:      time.Now(),
		IntermediateValues: map[int]float64{1: w.rng.Float64()},
		InternalParams:     map[string]float64{"x": w.rng.Float64(), "categorical": 1},
		Distributions:      distributions,
		UserAttrs:          map[string]string{"from": "clone"},
		SystemAttrs:        map[string]string{"fixed_params": `{"x":1}`},
	}
	if trial.State.IsFinished() {
		trial.DatetimeComplete = time.Now()
	}
	return trial
}

// recreate deletes a study, if there is one, and gives its name to a new one.
func (w *world) recreate(t *testing.T, s goptuna.Storage, i int) {
	t.Helper()
	if w.studies[i] != 0 {
		check(t, s.DeleteStudy(w.studies[i]))
	}
	id, err := s.CreateNewStudy(w.names[i])
	check(t, err)
	w.studies[i] = id
}

// agree checks that a storage reads both studies, and some trials, as the plain
// one does.
func (w *world) agree(t *testing.T, s goptuna.Storage, when string) {
	t.Helper()
	var trials []int
	if len(w.trials) > 0 {
		trials = []int{w.trials[len(w.trials)-1], w.trials[w.rng.IntN(len(w.trials))]}
	}
	agree(t, when, s, w.plain, w.studies, trials)
}

// agree checks that a storage reads some studies and trials as another one does.
func agree(t *testing.T, when string, got, want goptuna.Storage, studies, trials []int) {
	t.Helper()
	same := func(method string, read func(goptuna.Storage) (any, error)) {
		t.Helper()
		w, wErr := read(want)
		g, gErr := read(got)
		if !reflect.DeepEqual(g, w) || fmt.Sprint(gErr) != fmt.Sprint(wErr) {
			t.Fatalf("%s: %s:\ngot  %+v, %v\nwant %+v, %v", when, method, g, gErr, w, wErr)
		}
	}
	// First what does not look for changes in the study.
	for _, id := range trials {
		same("GetTrial", func(s goptuna.Storage) (any, error) { return s.GetTrial(id) })
		same("GetTrialParams", func(s goptuna.Storage) (any, error) { return s.GetTrialParams(id) })
		same("GetTrialNumberFromID", func(s goptuna.Storage) (any, error) { return s.GetTrialNumberFromID(id) })
	}
	same("GetAllStudySummaries", func(s goptuna.Storage) (any, error) {
		summaries, err := s.GetAllStudySummaries()
		for i := range summaries { // rdb.Storage takes any start in the last second
			summaries[i].DatetimeStart = summaries[i].DatetimeStart.Truncate(time.Second)
		}
		return summaries, err
	})
	for _, id := range studies {
		same("GetAllTrials", func(s goptuna.Storage) (any, error) { return s.GetAllTrials(id) })
		same("GetBestTrial", func(s goptuna.Storage) (any, error) { return s.GetBestTrial(id) })
	}
}
