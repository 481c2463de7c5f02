package main

import (
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The same seed gives the same outcome, however many trials a method hides, and
// no method sees more steps than it pays for.
func TestRunIsReproducible(t *testing.T) {
	p := problems.Hartmann6MixedCurve()
	for _, m := range methods {
		if m.tpe {
			continue // draws from a source without a seed
		}
		a, err := run(p, m, 1, 15*p.Steps)
		if err != nil {
			t.Fatal(err)
		}
		b, err := run(p, m, 1, 15*p.Steps)
		if err != nil {
			t.Fatal(err)
		}
		if a != b {
			t.Errorf("%s: %v and then %v", m.name, a, b)
		}
		if (a.pruned > 0) != m.prune {
			t.Errorf("%s: a share of %v was pruned", m.name, a.pruned)
		}
		for q := 1; q < quarters; q++ {
			if a.best[q] > a.best[q-1] {
				t.Errorf("%s: the best value rises: %v", m.name, a.best)
			}
		}
	}
}

// A filtered storage shows what it is told to show.
func TestFiltered(t *testing.T) {
	storage := goptuna.NewInMemoryStorage()
	study, err := goptuna.CreateStudy("", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	states := []goptuna.TrialState{goptuna.TrialStateComplete, goptuna.TrialStatePruned, goptuna.TrialStateFail}
	for _, state := range states {
		id, err := storage.CreateNewTrial(study.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := storage.SetTrialIntermediateValue(id, 1, 2); err != nil {
			t.Fatal(err)
		}
		if err := storage.SetTrialState(id, state); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range methods {
		if m.see == nil {
			continue
		}
		trials, err := (&filtered{storage, m.see}).GetAllTrials(study.ID)
		if err != nil {
			t.Fatal(err)
		}
		want, curves := 3, 0
		if strings.HasSuffix(m.name, "without pruned") {
			want, curves = 2, 2
		}
		reports := 0
		for _, trial := range trials {
			reports += len(trial.IntermediateValues)
		}
		if len(trials) != want || reports != curves {
			t.Errorf("%s: sees %d trials with %d intermediate values, want %d and %d", m.name, len(trials), reports, want, curves)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range []string{"-seeds 1", "-problem nothing", "-methods nothing", "-trials 3", "more"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	cfg, err := parseFlags([]string{"-problem", "func3c-crossing", "-methods", "fm,goptuna tpe"})
	if err != nil || len(cfg.problems) != 1 || len(cfg.methods) != 2 {
		t.Errorf("%d problems, %d methods, %v", len(cfg.problems), len(cfg.methods), err)
	}
}
