package simulation_test

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/simulation"
)

// Random studies see what they may see, whatever happens to them: package
// simulation says what that is. A failing seed is run alone by
//
//	go test ./internal/simulation -run TestSimulation$ -simulation.seed=17 -simulation.count=1
func TestSimulation(t *testing.T) {
	count := uint64(200)
	if testing.Short() {
		count = 25
	}
	simulation.Check(t, count, fmtest.InMemory)
}

// FuzzSimulation changes single decisions of random studies: without a tape, they are those
// of TestSimulation.
func FuzzSimulation(f *testing.F) {
	f.Add(uint64(1), []byte("the first bytes choose the space and the habits"))
	f.Fuzz(func(t *testing.T, seed uint64, tape []byte) {
		if _, err := simulation.Run(seed, fmtest.InMemory(t), simulation.Options{Tape: tape}); err != nil {
			t.Error(err)
		}
	})
}
