package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The same seed gives the same outcome, however many trials a method hides, and
// no method sees more steps than it pays for.
func TestRunIsReproducible(t *testing.T) {
	p := problems.Hartmann6MixedCurve()
	for _, m := range methods {
		if m.Name == "tpe" {
			continue // draws from a source without a seed
		}
		var studies [2]*study
		for i := range studies {
			studies[i] = &study{Run: &harness.Run{Problem: p.Name, Method: m.Name, Seed: 1}, curve: p, method: m}
			sampler, err := m.Open(t.Context(), harness.Setting{Problem: harness.Function(p.Problem), Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := studies[i].do(t.Context(), sampler, 15); err != nil {
				t.Fatal(err)
			}
		}
		a, b := studies[0], studies[1]
		if !slices.Equal(a.Curve(), b.Curve()) || a.Numbers["pruned"] != b.Numbers["pruned"] {
			t.Errorf("%s: %v and then %v", m.Name, a.Values, b.Values)
		}
		if (a.Numbers["pruned"] > 0) != m.prune {
			t.Errorf("%s: a share of %v was pruned", m.Name, a.Numbers["pruned"])
		}
		if full := a.Failed() == 0; full == m.prune {
			t.Errorf("%s: a complete trial in the steps of each: %t", m.Name, full)
		}
	}
}

// The table has a row per method, and no difference of the first from itself.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	args := []string{"-problem", "func3c-crossing", "-methods", "fm,fm no pruner", "-seeds", "2", "-trials", "12"}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 7 || !strings.Contains(lines[5], " 0.0000 ± 0.0000 ") || !strings.HasPrefix(lines[6], "fm, no pruner ") ||
		!strings.HasSuffix(lines[6], " 0.0000 ± 0.0000") {
		t.Errorf("got\n%s", &out)
	}
}

// A storage without pruned trials shows all others.
func TestWithoutPruned(t *testing.T) {
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
	trials, err := (&withoutPruned{storage}).GetAllTrials(study.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(trials) != 2 || trials[0].State != states[0] || trials[1].State != states[2] {
		t.Errorf("it shows %+v, want the complete and the failed one", trials)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range []string{"-seeds 1", "-problem nothing", "-methods nothing", "-trials 3", "more"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	cfg, err := parseFlags([]string{"-problem", "func3c-crossing", "-methods", "fm,tpe"})
	if err != nil || len(cfg.problems) != 1 || len(cfg.methods) != 2 {
		t.Errorf("%d problems, %d methods, %v", len(cfg.problems), len(cfg.methods), err)
	}
}
