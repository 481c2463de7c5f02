package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup/lookuptest"
)

// report returns what the program prints.
func report(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Each measure has a line for each problem, and one for all.
func TestMeasures(t *testing.T) {
	dir := t.TempDir()
	common := []string{"-seeds", "2", "-trials", "25", "-data", lookuptest.Directory(t)}
	for name, want := range map[string]string{"stop": "whole", "cover": "sample"} {
		got := report(t, append(common, "-measure", name, "-problem", "Func2C", "-table", want, "-studies", dir)...)
		for _, line := range []string{"Func2C", want, "all"} {
			if !strings.Contains(got, "\n"+line+" ") {
				t.Errorf("%s: no line %s in\n%s", name, line, got)
			}
		}
	}
	got := report(t, append(common, "-measure", "recommend", "-problem", "Func2C", "-noise", "0.1")...)
	if !strings.Contains(got, "best observed") || !strings.Contains(got, "\nFunc2C ") {
		t.Errorf("recommend:\n%s", got)
	}
	got = report(t, append(common, "-measure", "recommend", "-problem", "none", "-table", "failing", "-noise", "0.1", "-again", "3")...)
	if !strings.Contains(got, "\nfailing ") || strings.Contains(got, "Func2C") {
		t.Errorf("recommend, of a table:\n%s", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "Func2C-1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Optimum, Median float64
		Trials          []struct {
			Params map[string]any
			Value  *float64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Trials) != 25 || len(file.Trials[0].Params) != 4 || file.Trials[0].Value == nil {
		t.Errorf("%+v, error %v", file, err)
	}
	if !(file.Optimum < file.Median) {
		t.Errorf("optimum %v, median %v", file.Optimum, file.Median)
	}
}

// A run of which nothing is left to gain is ended, and only what comes later is
// lost.
func TestStop(t *testing.T) {
	runs := []*harness.Run{
		{Problem: "a", Numbers: map[string]float64{"stop": 40, "lost": 0.02}},
		{Problem: "a", Numbers: map[string]float64{"stop": 100, "lost": 0}},
	}
	s := &subject{Problem: &harness.Problem{Name: "a"}}
	rows := stopRows(config{Budget: harness.Budget{Trials: 100}, subjects: []*subject{s}}, runs)
	if got, want := strings.Join(rows[1], ", "), "a, 70, 30 %, 0.0100 ± 0.0100, 0.0200, 1 of 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Of one run, and of runs without a difference, there is no t.
func TestRecommendRows(t *testing.T) {
	s := &subject{Problem: &harness.Problem{Name: "a"}}
	for _, test := range []struct {
		recommended []float64
		want        string
	}{
		{[]float64{0.1, 0.3, 0.2}, "a, 0.4000 ± 0.0000, 0.2000 ± 0.0577, -0.2000 ± 0.0577, -3.46, -1.60, 0.00, 1.00, 0.1000 ± 0.0000"},
		{[]float64{0.1}, "a, 0.4000, 0.1000, -0.3000, -, -1.00, 0.00, 1.00, 0.1000"},
		{[]float64{0.4, 0.4}, "a, 0.4000 ± 0.0000, 0.4000 ± 0.0000, 0.0000 ± 0.0000, -, -, 0.00, 1.00, 0.1000 ± 0.0000"},
	} {
		var runs []*harness.Run
		for _, x := range test.recommended {
			runs = append(runs, &harness.Run{Problem: "a", Numbers: map[string]float64{"recommended": x, "best": 0.4, "inside": 1, "interval": 0.1}})
		}
		if got := strings.Join(recommendRows(config{subjects: []*subject{s}}, runs)[1], ", "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestFlagsRefuse(t *testing.T) {
	t.Setenv("FM_TABLES", "")
	for _, test := range []struct{ args, want string }{
		{"-measure speed", "recommend, stop or cover"},
		{"-measure stop", "FM_TABLES"},
		{"-noise -1", "-noise"},
		{"-again 50", "-again"},
		{"-problem nonsense", "nonsense"},
	} {
		if _, err := parseFlags(strings.Fields(test.args)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.args, err)
		}
	}
}

// Of n differences with one sign, z is the sum of the ranks over the root of that of
// their squares; ties share their ranks.
func TestSignedRanks(t *testing.T) {
	for _, test := range []struct {
		differences []float64
		want        float64
	}{
		{[]float64{1, 2, 3}, 6 / math.Sqrt(14)},
		{[]float64{-1, 2, 0, -3}, (-1 + 2 - 3) / math.Sqrt(14)},
		{[]float64{1, -1}, 0},
	} {
		if got := signedRanks(test.differences); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", test.differences, got, test.want)
		}
	}
}
