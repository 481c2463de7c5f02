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
	studies, results := make(chan study), make([]Result, count)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for s := range studies {
				result, err := s.run()
				if err != nil {
					t.Error(err)
					if count == 1 {
						t.Log(strings.Join(result.Trace, "\n"))
					}
				}
				results[s.seed-first] = result
			}
		})
	}
	for seed := first; seed < first+count; seed++ {
		studies <- study{seed, storage(t), storage(t)}
	}
	close(studies)
	wg.Wait()
	logTotals(t, first, results)
}

// study is a random study with storages for two runs of it.
type study struct {
	seed       uint64
	one, other goptuna.Storage
}

// run runs the study, and one in four again with restarts.
func (s study) run() (Result, error) {
	type outcome struct {
		result Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		result, err := Run(s.seed, s.one, Options{})
		if err == nil && s.seed%4 == 0 {
			err = sameWithRestarts(s.seed, result, s.other)
		}
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(studyLimit):
		return Result{}, fmt.Errorf("simulation: seed %d takes more than %v", s.seed, studyLimit)
	}
}

// logTotals logs what the studies from the first seed on have seen.
func logTotals(t *testing.T, first uint64, results []Result) {
	t.Helper()
	trials, suggestions, checked, slowest := 0, 0, 0, 0
	warnings := map[string]int{}
	for i, r := range results {
		trials, suggestions, checked = trials+r.Trials, suggestions+r.Suggestions, checked+r.Checked
		if r.Slowest > results[slowest].Slowest {
			slowest = i
		}
		for _, w := range r.Warnings {
			warnings[w]++
		}
	}
	t.Logf("%d studies of %d trials; %d suggestions, the slowest %v (seed %d, %s); %d trials compared with those before", len(results), trials,
		suggestions, results[slowest].Slowest, first+uint64(slowest), results[slowest].SlowestWhat, checked)
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
