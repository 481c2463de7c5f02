package simulation

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
)

// Flags of every test that calls Check.
var (
	firstSeed = flag.Uint64("simulation.seed", 0, "first seed of a simulation")
	seeds     = flag.Uint64("simulation.count", 0, "number of seeds of a simulation; 0 means as many as the test says")
)

// studyLimit is what no study takes, unless a suggestion hangs: the longest one takes half a
// minute when nothing else runs.
const studyLimit = 5 * time.Minute

// Check runs so many random studies, each on a storage of its own, on two
// goroutines, and reports what every failing one has seen. Flags say which seeds
// instead.
func Check(t *testing.T, count uint64, storage func(testing.TB) goptuna.Storage) {
	t.Helper()
	first := *firstSeed
	if *seeds > 0 {
		count = *seeds
	}
	var (
		mu                           sync.Mutex
		wg                           sync.WaitGroup
		trials, suggestions, checked int
		slowest                      time.Duration
		where                        string
		warnings                     = map[string]int{}
	)
	add := func(seed uint64, r Result) {
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
					result, err := Run(seed, one, Options{})
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
func sameWithRestarts(seed uint64, want Result, storage goptuna.Storage) error {
	got, err := Run(seed, storage, Options{Restart: true})
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
