package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// Trials of each branch ask for its settings and are complete or fail for a reason that is known.
func TestObjectiveBranches(t *testing.T) {
	data, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	for branch, want := range map[string]struct {
		values map[string]float64
		names  string
	}{
		"polynomial": {map[string]float64{"model": 0, "polynomial_degree": 2, "polynomial_penalty": 0.1},
			"[loads model polynomial_degree polynomial_penalty]"},
		"neighbours": {map[string]float64{"model": 1, "neighbours_weighting": 0},
			"[category_weight loads model neighbours_k neighbours_weighting]"},
		"neighbours by distance": {map[string]float64{"model": 1, "neighbours_weighting": 1},
			"[category_weight loads model neighbours_k neighbours_power neighbours_weighting]"},
		"kernel": {map[string]float64{"model": 2, "kernel_penalty": 0.01},
			"[category_weight kernel kernel_length kernel_penalty loads model]"},
		"features": {map[string]float64{"model": 3, "features_count": 20, "features_penalty": 0.01},
			"[category_weight features_activation features_count features_penalty features_spread loads model]"},
	} {
		study, err := goptuna.CreateStudy("", goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		if err := study.EnqueueTrial(want.values); err != nil {
			t.Fatal(err)
		}
		if err := fm.Optimize(t.Context(), study, tuner{data}.objective, 1); err != nil {
			t.Fatalf("%s: %v", branch, err)
		}
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(slices.Sorted(maps.Keys(trials[0].Params))); got != want.names {
			t.Errorf("%s asks for %s, want %s", branch, got, want.names)
		}
	}
}

func TestRun(t *testing.T) {
	for _, sampler := range []string{"fm", "tpe", "random"} {
		var out bytes.Buffer
		if err := run(&out, "", sampler, 1, 15); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"error", "15 trials in", "The winner is", "best error"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", sampler, want, &out)
			}
		}
	}
	if err := run(&bytes.Buffer{}, "", "grid", 1, 1); err == nil || !strings.Contains(err.Error(), "use fm, tpe or random") {
		t.Errorf("error %v for an unknown sampler", err)
	}
}

func TestReport(t *testing.T) {
	trial := func(number int, model string, value float64, state goptuna.TrialState) goptuna.FrozenTrial {
		return goptuna.FrozenTrial{Number: number, State: state, Value: value, Params: map[string]any{"model": model, "x": 0.25}}
	}
	var out bytes.Buffer
	err := report(&out, []goptuna.FrozenTrial{
		trial(0, "kernel", 3, goptuna.TrialStateComplete),
		trial(1, "features", 5, goptuna.TrialStateComplete),
		trial(2, "features", 2.5, goptuna.TrialStateComplete),
		trial(3, "kernel", 0, goptuna.TrialStateFail),
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `The winner is features; errors are in percentage points:

model     trials  best error  in trial  with
features  2       2.500       2         model=features x=0.25
kernel    1       3.000       0         model=kernel x=0.25
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	if err := report(&out, []goptuna.FrozenTrial{trial(0, "kernel", 0, goptuna.TrialStateFail)}); err == nil {
		t.Error("no error when no trial is complete")
	}
}
