package sampler_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func TestOptimizeEnds(t *testing.T) { fmtest.CheckEnds(t, fmtest.InMemory) }

func TestOptimizeContext(t *testing.T) { fmtest.CheckContext(t, fmtest.InMemory) }

func TestOptimizeEndedByAnother(t *testing.T) { fmtest.CheckEndedByAnother(t, fmtest.InMemory) }

// Several calls share a study as several workers of one do.
func TestOptimizeConcurrently(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	errs := make(chan error)
	for range 4 {
		go func() {
			errs <- fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
				return fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue)(trial)
			}, 5, fm.OptimizeOptionWorkers(2))
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Count(trials, goptuna.TrialStateComplete); len(trials) != 20 || n != 20 {
		t.Errorf("%d of %d trials are complete, want 20", n, len(trials))
	}
}

// failing is a storage of which one method fails from its nth call on.
type failing struct {
	goptuna.Storage
	method string
	works  atomic.Int64 // calls that are left to succeed
}

var errLost = errors.New("connection lost")

func (f *failing) fails(method string) bool {
	return method == f.method && f.works.Add(-1) < 0
}

func (f *failing) GetAllTrials(id int) ([]goptuna.FrozenTrial, error) {
	if f.fails("GetAllTrials") {
		return nil, errLost
	}
	return f.Storage.GetAllTrials(id)
}

func (f *failing) CreateNewTrial(id int) (int, error) {
	if f.fails("CreateNewTrial") {
		return 0, errLost
	}
	return f.Storage.CreateNewTrial(id)
}

func (f *failing) SetTrialValue(id int, value float64) error {
	if f.fails("SetTrialValue") {
		return errLost
	}
	return f.Storage.SetTrialValue(id, value)
}

func (f *failing) SetTrialState(id int, state goptuna.TrialState) error {
	if f.fails("SetTrialState") {
		return errLost
	}
	return f.Storage.SetTrialState(id, state)
}

func (f *failing) SetTrialUserAttr(id int, key, value string) error {
	if f.fails("SetTrialUserAttr") {
		return errLost
	}
	return f.Storage.SetTrialUserAttr(id, key, value)
}

// A storage that does not work ends the study, in words that say what was to be
// done; Goptuna would try for ever to create a trial. Trials that run are finished
// first.
func TestOptimizeStorageErrors(t *testing.T) {
	for _, test := range []struct{ method, want string }{
		{"GetAllTrials", "fm: reading the trials"},
		{"CreateNewTrial", "fm: creating a trial of the study with id 1"},
		{"SetTrialValue", "fm: storing the value 1 of trial"},
		{"SetTrialState", "fm: ending trial"},
	} {
		for _, workers := range []int{1, 4} {
			storage := &failing{Storage: goptuna.NewInMemoryStorage(), method: test.method}
			storage.works.Store(6)
			study, err := goptuna.CreateStudy("study", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil))
			if err != nil {
				t.Fatal(err)
			}
			var begun, done atomic.Int64
			err = fm.Optimize(t.Context(), study, func(context.Context, goptuna.Trial) (float64, error) {
				begun.Add(1)
				time.Sleep(5 * time.Millisecond)
				done.Add(1)
				return 1, nil
			}, 1000, fm.OptimizeOptionWorkers(workers))
			if !errors.Is(err, errLost) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %d workers: %v, want %q", test.method, workers, err, test.want)
			}
			if n := begun.Load(); n != done.Load() || n < 6 || n > int64(6+workers) {
				t.Errorf("%s, %d workers: %d trials begun, %d done, want 6 or up to one more for each worker", test.method, workers, n, done.Load())
			}
		}
	}
}

// A reason that cannot be stored is no reason to leave the trial running.
func TestOptimizeWithoutReasons(t *testing.T) {
	log := &fmtest.Recorder{}
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), goptuna.StudyOptionLogger(log),
		goptuna.StudyOptionStorage(&failing{Storage: goptuna.NewInMemoryStorage(), method: "SetTrialUserAttr"}))
	err := fm.Optimize(t.Context(), study, func(context.Context, goptuna.Trial) (float64, error) { panic("out of cheese") }, 1)
	if trials := fmtest.TrialsOf(t, study); err != nil || len(trials) != 1 || trials[0].State != goptuna.TrialStateFail {
		t.Errorf("trials %+v, error %v", trials, err)
	}
	log.Check(t, 1, "cannot store why a trial failed")
}

// Enqueued trials come first, with the values that they were given.
func TestOptimizeEnqueued(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	fmtest.Enqueue(t, study, map[string]float64{"x": 0.25})
	fmtest.Enqueue(t, study, map[string]float64{"x": 0.75})
	var got []float64
	if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		got = append(got, x)
		return x, err
	}, 3); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0] != 0.25 || got[1] != 0.75 || len(fmtest.TrialsOf(t, study)) != 3 {
		t.Errorf("values %v, want 0.25 and 0.75 first", got)
	}
}

// A value that the objective does not ask for, or in another range, is a warning: a name may
// be misspelt. One that leads to a trial that fails early is none.
func TestOptimizeEnqueuedInVain(t *testing.T) {
	for _, test := range []struct {
		name  string
		value map[string]float64
		fails bool
		want  []string
	}{
		{"used", map[string]float64{"x": 0.25}, false, nil},
		{"misspelt", map[string]float64{"xx": 0.25}, false, []string{`the objective does not ask for "xx"`}},
		{"outside", map[string]float64{"x": 5}, false, []string{`that of "x" is not in the distribution`}},
		{"both", map[string]float64{"x": 5, "xx": 0.25}, false, []string{`that of "x"`, `ask for "xx"`, "trialID="}},
		{"failed before it asked", map[string]float64{"x": 0.25}, true, nil},
	} {
		log := &fmtest.Recorder{}
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(log))
		fmtest.Enqueue(t, study, test.value)
		if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
			if test.fails {
				return 0, errors.New("no")
			}
			return trial.SuggestFloat("x", 0, 1)
		}, 3); err != nil {
			t.Fatal(err)
		}
		warnings := log.Warnings()
		if len(warnings) != min(1, len(test.want)) {
			t.Errorf("%s: warnings %q", test.name, warnings)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(warnings[0], want) {
				t.Errorf("%s: warning %q, want %q", test.name, warnings[0], want)
			}
		}
	}
}

// Of several workers, of one call or of several, only one runs each of the enqueued
// trials.
func TestOptimizeEnqueuedByWorkers(t *testing.T) {
	const enqueued = 200
	for _, calls := range []int{1, 4} {
		for range 10 {
			study := fmtest.NewStudy(t, goptuna.NewRandomSampler())
			for i := range enqueued {
				fmtest.Enqueue(t, study, map[string]float64{"i": float64(i)})
			}
			var runs [enqueued]atomic.Int64
			var group sync.WaitGroup
			for range calls {
				group.Go(func() {
					if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
						i, err := trial.SuggestInt("i", 0, enqueued-1)
						runs[i].Add(1)
						return float64(i), err
					}, enqueued/calls, fm.OptimizeOptionWorkers(8/calls)); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			for i := range runs {
				if n := runs[i].Load(); n != 1 {
					t.Errorf("%d calls: trial %d ran %d times", calls, i, n)
				}
			}
		}
	}
}

// An interrupted configuration may come again, a failed one does not: the space
// has four, and four trials.
func TestOptimizeInterruptedComesAgain(t *testing.T) {
	for _, interrupted := range []bool{true, false} {
		study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
		tried := map[string]int{}
		first := ""
		ctx, cancel := context.WithCancel(t.Context())
		objective := func(_ context.Context, trial goptuna.Trial) (float64, error) {
			kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c", "d"})
			if err != nil {
				return 0, err
			}
			tried[kind]++
			if first != "" {
				return float64(len(tried)), nil
			}
			first = kind
			if interrupted {
				cancel()
			}
			return 0, errors.New("ended")
		}
		for _, ctx := range []context.Context{ctx, t.Context()} {
			if err := fm.Optimize(ctx, study, objective, 4); err != nil {
				t.Fatal(err)
			}
			if !interrupted {
				break
			}
		}
		want := 1
		if interrupted {
			want = 2
		}
		if len(tried) != 4 || tried[first] != want {
			t.Errorf("interrupted %t: %v, want %s %d times and the others once", interrupted, tried, first, want)
		}
		cancel()
	}
}

// Goptuna's own panic over a relative sampler that meets choices fails trials, and
// no program.
func TestOptimizeRelativeSampler(t *testing.T) {
	study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), goptuna.StudyOptionRelativeSampler(fmtest.Seeded(t, 1)))
	err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		return float64(len(kind)), err
	}, 3)
	trials := fmtest.TrialsOf(t, study)
	if err != nil || len(trials) != 3 {
		t.Fatalf("%d trials, error %v", len(trials), err)
	}
	if reason := trials[2].UserAttrs["fm: error"]; !strings.Contains(reason, "uncomparable") {
		t.Errorf("the third trial: %v, %q", trials[2].State, reason)
	}
}

// What cannot run is an error, and no trial.
func TestOptimizeArguments(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	none := func(context.Context, goptuna.Trial) (float64, error) { return 0, nil }
	for want, err := range map[string]error{
		"fm: the study is nil":     fm.Optimize(t.Context(), nil, none, 1),
		"fm: the objective is nil": fm.Optimize(t.Context(), study, nil, 1),
		"fm: the context is nil":   fm.Optimize(nil, study, none, 1), //lint:ignore SA1012 that is what is tested
		"fm: cannot run -1 trials": fm.Optimize(t.Context(), study, none, -1),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if n := len(fmtest.TrialsOf(t, study)); n != 0 {
		t.Errorf("%d trials", n)
	}
}

func TestOptimizeOptionsPanic(t *testing.T) {
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1))
	nothing := func(context.Context, goptuna.Trial) (float64, error) { return 0, nil }
	for want, option := range map[string]func(){
		"fm: number of workers is 0":                  func() { fm.OptimizeOptionWorkers(0) },
		"fm: the function for finished trials is nil": func() { fm.OptimizeOptionFinished(nil) },
		"fm: option 2 of Optimize is nil": func() {
			_ = fm.Optimize(t.Context(), study, nothing, 1, fm.OptimizeOptionWorkers(2), nil)
		},
		"fm: option 1 of CopyTrials is nil": func() {
			_ = fm.CopyTrials(fmtest.NewStudy(t, fmtest.Seeded(t, 1)), study, fm.CopyOption(nil))
		},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, want) || !strings.Contains(text, "omit") {
					t.Errorf("panicked with %s, want %s", text, want)
				}
			}()
			option()
		}()
	}
}

// Who stops a study is told at once what is waited for.
func TestOptimizeSaysWhatItWaitsFor(t *testing.T) {
	said := make(chan string, 1)
	lines := lineWriter(func(line string) {
		if strings.Contains(line, "fm: the study is to stop: the trials that run are waited for; an objective that looks at its context ends at once\n") {
			said <- line
		}
	})
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 1), goptuna.StudyOptionLogger(&goptuna.StdLogger{Logger: log.New(lines, "", 0), Level: goptuna.LoggerLevelInfo}))
	ctx, stop := context.WithCancel(t.Context())
	if err := fm.Optimize(ctx, study, func(context.Context, goptuna.Trial) (float64, error) {
		stop()
		return 1, errors.New(<-said) // before it has ended
	}, 2); err != nil {
		t.Error(err)
	}
	if trials := fmtest.TrialsOf(t, study); len(trials) != 1 || trials[0].SystemAttrs[history.InterruptedAttr] == "" {
		t.Errorf("%+v", trials)
	}
}

// lineWriter is what a log writes its lines to.
type lineWriter func(line string)

func (w lineWriter) Write(line []byte) (int, error) {
	w(string(line))
	return len(line), nil
}

// That all trials fail for the same reason is said once, after the tenth: they may all have
// the same cause.
func TestOptimizeSaysThatAllFail(t *testing.T) {
	for _, test := range []struct {
		name    string
		trials  int
		workers int
		outcome func(trial goptuna.Trial, n int64) (float64, error)
		want    int
	}{
		{"a server that is not there", 25, 1, func(_ goptuna.Trial, n int64) (float64, error) {
			return 0, fmt.Errorf("dial tcp 127.0.0.1:%d: connection refused\nafter %d attempts", 40000+n, n)
		}, 1},
		{"by several workers", 25, 4, func(goptuna.Trial, int64) (float64, error) { panic("connection refused") }, 1},
		{"too few", 9, 1, func(goptuna.Trial, int64) (float64, error) { return 0, errors.New("connection refused") }, 0},
		{"one complete", 25, 1, func(_ goptuna.Trial, n int64) (float64, error) {
			if n == 7 {
				return 1, nil
			}
			return 0, errors.New("connection refused")
		}, 0},
		{"the first complete", 25, 1, func(_ goptuna.Trial, n int64) (float64, error) {
			if n == 1 {
				return 1, nil
			}
			return 0, errors.New("connection refused")
		}, 0},
		{"other reasons", 25, 1, func(_ goptuna.Trial, n int64) (float64, error) {
			return 0, errors.New([]string{"connection refused", "out of memory"}[n%2])
		}, 0},
		{"beyond a limit", 25, 1, func(trial goptuna.Trial, n int64) (float64, error) {
			return fm.Constrained(trial, 1, fm.AtMost("size", float64(n), 0))
		}, 0},
	} {
		logger := &fmtest.Recorder{Logger: &goptuna.StdLogger{}}
		study := fmtest.NewStudy(t, goptuna.NewRandomSampler(), goptuna.StudyOptionLogger(logger))
		var n atomic.Int64
		if err := fm.Optimize(t.Context(), study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
			return test.outcome(trial, n.Add(1))
		}, test.trials, fm.OptimizeOptionWorkers(test.workers)); err != nil {
			t.Fatal(err)
		}
		if warnings := logger.Warnings(); len(warnings) != test.want || test.want > 0 && !strings.Contains(warnings[0], "fm: all 10 trials so far have failed") {
			t.Errorf("%s: %q, want %d", test.name, warnings, test.want)
		} else if test.want > 0 && (!strings.Contains(warnings[0], "connection refused") || strings.Contains(warnings[0], "\n")) {
			t.Errorf("%s: %q does not say in a line why", test.name, warnings)
		}
		if trials := len(fmtest.TrialsOf(t, study)); trials != test.trials {
			t.Errorf("%s: %d trials, want %d", test.name, trials, test.trials)
		}
	}
}
