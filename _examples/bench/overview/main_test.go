package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// The documents have what the program writes from the files of the repository.
func TestDocuments(t *testing.T) {
	root := t.TempDir()
	for _, pattern := range []string{"README.md", "docs/benchmarks.md", "_examples/bench/tables/*.csv", "_examples/bench/overview/*.csv"} {
		paths, err := filepath.Glob(filepath.Join("../../..", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no %s, error %v", pattern, err)
		}
		for _, path := range paths {
			copyTo(t, filepath.Join(root, strings.TrimPrefix(path, "../../../")), path)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "docs/images"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"-root", root, "-write"}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/benchmarks.md"} {
		want, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join("../../..", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is not as written, error %v: go run ./_examples/bench/overview -write", name, err)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "docs/images/overview.png")); err != nil || info.Size() < 10000 {
		t.Errorf("the picture: %v, error %v", info, err)
	}
}

// Runs that the file has are not made again.
func TestRuns(t *testing.T) {
	root := t.TempDir()
	for _, names := range []string{"random", "fm,random"} {
		args := []string{"-root", root, "-functions", "runs.csv", "-run", names, "-seeds", "2", "-trials", "12"}
		if err := run(t.Context(), args, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "runs.csv"))
	if err != nil || strings.Count(string(text), "Ackley5C,random") != 2 || strings.Count(string(text), "Ackley5C,fm") != 2 {
		t.Errorf("want two runs of each, error %v:\n%s", err, text)
	}
}

func copyTo(t *testing.T, to, from string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A method that is better than ours is named, at each number of trials; equal
// ones are not, and neither is one that lacks a task.
func TestLosses(t *testing.T) {
	r := &report{config: config{Budget: harness.Budget{Seeds: 2, Trials: 100}}, tasks: tasks, methods: methods}
	add := func(method, task string, at30, at100 float64) {
		values := make([]float64, 100)
		for i := range values {
			if values[i] = at30; i >= 99 {
				values[i] = at100
			}
		}
		r.real = append(r.real, &harness.Run{Problem: task, Method: method, Values: values})
	}
	for i, task := range tasks {
		add("fm", task.name, 0.2, 0.1)
		add("smac", task.name, 0.2, 0.1)
		add("tpe", task.name, 0.1, 0.1)
		if i > 0 {
			add("random", task.name, 0, 0)
		}
	}
	text := r.short()
	if want := "0 of 11 tasks after 30 trials, 0 of 11 tasks after 50 trials, 11 of 11 tasks after 100 trials"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if want := "| PostgreSQL, run time | 20.00 | 20.00 | **10.00** | Goptuna TPE / Goptuna TPE / – |\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if strings.Contains(text, "random") || !strings.Contains(text, "Means over 2 seeds, 1 of goptuna-fm, 1 of SMAC3") {
		t.Errorf("a method without a run on a task, or no number of runs:\n%s", text)
	}
}

// A slow method is in the table of its tasks and in no other; its further seeds
// and ours do not count there. One with a single seed is left out.
func TestBeside(t *testing.T) {
	r := &report{config: config{Budget: harness.Budget{Seeds: 10, Trials: 100}}, tasks: tasks, methods: methods}
	add := func(method, task string, seeds int, regret float64) {
		for seed := range seeds {
			values := make([]float64, 100)
			for i := range values {
				if values[i] = regret; seed >= slowSeeds {
					values[i] = 1
				}
			}
			r.real = append(r.real, &harness.Run{Problem: task, Method: method, Seed: int64(seed), Values: values})
		}
	}
	for _, task := range tasks {
		add("fm", task.name, 10, 0.02)
	}
	for _, name := range slowTasks {
		add("hebo", name, 3, 0.01)
		add("ax", name, 10, 0.03)
		add("botorch", name, 1, 0)
	}
	if text := r.short() + r.long(); strings.Contains(text, "HEBO") || strings.Contains(text, "Ax") {
		t.Errorf("a slow method among the others:\n%s", text)
	}
	text := r.beside().long()
	if want := "| goptuna-fm (5) | Ax (5) | HEBO (3) |\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if want := "| mongodb | 9 | 12,960 | 30 | 2.00 ± 0.00 | 3.00 ± 0.00 | **1.00** ± 0.00 |\n"; !strings.Contains(text, want) || strings.Contains(text, "spark") {
		t.Errorf("no %q, or other tasks, in\n%s", want, text)
	}
}
