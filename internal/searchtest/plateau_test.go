package searchtest

import (
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// A choice that is behind a plateau is looked at again. One model of everything
// leaves the plateau of Noisy-plateau in 3 of 20 studies.
func TestPlateauIsLeft(t *testing.T) {
	t.Parallel()
	const seeds, trials = 10, 100
	for _, test := range []struct {
		problem *problems.Problem
		want    int // of 10
	}{
		{problems.NoisyPlateau(), 9}, // 9.8 over many seeds
		{problems.WidePlateau(), 7},  // 7.8; by random search 6.8
	} {
		t.Run(test.problem.Name, func(t *testing.T) {
			left := fmtest.Below(t, 0.75, fmtest.Seeds(seeds), problems.Objective(test.problem), trials)
			t.Logf("%d of %d studies left the plateau", left, seeds)
			if left < test.want {
				t.Errorf("%d of %d studies left the plateau, want %d", left, seeds, test.want)
			}
		})
	}
}
