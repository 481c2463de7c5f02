package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs.csv")
	args := []string{"-methods", "fm,random", "-problem", "Nested", "-seeds", "2", "-trials", "14", "-runs", file}
	var tables, logs [2]bytes.Buffer
	for i := range tables {
		cfg, err := parseFlags(args)
		if err != nil {
			t.Fatal(err)
		}
		if err := compare(cfg, &tables[i], &logs[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Seeds 0 to 1, 14 trials", "Nested: best value", "n=14", "best other / fm", "network/sgd"} {
		if !strings.Contains(tables[0].String(), want) {
			t.Errorf("no %q in the output:\n%s", want, &tables[0])
		}
	}
	if got := strings.Count(logs[0].String(), "random"); got != 2 {
		t.Errorf("%d runs of random at first, want 2", got)
	}
	if got := strings.Count(logs[1].String(), "random"); got != 0 {
		t.Errorf("%d runs of random although the file has them", got)
	}
	if got := strings.Count(logs[1].String(), "fm"); got != 2 {
		t.Errorf("%d runs of fm the second time, want 2", got)
	}
	// Targets are counted in values that the file rounds.
	first, second := strings.Split(tables[0].String(), "\n"), strings.Split(tables[1].String(), "\n")
	line := slices.IndexFunc(first, func(s string) bool { return strings.HasPrefix(s, "random") })
	end := func(s string) string { return s[:strings.LastIndex(s, " ")] } // without the seconds
	if got, want := end(second[line]), end(first[line]); got != want {
		t.Errorf("from the file: %q, before: %q", got, want)
	}
}

func TestCompareEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a study of 300 trials")
	}
	cfg, err := parseFlags([]string{"-edits", "-seeds", "1"})
	if err != nil || !cfg.edits {
		t.Fatal(cfg, err)
	}
	var out bytes.Buffer
	if err := compareEdits(cfg, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if want := 4 + len(problems.Edited()); len(lines) != want {
		t.Errorf("%d lines, want %d:\n%s", len(lines), want, &out)
	}
	// The first edition is the same study twice.
	if first := lines[4]; strings.Count(first, " 0.0000") != 2 {
		t.Errorf("%q: the first trials of a study and of a fresh one differ", first)
	}
}

func TestParseFlagsRefuses(t *testing.T) {
	for _, args := range []string{"-problem func2c", "-methods grid", "-seeds 0", "-trials -1", "stray"} {
		if _, err := parseFlags(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

func TestResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs.csv")
	k, err := openRuns(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*run{
		{problem: "P", method: "tpe", seed: 3, seconds: 1.5, values: []float64{0.5, -1e-9, 7}},
		{problem: "P", method: "fm", seed: 3, values: []float64{1, 2, 3}},
	} {
		if err := k.add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if k, err = openRuns(name); err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	for _, test := range []struct {
		r      run
		trials int
		want   []float64
		why    string
	}{
		{run{problem: "P", method: "tpe", seed: 3}, 3, []float64{0.5, -1e-9, 7}, "as it was"},
		{run{problem: "P", method: "tpe", seed: 3}, 2, []float64{0.5, -1e-9}, "the first trials of a longer run"},
		{run{problem: "P", method: "tpe", seed: 3}, 4, nil, "too short"},
		{run{problem: "P", method: "tpe", seed: 2}, 3, nil, "another seed"},
		{run{problem: "Q", method: "tpe", seed: 3}, 3, nil, "another problem"},
		{run{problem: "P", method: "fm", seed: 3}, 3, nil, "fm changes"},
	} {
		r := test.r
		if found := k.find(&r, test.trials); found != (test.want != nil) || !slices.Equal(r.values, test.want) {
			t.Errorf("%s: found %t, %v, want %v", test.why, found, r.values, test.want)
		}
	}
}

func TestResultsRefuses(t *testing.T) {
	for _, text := range []string{"a,b\n", "P,tpe,one,1,0.5\n", "P,tpe,1,1,0.5 x\n"} {
		name := filepath.Join(t.TempDir(), "runs.csv")
		if err := os.WriteFile(name, []byte(strings.Join(resultsHeader, ",")+"\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := openRuns(name); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v, want one that names line 2", text, err)
		}
	}
}

// The file beside the program is complete.
func TestPeers(t *testing.T) {
	// A copy, for openRuns opens a file to write.
	text, err := os.ReadFile("peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "peers.csv")
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	k, err := openRuns(name)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	cfg, err := parseFlags(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range cfg.problems {
		for _, m := range methods[1:] {
			for seed := range int64(20) {
				r := &run{problem: p.Name, method: m.name, seed: seed}
				if !(m.seeds > 0 && seed >= int64(m.seeds)) && !k.find(r, cfg.trials) {
					t.Errorf("no run of %s on %s with seed %d", m.name, p.Name, seed)
				}
			}
		}
	}
}

func TestTargetRows(t *testing.T) {
	p := &problems.Conditional{Name: "P", Optimum: 1, Targets: []float64{2, 1, 0.5}}
	row := func(method string, values ...[]float64) sample {
		s := sample{method: method}
		for _, v := range values {
			s.runs = append(s.runs, &run{values: v})
		}
		return s
	}
	got := targetRows(p, []sample{
		row("fm", []float64{9, 3, 2, 1}, []float64{9, 3, 9, 2}, []float64{3, 9, 9, 9}),
		row("optuna-tpe", []float64{9, 9, 9, 3}, []float64{9, 9, 3, 9}),
		row("random", []float64{3, 2, 9, 9}),
	}, 4)
	for i, want := range []string{
		"method 2 1 0.5",
		"fm 2 (3/3) 4 (2/3) > 4 (1/3)",
		"optuna-tpe 3.5 (2/2) > 4 (0/2) > 4 (0/2)",
		"random 1 (1/1) 2 (1/1) > 4 (0/1)",
		"best of Optuna / fm 1.75 > 1.00 ?",
		"best other / fm 0.50 0.50 ?",
	} {
		if got := strings.Join(got[i], " "); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		xs   []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 2, 3}, 2.5}, {[]float64{inf, 1, inf}, inf}, {[]float64{1, 2, inf, inf}, inf}} {
		if got := median(test.xs); got != test.want {
			t.Errorf("%v: got %v, want %v", test.xs, got, test.want)
		}
	}
}

func TestRatio(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		a, b float64
		want string
	}{{30, 20, "1.50"}, {inf, 50, "> 3.00"}, {75, inf, "< 0.50"}, {inf, inf, "?"}, {math.NaN(), 3, "?"}} {
		if got := ratio(test.a, test.b, 150); got != test.want {
			t.Errorf("%v/%v: got %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

func TestLeafCell(t *testing.T) {
	p := &problems.Conditional{Optimum: 1}
	s := sample{runs: []*run{
		{values: []float64{4, 3, 2, 5}, leaves: []string{"a", "b", "a", "a"}},
		{values: []float64{7, 3, 2, 5}, leaves: []string{"b", "b", "a", "b"}},
	}}
	for leaf, want := range map[string]string{"a": "50.0% 1", "b": "50.0% 2", "c": "0.0% +Inf [2]"} {
		if got := leafCell(p, s, leaf); got != want {
			t.Errorf("leaf %s: got %q, want %q", leaf, got, want)
		}
	}
}

func TestTablesAsMarkdown(t *testing.T) {
	var out bytes.Buffer
	printRows(&out, true, [][]string{{"a", "b"}, {"1", "2"}})
	if want := "| a | b |\n|---|---|\n| 1 | 2 |\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	out.Reset()
	printRows(&out, false, [][]string{{"a", "b"}, {"10", "2"}})
	if want := "a   b\n10  2\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
}
