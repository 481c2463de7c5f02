package main

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
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
		if err := compare(t.Context(), cfg, &tables[i], &logs[i]); err != nil {
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
	if err := compareEdits(t.Context(), cfg, &out, io.Discard); err != nil {
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

// The file beside the program is complete.
func TestPeers(t *testing.T) {
	store, err := harness.OpenStore("", "peers.csv")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := parseFlags(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range cfg.problems {
		for _, m := range cfg.Methods[1:] {
			for seed := range int64(20) {
				if !(m.Seeds > 0 && seed >= int64(m.Seeds)) && store.Find(p.Name, m.Name, seed, cfg.Trials) == nil {
					t.Errorf("no run of %s on %s with seed %d", m.Name, p.Name, seed)
				}
			}
		}
	}
}

func TestTargetRows(t *testing.T) {
	p := &problems.Conditional{Name: "P", Optimum: 1, Targets: []float64{2, 1, 0.5}}
	row := func(method string, values ...[]float64) harness.Sample {
		s := harness.Sample{Name: method}
		for _, v := range values {
			s.Runs = append(s.Runs, &harness.Run{Values: v})
		}
		return s
	}
	got := targetRows(p, []harness.Sample{
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
	leaves := []string{"a", "b", "a", "a", "b", "b", "a", "b"} // by number
	trial := func(number int) goptuna.FrozenTrial { return goptuna.FrozenTrial{Number: number} }
	s := harness.Sample{Runs: []*harness.Run{
		{Values: []float64{4, 3, 2, 5}, Trials: []goptuna.FrozenTrial{trial(0), trial(1), trial(2), trial(3)}},
		{Values: []float64{7, 3, 2, 5}, Trials: []goptuna.FrozenTrial{trial(4), trial(5), trial(6), trial(7)}},
	}}
	for leaf, want := range map[string]string{"a": "50.0% 1", "b": "50.0% 2", "c": "0.0% +Inf [2]"} {
		got := leafCell(1, s, leaf, func(t goptuna.FrozenTrial) string { return leaves[t.Number] })
		if got != want {
			t.Errorf("leaf %s: got %q, want %q", leaf, got, want)
		}
	}
}
