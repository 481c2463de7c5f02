package sampler_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

const workers = 8

// together runs the objective in 8 goroutines per study, n trials in each.
func together(t *testing.T, n int, objective goptuna.FuncObjective, studies ...*goptuna.Study) {
	t.Helper()
	var wg sync.WaitGroup
	for _, study := range studies {
		for range workers {
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
		trials := trialsOf(t, study)
		if got := count(trials, goptuna.TrialStateComplete); got != workers*n || len(trials) != workers*n {
			t.Errorf("%d of %d trials are complete, want %d", got, len(trials), workers*n)
		}
		if n := duplicates(trials); n > 0 {
			t.Errorf("%d of %d trials repeat an earlier one", n, len(trials))
		}
	}
}

func TestConcurrentTrials(t *testing.T) {
	for _, test := range []struct {
		name string
		opts []goptuna.StudyOption
	}{
		{"in memory", nil},
		{"on SQLite", []goptuna.StudyOption{onSQLite(t)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			study := newStudy(t, seeded(t, 1), test.opts...)
			trials := 6
			if testing.Short() {
				trials = 3
			}
			together(t, trials, ask(mixed(), mixedValue), study)
		})
	}
}

// On a small finite space, workers stay out of each other's way once the
// parameters are known.
func TestConcurrentTrialsOnFiniteSpace(t *testing.T) {
	params := []param{
		{"a", goptuna.CategoricalDistribution{Choices: []string{"p", "q", "r", "s", "t", "u"}}},
		{"b", goptuna.IntUniformDistribution{Low: 1, High: 10}},
	}
	objective := ask(params, func(x map[string]float64) float64 { return x["a"] + sq(x["b"]-4) })
	study := newStudy(t, seeded(t, 2))
	optimize(t, study, objective, 1)
	const each = 6
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := study.Optimize(objective, each); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	trials := trialsOf(t, study)
	if n := duplicates(trials); n > 0 || len(trials) != 1+workers*each {
		t.Errorf("%d of %d trials repeat an earlier one; 60 configurations are enough for all", n, len(trials))
	}
}

// One sampler serves several studies at a time, each with a space of its own.
func TestConcurrentStudies(t *testing.T) {
	s := seeded(t, 3, fm.SamplerOptionGraph("kind", graphs.Path(3)))
	together(t, 3, ask(mixed(), mixedValue), newStudy(t, s), newStudy(t, s, onSQLite(t)))
}

// A sampler remembers nothing of one study that changes another.
func TestStudiesTakingTurns(t *testing.T) {
	const seed, trials = 4, 20
	alone := newStudy(t, seeded(t, seed))
	optimize(t, alone, ask(mixed(), mixedValue), trials)

	s := seeded(t, seed)
	a, b := newStudy(t, s), newStudy(t, s)
	reversed := mixed()
	slices.Reverse(reversed)
	for range trials {
		optimize(t, a, ask(mixed(), mixedValue), 1)
		optimize(t, b, ask(reversed[:3], func(x map[string]float64) float64 { return x["kind"] }), 1)
	}
	sameTrials(t, "in turns with another study", trialsOf(t, a), trialsOf(t, alone))
}
