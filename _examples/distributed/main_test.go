package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// quick is a configuration for tests, on a new SQLite file.
func quick(t *testing.T) config {
	t.Helper()
	return config{
		storage: "sqlite:///" + filepath.Join(t.TempDir(), "test.db"), study: "test", trials: 6, workers: 2, seed: 1, objective: objective,
		patience: 20 * time.Second, requests: 2000, firstPause: 10 * time.Millisecond, longestPause: 300 * time.Millisecond,
	}
}

// trialsOf reads the trials of the study.
func trialsOf(t *testing.T, c config) []goptuna.FrozenTrial {
	t.Helper()
	storage, err := openStorage(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.LoadStudy(c.study, goptuna.StudyOptionStorage(storage))
	if err != nil {
		return nil // not yet
	}
	return fmtest.TrialsOf(t, study)
}

// Processes that start at once share one database and one study, and end when it has its trials.
func TestWorkersShareAStudy(t *testing.T) {
	c := quick(t)
	errs := make(chan error)
	for range 3 {
		go func() { errs <- run(context.Background(), c) }()
	}
	for range 3 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	trials := trialsOf(t, c)
	if n := fmtest.Count(trials, goptuna.TrialStateComplete); n != len(trials) || n < c.trials || n >= c.trials+3*c.workers {
		t.Errorf("%d of %d trials are complete, want %d or few more", n, len(trials), c.trials)
	}
	if err := run(context.Background(), c); err != nil {
		t.Error("a worker that comes late:", err)
	}
	if n := len(trialsOf(t, c)); n != len(trials) {
		t.Errorf("a worker that comes late makes %d trials", n-len(trials))
	}
}

// A trial beyond a limit is no reason to wait, nor to give up.
func TestBeyondALimit(t *testing.T) {
	c := quick(t)
	c.workers, c.patience, c.firstPause = 1, time.Nanosecond, time.Hour
	var beyond int
	c.objective = func(ctx context.Context, trial goptuna.Trial, requests int) (float64, error) {
		cost, err := objective(ctx, trial, requests)
		if err != nil {
			return 0, err
		}
		measured := 1.0
		if beyond < 5 {
			beyond++
			measured = 2
		}
		return fm.Constrained(trial, cost, fm.AtMost("p99_ms", measured, 1))
	}
	if err := run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	trials := trialsOf(t, c)
	if complete, failed := fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Count(trials, goptuna.TrialStateFail); complete != 6 || failed != 5 {
		t.Errorf("%d trials are complete, %d beyond the limit; want 6, 5", complete, failed)
	}
}

// An interrupt ends the trials that run, as failed ones.
func TestInterrupt(t *testing.T) {
	c := quick(t)
	c.requests = 1 << 40
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- run(ctx, c) }()
	for len(trialsOf(t, c)) < c.workers {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if trials := trialsOf(t, c); fmtest.Count(trials, goptuna.TrialStateFail) != len(trials) {
		t.Errorf("%d of %d trials failed, want all", fmtest.Count(trials, goptuna.TrialStateFail), len(trials))
	}
}

// A server that breaks off and comes back costs no result, and leaves no trial running.
func TestServerRestarts(t *testing.T) {
	if testing.Short() {
		t.Skip("restarts servers")
	}
	for _, kind := range []dbtest.Kind{dbtest.MySQL, dbtest.Postgres} {
		t.Run(string(kind), func(t *testing.T) {
			db := dbtest.New(t, kind)
			c := quick(t)
			c.storage, c.trials, c.requests = db.URL(t), 30, 100_000
			done := make(chan error)
			go func() { done <- run(context.Background(), c) }()
			for fmtest.Count(trialsOf(t, c), goptuna.TrialStateComplete) < 5 {
				time.Sleep(20 * time.Millisecond)
			}
			db.Restart(t, 500*time.Millisecond)
			if err := <-done; err != nil {
				t.Error(err)
			}
			trials := trialsOf(t, c)
			complete, failed := fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Count(trials, goptuna.TrialStateFail)
			if complete < c.trials || complete+failed < len(trials)-c.workers || failed > c.workers {
				t.Errorf("of %d trials %d are complete and %d failed", len(trials), complete, failed)
			}
			t.Logf("of %d trials %d are complete and %d failed", len(trials), complete, failed)
		})
	}
}

// Workers that wait for the server with the same enqueued trial do not all get it.
func TestEnqueuedTrialIsRunOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("restarts servers")
	}
	for _, kind := range []dbtest.Kind{dbtest.MySQL, dbtest.Postgres} {
		t.Run(string(kind), func(t *testing.T) {
			db := dbtest.New(t, kind)
			c := quick(t)
			c.storage = db.URL(t)
			const workers = 4
			storages := make([]*storage, workers)
			for i := range storages {
				var err error
				if storages[i], err = openStorage(t.Context(), c); err != nil {
					t.Fatal(err)
				}
				defer storages[i].Close()
			}
			study, err := join(t.Context(), c, storages[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := study.EnqueueTrial(map[string]float64{"threads": 3}); err != nil {
				t.Fatal(err)
			}
			id := trialsOf(t, c)[0].ID
			errs := make(chan error)
			for _, s := range storages {
				go func() {
					time.Sleep(100 * time.Millisecond) // by then the server is gone
					errs <- s.SetTrialState(id, goptuna.TrialStateRunning)
				}()
			}
			db.Restart(t, 500*time.Millisecond)
			started := 0
			for range workers {
				if err := <-errs; err == nil {
					started++
				} else if !errors.Is(err, goptuna.ErrTrialCannotBeUpdated) {
					t.Error(err)
				}
			}
			if started != 1 {
				t.Errorf("%d of %d workers run the trial, want 1", started, workers)
			}
		})
	}
}

// A wrong URL is an error at once; it would stay wrong.
func TestWrongURL(t *testing.T) {
	c := quick(t)
	for _, url := range []string{"a.db", "oracle://localhost/db", "sqlite:missing/a.db"} {
		c.storage = url
		begin := time.Now()
		if err := run(context.Background(), c); !errors.Is(err, cachedrdb.ErrInvalid) || time.Since(begin) > c.patience/4 {
			t.Errorf("%s: error %v after %v", url, err, time.Since(begin))
		}
	}
}

// Where all trials fail there is an end to patience, also if the objective returns no error but NaN.
func TestAllFail(t *testing.T) {
	c := quick(t)
	c.patience, c.requests = 50*time.Millisecond, 0 // of no requests, the mean latency is NaN
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	storage, err := openStorage(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	study, err := join(ctx, c, storage)
	if err != nil {
		t.Fatal(err)
	}
	if err := work(ctx, c, storage, study); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("error %v, want one that says NaN", err)
	}
}

// Flags that make no sense are refused before there is a study.
func TestFlagsRefuse(t *testing.T) {
	for want, change := range map[string]func(*config){
		"-workers":  func(c *config) { c.workers = 0 },
		"-trials":   func(c *config) { c.trials = -1 },
		"-requests": func(c *config) { c.requests = 0 },
	} {
		c := quick(t)
		change(&c)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		if err := run(ctx, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that names %s", err, want)
		}
		cancel()
	}
}

func TestRetry(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name     string
		patience time.Duration
		errs     []error // of the attempts; then it succeeds
		calls    int
		want     error
	}{
		{"at once", time.Minute, nil, 1, nil},
		{"at the third attempt", time.Minute, []error{broken, broken}, 3, nil},
		{"for good", time.Minute, []error{fmt.Errorf("wrapped: %w", goptuna.ErrTrialCannotBeUpdated)}, 1, goptuna.ErrTrialCannotBeUpdated},
		{"patience ends", 50 * time.Millisecond, slices.Repeat([]error{broken}, 1000), 0, broken},
	} {
		c := config{patience: test.patience, firstPause: time.Millisecond, longestPause: 4 * time.Millisecond}
		calls := 0
		err := retry(context.Background(), c, "test", func() error {
			calls++
			if calls <= len(test.errs) {
				return test.errs[calls-1]
			}
			return nil
		}, permanent...)
		if !errors.Is(err, test.want) || test.calls > 0 && calls != test.calls {
			t.Errorf("%s: error %v after %d calls", test.name, err, calls)
		}
	}
}

// The same settings cost the same, and each setting matters.
func TestSimulate(t *testing.T) {
	base := settings{threads: 16, timeout: 0.1, cacheMB: 64, ttl: 60, eviction: "lru", compression: "none"}
	cost := func(s settings) float64 {
		m, err := simulate(context.Background(), s, 50_000)
		if err != nil {
			t.Fatal(err)
		}
		if m.hits+m.failed > 100 || m.stale > m.hits || m.latency <= 0 {
			t.Errorf("%+v: %+v", s, m)
		}
		return m.cost(s)
	}
	want := cost(base)
	if got := cost(base); got != want {
		t.Errorf("%v and then %v", want, got)
	}
	for name, change := range map[string]func(*settings){
		"threads":     func(s *settings) { s.threads = 8 },
		"timeout":     func(s *settings) { s.timeout = 0.005 },
		"cache":       func(s *settings) { s.cacheMB = 256 },
		"ttl":         func(s *settings) { s.ttl = 5 },
		"eviction":    func(s *settings) { s.eviction = "random" },
		"compression": func(s *settings) { s.compression = "fast" },
	} {
		s := base
		change(&s)
		if cost(s) == want {
			t.Errorf("%s does not matter", name)
		}
	}
}

func TestCache(t *testing.T) {
	for _, test := range []struct {
		eviction string
		gone     uint64
	}{{"fifo", 1}, {"lru", 2}} {
		c := newCache(2, test.eviction)
		c.put(1, 0)
		c.put(2, 1)
		if age, ok := c.get(1, 5); !ok || age != 5 {
			t.Errorf("%s: age %v, %t", test.eviction, age, ok)
		}
		c.put(3, 6)
		for key := uint64(1); key <= 3; key++ {
			if _, ok := c.get(key, 7); ok != (key != test.gone) {
				t.Errorf("%s: %d is there: %t", test.eviction, key, ok)
			}
		}
	}
	c := newCache(10, "random")
	for key := range uint64(100) {
		c.put(key, 0)
	}
	if len(c.at) != 10 || c.order.Len() != 10 || len(c.entries) != 10 {
		t.Errorf("%d, %d and %d entries, want 10", len(c.at), c.order.Len(), len(c.entries))
	}
}
