package fmtest

import (
	"sync"
	"testing"

	"github.com/c-bata/goptuna"
)

// MixedTrials is four times the start-up: most trials come from the model.
const MixedTrials = 40

// RunMixed returns the trials of a study on the mixed space.
func RunMixed(t *testing.T, seed int64, opts ...goptuna.StudyOption) []goptuna.FrozenTrial {
	t.Helper()
	study := NewStudy(t, Seeded(t, seed), opts...)
	Optimize(t, study, Ask(Mixed(), MixedValue), MixedTrials)
	return TrialsOf(t, study)
}

// Workers is how many goroutines work on a study in Together.
const Workers = 8

// Together runs the objective in Workers goroutines per study, n trials in each,
// and checks that every trial is complete and none repeats another.
func Together(t *testing.T, n int, objective goptuna.FuncObjective, studies ...*goptuna.Study) {
	t.Helper()
	var wg sync.WaitGroup
	for _, study := range studies {
		for range Workers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if err := study.Optimize(objective, n); err != nil {
					t.Error(err)
				}
			}()
		}
	}
	wg.Wait()
	for _, study := range studies {
		trials := TrialsOf(t, study)
		if got := Count(trials, goptuna.TrialStateComplete); got != Workers*n || len(trials) != Workers*n {
			t.Errorf("%d of %d trials are complete, want %d", got, len(trials), Workers*n)
		}
		if n := Duplicates(trials); n > 0 {
			t.Errorf("%d of %d trials repeat an earlier one", n, len(trials))
		}
	}
}

// Sequential skips a long test with -short, as under the race detector: its trials run one
// after another, and there is nothing to detect.
func Sequential(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs many trials one after another")
	}
}
