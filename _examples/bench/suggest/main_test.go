package main

import (
	"bytes"
	"encoding/csv"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/bridge/bridgetest"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// The program starts itself again for each case: here, the test binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-measure" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	csvFile, pngFile := filepath.Join(dir, "cases.csv"), filepath.Join(dir, "seconds.png")
	var out, log bytes.Buffer
	args := []string{"-n", "20,12", "-suggestions", "2", "-csv", csvFile, "-png", pngFile}
	if err := run(t.Context(), args, &out, &log); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "warning") {
		t.Errorf("the sampler warned:\n%s", &log)
	}
	for _, want := range []string{"GOMAXPROCS=1", "func3c   12", "service  20", "nas      20", "peak MB"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the output:\n%s", want, &out)
		}
	}
	checkCSV(t, csvFile)

	file, err := os.Open(pngFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 1600 || size.Y != 1000 {
		t.Errorf("the plot has %v pixels, want 1600×1000", size)
	}
}

// checkCSV checks a table of 3 spaces × 2 sizes × 2 suggestions.
func checkCSV(t *testing.T, name string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+3*2 {
		t.Fatalf("the CSV file has %d rows, want a header and 6", len(rows))
	}
	for _, name := range []string{"first_s", "median_s", "mean_s", "grown_s", "bytes_per_suggestion", "allocs_per_suggestion", "s_1", "s_2"} {
		column := slices.Index(rows[0], name)
		if column < 0 {
			t.Errorf("no column %s in %v", name, rows[0])
			continue
		}
		for _, row := range rows[1:] {
			if row[column] == "" {
				t.Errorf("%s of %v is empty", name, row[:3])
			}
		}
	}
}

func TestParseFlags(t *testing.T) {
	for _, test := range []struct {
		n    string
		want []int
		why  string
	}{
		{"all", []int{20, 50, 100, 200, 500, 1000, 2000, 5000, 20000}, "every size"},
		{"200, 50,200", []int{50, 200}, "sorted, each once"},
	} {
		cfg, err := parseFlags([]string{"-n", test.n})
		if err != nil || !slices.Equal(cfg.sizes, test.want) {
			t.Errorf("-n %q: got %v, %v, want %v (%s)", test.n, cfg.sizes, err, test.want, test.why)
		}
	}
	for _, args := range []string{"-space hyper", "-n 9", "-n x", "-suggestions 0", "-procs 0", "stray"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestFailureInTheChildIsReported(t *testing.T) {
	_, err := measureInChild(t.Context(), benchCase{Space: "hyper", N: 20, Suggestions: 1}, 1)
	if err == nil || !strings.Contains(err.Error(), "hyper, n=20") {
		t.Errorf("got %v, want an error that names the case", err)
	}
	if err := measureAndPrint(t.Context(), "{", io.Discard); err == nil {
		t.Error("half a case: no error")
	}
}

func TestShort(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{{0, "-"}, {0.0123, "0.012"}, {0.456, "0.456"}, {1.234, "1.23"}, {56.78, "56.8"}, {678.9, "679"}, {12345, "12345"}} {
		if got := short(test.x); got != test.want {
			t.Errorf("%v: got %q, want %q", test.x, got, test.want)
		}
	}
}

func TestMissingPythonIsSkipped(t *testing.T) {
	var out bytes.Buffer
	found, err := findPeers(t.Context(), config{spaces: spaces, python: "no-such-python"}, &out)
	if err != nil || len(found) > 0 {
		t.Errorf("found %d peers, %v", len(found), err)
	}
	if !strings.Contains(out.String(), "optuna-tpe is skipped: there is no program no-such-python; to have it: ") {
		t.Errorf("the output does not say how to get them:\n%s", &out)
	}
}

// Where Optuna is installed, its samplers are timed on every space, with the
// history told.
func TestPeers(t *testing.T) {
	if testing.Short() {
		t.Skip("Python libraries take seconds to load")
	}
	python := bridgetest.Python()
	found, err := findPeers(t.Context(), config{spaces: spaces, python: python}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Skip("there is no Optuna")
	}
	for _, m := range found {
		for _, s := range spaces {
			r, err := measure(t.Context(), m, benchCase{Space: s.Name, N: 20, Suggestions: 2, Seed: 1}, python, 1)
			if err != nil {
				t.Fatal(err)
			}
			if r.Method != m.Name || r.Space != s.Name || r.N != 20 || len(r.Seconds) != 2 || r.First <= 0 || r.CPU <= 0 || r.Seconds[1] <= 0 {
				t.Errorf("%s on %s: %+v", m.Name, s.Name, r)
			}
		}
	}
}

func TestRatios(t *testing.T) {
	results := []*result{
		{Method: "fm", Space: "func3c", N: 100, Seconds: []float64{0.004}, CPU: 0.004},
		{Method: "fake", Space: "func3c", N: 100, Seconds: []float64{0.05}, CPU: 0.1, PeakRSS: 7e6},
		{Method: "fm", Space: "func3c", N: 5000, Seconds: []float64{1}, CPU: 1}, // too large for the peer
	}
	var out bytes.Buffer
	printRatios(&out, []*harness.Method{{Name: "fake"}}, results)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if got, want := strings.Join(strings.Fields(lines[len(lines)-1]), " "), "func3c 100 4.00 50.0 12.5 25.0 7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
