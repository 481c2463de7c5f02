package sampler_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func TestConcurrentTrials(t *testing.T) {
	trials := 6
	if testing.Short() {
		trials = 3
	}
	fmtest.Together(t, trials, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.NewStudy(t, fmtest.Seeded(t, 1)))
}

// On a small finite space, workers stay out of each other's way once the
// parameters are known.
func TestConcurrentTrialsOnFiniteSpace(t *testing.T) {
	params := []fmtest.Param{
		{Name: "a", Distribution: goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r", "s", "t", "u"}}},
		{Name: "b", Distribution: goptuna.IntUniformDistribution{Low: 1, High: 10}},
	}
	objective := fmtest.Ask(params, func(x map[string]float64) float64 { return x["a"] + sq(x["b"]-4) })
	study := fmtest.NewStudy(t, fmtest.Seeded(t, 2))
	fmtest.Optimize(t, study, objective, 1)
	const each = 6
	var wg sync.WaitGroup
	for range fmtest.Workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := study.Optimize(objective, each); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	trials := fmtest.TrialsOf(t, study)
	if n := fmtest.Duplicates(trials); n > 0 || len(trials) != 1+fmtest.Workers*each {
		t.Errorf("%d of %d trials repeat an earlier one; 60 configurations are enough for all", n, len(trials))
	}
}

// One sampler serves several studies at a time, each with a space of its own.
func TestConcurrentStudies(t *testing.T) {
	s := fmtest.Seeded(t, 3, fm.SamplerOptionGraph("kind", graphs.Path(3)))
	fmtest.Together(t, 3, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), fmtest.NewStudy(t, s), fmtest.NewStudy(t, s))
}

// A sampler remembers nothing of one study that changes another.
func TestStudiesTakingTurns(t *testing.T) {
	fmtest.Sequential(t)
	const seed, trials = 4, 20
	alone := fmtest.NewStudy(t, fmtest.Seeded(t, seed))
	fmtest.Optimize(t, alone, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), trials)

	s := fmtest.Seeded(t, seed)
	a, b := fmtest.NewStudy(t, s), fmtest.NewStudy(t, s)
	reversed := fmtest.Mixed()
	slices.Reverse(reversed)
	for range trials {
		fmtest.Optimize(t, a, fmtest.Ask(fmtest.Mixed(), fmtest.MixedValue), 1)
		fmtest.Optimize(t, b, fmtest.Ask(reversed[:3], func(x map[string]float64) float64 { return x["kind"] }), 1)
	}
	fmtest.SameTrials(t, "in turns with another study", fmtest.TrialsOf(t, a), fmtest.TrialsOf(t, alone))
}
