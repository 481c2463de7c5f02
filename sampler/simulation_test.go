package sampler_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/simulation"
)

var (
	simulationSeed  = flag.Uint64("simulation.seed", 0, "first seed of TestSimulation")
	simulationCount = flag.Uint64("simulation.count", 0, "number of seeds of TestSimulation; 0 means 300, or 60 with -short")
)

// studyLimit is what no study takes, unless a suggestion hangs.
const studyLimit = 120 * time.Second

// simulate runs the random studies of the seeds, each on a storage of its own,
// on two goroutines, and reports what every failing one has seen.
func simulate(t *testing.T, first, count uint64, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	var (
		mu                           sync.Mutex
		wg                           sync.WaitGroup
		trials, suggestions, checked int
		slowest                      time.Duration
		where                        string
		warnings                     = map[string]int{}
	)
	add := func(seed uint64, r simulation.Result) {
		mu.Lock()
		defer mu.Unlock()
		trials, suggestions, checked = trials+r.Trials, suggestions+r.Suggestions, checked+r.Checked
		if r.Slowest > slowest {
			slowest, where = r.Slowest, fmt.Sprintf("seed %d, %s", seed, r.SlowestWhat)
		}
		for _, w := range r.Warnings {
			warnings[w]++
		}
	}
	type study struct {
		seed       uint64
		one, other goptuna.Storage
	}
	studies := make(chan study)
	for range 2 {
		wg.Go(func() {
			for next := range studies {
				seed, one, other := next.seed, next.one, next.other
				done := make(chan error, 1)
				go func() {
					result, err := simulation.Run(seed, one, simulation.Options{})
					add(seed, result)
					if err != nil && count == 1 {
						t.Log(strings.Join(result.Trace, "\n"))
					}
					if err == nil && seed%4 == 0 {
						err = sameWithRestarts(seed, result, other)
					}
					done <- err
				}()
				select {
				case err := <-done:
					if err != nil {
						t.Error(err)
					}
				case <-time.After(studyLimit):
					t.Errorf("simulation: seed %d takes more than %v", seed, studyLimit)
				}
			}
		})
	}
	for seed := first; seed < first+count; seed++ {
		studies <- study{seed, storage(t), storage(t)}
	}
	close(studies)
	wg.Wait()
	t.Logf("%d studies of %d trials; %d suggestions, the slowest %v (%s); %d trials compared with those before", count, trials, suggestions, slowest, where, checked)
	for _, w := range slices.Sorted(maps.Keys(warnings)) {
		t.Logf("warned %d times: %s", warnings[w], w)
	}
}

// sameWithRestarts runs a study again with a new sampler for each trial. The
// trials must be the same.
func sameWithRestarts(seed uint64, want simulation.Result, storage goptuna.Storage) error {
	got, err := simulation.Run(seed, storage, simulation.Options{Restart: true})
	if err != nil {
		return fmt.Errorf("with restarts: %w", err)
	}
	for i := range min(len(got.Trace), len(want.Trace)) {
		if got.Trace[i] != want.Trace[i] {
			return fmt.Errorf("simulation: seed %d: with restarts: %s; without: %s", seed, got.Trace[i], want.Trace[i])
		}
	}
	if len(got.Trace) != len(want.Trace) {
		return errors.New("simulation: runs of different lengths")
	}
	return nil
}

func inMemory(testing.TB) goptuna.Storage { return goptuna.NewInMemoryStorage() }

// Random studies see what they may see, whatever happens to them: package
// simulation says what that is. A failing seed is run alone by
//
//	go test ./sampler -run TestSimulation$ -simulation.seed=17 -simulation.count=1
func TestSimulation(t *testing.T) {
	count := *simulationCount
	switch {
	case count > 0:
	case testing.Short():
		count = 60
	default:
		count = 300
	}
	simulate(t, *simulationSeed, count, inMemory)
}

// FuzzSimulation changes single decisions of random studies.
func FuzzSimulation(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed, []byte{})
	}
	f.Add(uint64(1), []byte("the first bytes choose the space and the habits"))
	f.Fuzz(func(t *testing.T, seed uint64, tape []byte) {
		if _, err := simulation.Run(seed, inMemory(t), simulation.Options{Tape: tape}); err != nil {
			t.Error(err)
		}
	})
}
