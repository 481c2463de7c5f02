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

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

func TestSameSeedSameRun(t *testing.T) {
	for _, method := range []string{"fm", "random"} {
		for _, p := range []*problems.Problem{problems.Func2C(), problems.Hartmann6Mixed(), problems.PressureVessel()} {
			var values [2][]float64
			for i := range values {
				r := &run{problem: p, method: method, workers: 3, seed: 3}
				if err := r.do(config{trials: 15, startup: 5}); err != nil {
					t.Fatal(err)
				}
				values[i] = r.values
			}
			if !slices.EqualFunc(values[0], values[1], same) {
				t.Errorf("%s on %s: two runs with seed 3 gave\n%v\n%v", method, p.Name, values[0], values[1])
			}
		}
	}
}

// same counts two failures as the same.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestRecordKeepsTheBestOverFailures(t *testing.T) {
	var r run
	for _, outcome := range []struct {
		value float64
		err   error
	}{{1, problems.ErrInfeasible}, {5, nil}, {3, nil}, {2, problems.ErrInfeasible}, {math.NaN(), nil}, {4, nil}} {
		r.record(outcome.value, outcome.value, 0, outcome.err)
	}
	want := []float64{math.Inf(1), 5, 3, 3, 3, 3}
	if !slices.Equal(r.best, want) {
		t.Errorf("best so far: got %v, want %v", r.best, want)
	}
}

func TestMeanAndError(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		xs   []float64
		want string
		why  string
	}{
		{[]float64{1, 2, 3}, "2.0000 ± 0.5774", "standard deviation 1, divided by √3"},
		{[]float64{2}, "2.0000", "one run has no standard error"},
		{[]float64{1, inf, 3}, "2.0000 ± 1.0000 (2 of 3)", "one run found nothing feasible"},
		{[]float64{inf, inf}, "none feasible", "no run did"},
	} {
		if got := meanAndError(test.xs); got != test.want {
			t.Errorf("%v: got %q, want %q (%s)", test.xs, got, test.want, test.why)
		}
	}
}

func TestCheckpointsAndWindows(t *testing.T) {
	for _, test := range []struct {
		trials int
		points []int
		ws     []window
		why    string
	}{
		{1, []int{1}, []window{{1, 1}}, "a single trial"},
		{30, []int{30}, []window{{20, 30}}, "too short for the usual windows"},
		{60, []int{30, 50, 60}, []window{{40, 60}}, "the end is always shown"},
		{200, []int{30, 50, 75, 100, 150, 200}, []window{{90, 110}, {180, 200}}, "the usual setting"},
	} {
		if got := checkpoints(test.trials); !slices.Equal(got, test.points) {
			t.Errorf("%d trials: checkpoints %v, want %v (%s)", test.trials, got, test.points, test.why)
		}
		if got := windows(test.trials); !slices.Equal(got, test.ws) {
			t.Errorf("%d trials: windows %v, want %v (%s)", test.trials, got, test.ws, test.why)
		}
	}
}

func TestCompare(t *testing.T) {
	csvFile := filepath.Join(t.TempDir(), "runs.csv")
	cfg, err := parseFlags([]string{"-problem", "Func2C,pressurevessel", "-methods", "random,tpe",
		"-workers", "1,4", "-kills", "1", "-seeds", "2", "-trials", "12", "-csv", csvFile})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := compare(cfg, &out, io.Discard); err != nil {
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
		"-workers 0", "-workers 1,many", "stray"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestFailureIsReported(t *testing.T) {
	cfg := config{
		problems: []*problems.Problem{problems.Func2C()}, methods: []string{"random"},
		workers: []int{1}, seeds: 1, trials: 1, startup: 1, parallel: 1,
		csvFile: filepath.Join(t.TempDir(), "no such directory", "runs.csv"),
	}
	if err := compare(cfg, io.Discard, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("CSV in a missing directory: got %v, want os.ErrNotExist", err)
	}
}
