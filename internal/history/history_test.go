package history_test

import (
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/internal/history"
)

func newStudy(t *testing.T, name string, opts ...goptuna.StudyOption) *goptuna.Study {
	t.Helper()
	study, err := goptuna.CreateStudy(name, append(opts, goptuna.StudyOptionLogger(nil))...)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// onSQLite is the option for a new database of the test's own.
func onSQLite(t *testing.T) goptuna.StudyOption {
	t.Helper()
	dsn := filepath.Join(t.TempDir(), "study.db") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if conn, err := db.DB(); err != nil || conn.Close() != nil {
			t.Error("closing the database failed")
		}
	})
	if err := rdb.RunAutoMigrate(db); err != nil {
		t.Fatal(err)
	}
	return goptuna.StudyOptionStorage(rdb.NewStorage(db))
}

// add puts a trial with one parameter into the study and leaves it in the given
// state. It returns its id.
func add(t *testing.T, study *goptuna.Study, state goptuna.TrialState, value float64) int {
	t.Helper()
	id, err := study.Storage.CreateNewTrial(study.ID)
	if err != nil {
		t.Fatal(err)
	}
	steps := []error{
		study.Storage.SetTrialParam(id, "x", 0.5, goptuna.UniformDistribution{Low: 0, High: 1}),
		study.Storage.SetTrialSystemAttr(id, "fm:note", "of a test"),
	}
	if state == goptuna.TrialStateComplete || state == goptuna.TrialStatePruned {
		steps = append(steps, study.Storage.SetTrialValue(id, value))
	}
	if state != goptuna.TrialStateRunning {
		steps = append(steps, study.Storage.SetTrialState(id, state))
	}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	return id
}

func read(t *testing.T, study *goptuna.Study, self int) *history.History {
	t.Helper()
	h, err := history.Read(study, self)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// What each outcome of a trial is to the model, in memory and on SQLite, which
// stores NaN as NULL.
func TestOutcomes(t *testing.T) {
	type outcome struct {
		state    goptuna.TrialState
		value    float64
		finished bool
		censored bool
		why      string
	}
	outcomes := []outcome{
		{goptuna.TrialStateComplete, 2.5, true, false, "an observation"},
		{goptuna.TrialStateComplete, 0, true, false, "zero is a value"},
		{goptuna.TrialStateComplete, -1e300, true, false, "finite"},
		{goptuna.TrialStateComplete, math.NaN(), true, true, "no number"},
		{goptuna.TrialStateComplete, math.Inf(1), true, true, "not finite"},
		{goptuna.TrialStateComplete, math.Inf(-1), true, true, "not finite, and no incumbent"},
		{goptuna.TrialStateComplete, 0, true, false, "zero after NaN"},
		{goptuna.TrialStatePruned, -7, true, true, "the value is an intermediate one"},
		{goptuna.TrialStateFail, 0, true, true, "no value"},
		{goptuna.TrialStateRunning, 0, false, false, "another worker's"},
		{goptuna.TrialStateWaiting, 0, false, false, "enqueued"},
	}
	for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
		for name, opts := range map[string][]goptuna.StudyOption{"in memory": nil, "on SQLite": {onSQLite(t)}} {
			study := newStudy(t, string(direction), append(opts, goptuna.StudyOptionDirection(direction))...)
			for _, o := range outcomes {
				add(t, study, o.state, o.value)
			}
			self := add(t, study, goptuna.TrialStateRunning, 0)
			h := read(t, study, self)
			if len(h.Finished) != 9 || len(h.Running) != 1 || h.Observations != 4 {
				t.Errorf("%s: %d finished, %d running, %d observations, want 9, 1, 4", name, len(h.Finished), len(h.Running), h.Observations)
				continue
			}
			for i, trial := range h.Finished {
				want := outcomes[i]
				if trial.Number != i || trial.NoValue != want.censored {
					t.Errorf("%s: trial %d with %v %v: number %d, censored %t, want %t (%s)",
						name, i, want.state, want.value, trial.Number, trial.NoValue, want.censored, want.why)
				}
				y := want.value
				if direction == goptuna.StudyDirectionMaximize {
					y = -y
				}
				if !want.censored && trial.Y != y {
					t.Errorf("%s, %s: Y = %v for value %v", name, direction, trial.Y, want.value)
				}
				if trial.InternalParams["x"] != 0.5 || trial.Distributions["x"] == nil {
					t.Errorf("%s: trial %d has lost its parameter", name, i)
				}
			}
			running := h.Running[0]
			if running.Number != 9 || !maps.Equal(running.SystemAttrs, map[string]string{"fm:note": "of a test"}) {
				t.Errorf("%s: running trial %d with attributes %v", name, running.Number, running.SystemAttrs)
			}
		}
	}
}

// NULL values of one study are not those of another in the same database.
func TestNullOfAnotherStudy(t *testing.T) {
	db := onSQLite(t)
	a, b := newStudy(t, "a", db), newStudy(t, "b", db)
	for _, study := range []*goptuna.Study{a, b} {
		add(t, study, goptuna.TrialStateComplete, 0)
	}
	add(t, b, goptuna.TrialStateComplete, math.NaN())
	add(t, a, goptuna.TrialStateComplete, 0)
	if h := read(t, a, -1); h.Observations != 2 {
		t.Errorf("study a has %d observations, want 2", h.Observations)
	}
	if h := read(t, b, -1); h.Observations != 1 || !h.Finished[1].NoValue {
		t.Errorf("study b has %d observations, want 1", h.Observations)
	}
}

// listing is a storage that lists trials as it is told.
type listing struct {
	goptuna.Storage
	trials []goptuna.FrozenTrial
	err    error
	calls  int
}

func (l *listing) GetAllTrials(int) ([]goptuna.FrozenTrial, error) {
	l.calls++
	return l.trials, l.err
}

// Trials come in the order of their numbers, whatever their order in storage,
// which keeps its own.
func TestSortedByNumber(t *testing.T) {
	study := newStudy(t, "")
	for _, state := range []goptuna.TrialState{goptuna.TrialStateComplete, goptuna.TrialStateFail, goptuna.TrialStateRunning} {
		for range 3 {
			add(t, study, state, 1)
		}
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(trials)
	storage := &listing{Storage: study.Storage, trials: trials}
	study.Storage = storage
	h := read(t, study, -1)
	for i, trial := range h.Finished {
		if trial.Number != i {
			t.Errorf("finished trial %d has number %d", i, trial.Number)
		}
	}
	for i, trial := range h.Running {
		if trial.Number != 6+i {
			t.Errorf("running trial %d has number %d, want %d", i, trial.Number, 6+i)
		}
	}
	if len(h.Finished) != 6 || len(h.Running) != 3 || storage.trials[0].Number != 8 || storage.calls != 1 {
		t.Errorf("%d finished, %d running; storage's first is %d, read %d times", len(h.Finished), len(h.Running), storage.trials[0].Number, storage.calls)
	}
}

func TestStorageErrors(t *testing.T) {
	study := newStudy(t, "")
	add(t, study, goptuna.TrialStateComplete, 1)
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	study.Storage = &listing{Storage: study.Storage, trials: trials, err: goptuna.ErrTrialsPartiallyDeleted}
	if h := read(t, study, -1); h.Observations != 1 {
		t.Errorf("%d observations of what is left, want 1", h.Observations)
	}
	failure := errors.New("connection lost")
	study.Storage = &listing{Storage: study.Storage, err: failure}
	if _, err := history.Read(study, -1); !errors.Is(err, failure) {
		t.Errorf("got %v, want the storage's error", err)
	}
}

// Before it is full, BlackHoleStorage lists empty places as running trials.
func TestEmptyPlaces(t *testing.T) {
	study := newStudy(t, "", goptuna.StudyOptionStorage(goptuna.NewBlackHoleStorage(5)))
	for n := range 8 {
		self := add(t, study, goptuna.TrialStateRunning, 0)
		if h := read(t, study, self); len(h.Running) != 0 || len(h.Finished) != min(n, 4) {
			t.Errorf("trial %d sees %d running and %d finished trials", n, len(h.Running), len(h.Finished))
		}
		if err := study.Storage.SetTrialState(self, goptuna.TrialStateComplete); err != nil {
			t.Fatal(err)
		}
	}
}

// A study without trials has an empty history.
func TestNoTrials(t *testing.T) {
	for _, opts := range [][]goptuna.StudyOption{nil, {onSQLite(t)}} {
		if h := read(t, newStudy(t, "", opts...), -1); len(h.Finished)+len(h.Running)+h.Observations != 0 {
			t.Errorf("history %v of an empty study", h)
		}
	}
}

// What others may have planned since: trials that were running, whether they had
// a plan or not, even if they have ended meanwhile, and new ones.
func TestLater(t *testing.T) {
	study := newStudy(t, "study", onSQLite(t))
	note := func(id int, text string) {
		t.Helper()
		if err := study.Storage.SetTrialSystemAttr(id, "fm:note", text); err != nil {
			t.Fatal(err)
		}
	}
	add(t, study, goptuna.TrialStateComplete, 1)
	again := add(t, study, goptuna.TrialStateRunning, 0)
	ended := add(t, study, goptuna.TrialStateRunning, 0)
	self := add(t, study, goptuna.TrialStateRunning, 0)
	h := read(t, study, self)
	note(again, "another plan")
	note(ended, "another plan")
	if err := study.Storage.SetTrialState(ended, goptuna.TrialStateFail); err != nil {
		t.Fatal(err)
	}
	after := add(t, study, goptuna.TrialStateRunning, 0)
	note(self, "own")

	later, err := h.Later(study, self)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]map[string]string{
		again: {"fm:note": "another plan"}, ended: {"fm:note": "another plan"}, after: {"fm:note": "of a test"},
	}
	if !maps.EqualFunc(later, want, maps.Equal[map[string]string]) {
		t.Errorf("got %v, want %v", later, want)
	}
	if later, err := (&history.History{}).Later(newStudy(t, "memory"), 0); err != nil || len(later) > 0 {
		t.Errorf("in memory: %v, error %v; want nothing", later, err)
	}
}
