package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// testConfig returns what the flags say.
func testConfig(t *testing.T, args ...string) config {
	t.Helper()
	cfg, err := parseFlags(args)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// simulated returns a run of a method.
func simulated(t *testing.T, m *harness.Method, p *problems.Problem, by harness.Team, seed int64, trials int) *simulation {
	t.Helper()
	sampler, err := m.Open(t.Context(), harness.Setting{Problem: harness.Function(p), Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	r := &simulation{Run: &harness.Run{Seed: seed}, Team: by, problem: p}
	if err := r.do(t.Context(), sampler, trials); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSameSeedSameRun(t *testing.T) {
	cfg := testConfig(t, "-methods", "fm,random", "-trials", "15", "-startup", "5")
	for _, m := range cfg.methods {
		for _, p := range []*problems.Problem{problems.Func2C(), problems.Hartmann6Mixed(), problems.PressureVessel()} {
			var values [2][]float64
			for i := range values {
				values[i] = simulated(t, m, p, harness.Team{Workers: 3}, 3, cfg.Trials).Values
			}
			if !slices.EqualFunc(values[0], values[1], same) {
				t.Errorf("%s on %s: two runs with seed 3 gave\n%v\n%v", m.Name, p.Name, values[0], values[1])
			}
		}
	}
}

// same counts two failures as the same.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestWindows(t *testing.T) {
	for _, test := range []struct {
		trials int
		ws     []window
		why    string
	}{
		{1, []window{{1, 1}}, "a single trial"},
		{30, []window{{20, 30}}, "too short for the usual windows"},
		{60, []window{{40, 60}}, "the end is always shown"},
		{200, []window{{90, 110}, {180, 200}}, "the usual setting"},
	} {
		if got := windows(test.trials); !slices.Equal(got, test.ws) {
			t.Errorf("%d trials: windows %v, want %v (%s)", test.trials, got, test.ws, test.why)
		}
	}
}

func TestCompare(t *testing.T) {
	csvFile := filepath.Join(t.TempDir(), "runs.csv")
	args := []string{"-problem", "Func2C,pressurevessel", "-methods", "random,tpe",
		"-workers", "1,4", "-kills", "1", "-seeds", "2", "-trials", "12", "-csv", csvFile}
	var out bytes.Buffer
	if err := compare(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Seeds 0 to 1", "GOMAXPROCS=", "Func2C, optimum -0.206326", "PressureVessel", "random", "tpe", "n=12", "rounds", "4 (1 killed)", "ratio"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the output:\n%s", want, &out)
		}
	}
	data, err := os.ReadFile(csvFile)
	if err != nil {
		t.Fatal(err)
	}
	const header, problemCount, methodCount, workerCount, killCount, seeds, trials = 1, 2, 2, 2, 2, 2, 12
	if got, want := strings.Count(string(data), "\n"), header+problemCount*methodCount*workerCount*killCount*seeds*trials; got != want {
		t.Errorf("the CSV file has %d lines, want %d", got, want)
	}
}

func TestParseFlagsRefuses(t *testing.T) {
	for _, args := range []string{"-problem nothing", "-methods grid", "-seeds 0", "-trials -1", "-model-trials -1", "-kills -1",
		"-workers 0", "-workers 1,many", "-methods smac -workers 4", "-methods optuna-gp -kills 1 -workers 1", "-outage 20", "-outage 20-10",
		"-flaky 1", "-flaky NaN", "-outliers 1", "-outliers -0.1", "-outliers NaN", "stray"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// Of an outage the numbers fail, and no others.
func TestOutage(t *testing.T) {
	cfg := testConfig(t, "-problem", "func2c", "-methods", "random", "-seeds", "1", "-trials", "10", "-outage", "3-6")
	_, runs, err := runAll(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range runs[0].Values {
		if failed := math.IsNaN(value); failed != (3 <= i && i < 6) {
			t.Errorf("trial %d failed: %t", i, failed)
		}
	}
}

func TestFailureIsReported(t *testing.T) {
	args := []string{"-problem", "func2c", "-methods", "random", "-csv", filepath.Join(t.TempDir(), "no such directory", "runs.csv")}
	if err := compare(t.Context(), args, io.Discard, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("CSV in a missing directory: got %v, want os.ErrNotExist", err)
	}
}
