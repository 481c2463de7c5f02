package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness/sqlite"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// start runs the program and returns what it prints.
func start(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

// Without the name of an experiment, and with an unknown one, the error lists the names.
func TestNames(t *testing.T) {
	for _, args := range [][]string{nil, {"-h"}, {"func2d"}, {"all"}} {
		err := run(t.Context(), args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "func2c, func3c, ackley5c") || strings.Contains(err.Error(), "all,") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// values returns the values of a method's run on Func2C.
func values(t *testing.T, dir, name, starts, seed string) []float64 {
	t.Helper()
	m, err := harness.SelectMethods(name, methods)
	if err != nil {
		t.Fatal(err)
	}
	path := config{experiment: experiments[0], out: dir}.studyPath(m[0], starts, seed)
	run, err := harness.ReadStudy(sqlite.Open, path, harness.Function(problems.Func2C()))
	if err != nil {
		t.Fatal(err)
	}
	return run.Values
}

// A second start continues the runs of the first as if they had not stopped; the
// table and the pictures have all runs of the directory.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("SQLite is slow under the race detector; the harness has a test of this kind")
	}
	whole, parts := t.TempDir(), t.TempDir()
	const list = "modlap,random,re,cocabo-0.5"
	start(t, "func2c", "-method", list, "-seeds", "1", "-trials", "14", "-out", whole)
	start(t, "func2c", "-method", "modlap,random,re", "-seeds", "1", "-trials", "12", "-out", parts)
	start(t, "func2c", "-method", list, "-seeds", "1", "-trials", "14", "-out", parts)
	for name := range strings.SplitSeq(list, ",") {
		want, got := values(t, whole, name, startsRandom, "0"), values(t, parts, name, startsRandom, "0")
		if len(want) != 14 || !slices.Equal(got, want) {
			t.Errorf("%s: in one go\n%v\nin parts\n%v", name, want, got)
		}
	}
	table := start(t, "func2c", "-method", "re", "-seeds", "1", "-trials", "10", "-out", parts)
	for _, want := range []string{"| ModLap | -0.2063 ± 0.0000 | 1 |", "| RE |", "| CoCaBO-0.5 | -0.2025 ± 0.0018 |", "CoCaBO-1.0 (-0.1861 ± 0.0090 in the paper)"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in the table of all runs:\n%s", want, table)
		}
	}
	for _, name := range []string{"func2c.md", "func2c.csv", "func2c-methods.png"} {
		if info, err := os.Stat(filepath.Join(parts, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Pictures can be drawn from the CSV file alone, as they were from the studies.
func TestRedraw(t *testing.T) {
	if testing.Short() { // as under the race detector
		t.Skip("draws one picture after another")
	}
	dir := t.TempDir()
	start(t, "func2c", "-method", "modlap,prodlap,random", "-seeds", "2", "-trials", "11", "-out", dir)
	for _, suffix := range []string{"kernels", "methods"} {
		path := filepath.Join(dir, "func2c-"+suffix+".png")
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if out := start(t, "draw", "-out", dir); out != filepath.Join(dir, "func2c")+"\n" {
			t.Errorf("drawn: %q", out)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another picture than before, error %v", suffix, err)
		}
	}
}

// What improvements say of made-up runs.
func TestImprovements(t *testing.T) {
	nan := math.NaN()
	rows := []row{{methods[0], map[string][]*harness.Run{
		startsRandom: {{Values: []float64{nan, 3, 4, 1, nan}}, {Values: []float64{2}}}, startsPaper: {{Values: []float64{5, 4}}},
	}}}
	want := "[[method starts run trial best] [adddif random 0 2 3] [adddif random 0 4 1] [adddif random 0 5 1] " +
		"[adddif random 1 1 2] [adddif paper 0 1 5] [adddif paper 0 2 4]]"
	if got := fmt.Sprint(improvements(rows)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The first trials are the paper's points, whatever the method.
func TestStarts(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "functions"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := `{"designs": {"Func2C": {"3": [[0.5, -0.25, 1.0, 4.0], [-1, 1, 0, 0]]}}}`
	if err := os.WriteFile(filepath.Join(dir, startsFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	f := problems.Func2C()
	first, _ := f.Eval([]float64{0.5, -0.25}, []int{1, 4})
	second, _ := f.Eval([]float64{-1, 1}, []int{0, 0})
	out := t.TempDir()
	for _, name := range []string{"modlap", "random", "tpe", "re", "cocabo-0.0"} {
		start(t, "func2c", "-method", name, "-first-seed", "3", "-seeds", "1", "-trials", "4", "-starts", "paper", "-data", dir, "-out", out)
		got := values(t, out, name, startsPaper, "3")
		if len(got) != 4 || got[0] != first || got[1] != second {
			t.Errorf("%s starts with %v and %v, want %v and %v", name, got[0], got[1], first, second)
		}
	}
	err := run(t.Context(), []string{"func2c", "-method", "random", "-starts", "paper", "-data", dir, "-out", out}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "seeds 0 to 4") {
		t.Errorf("seed 0 is not in the file; got error %v", err)
	}
}

// Fits are kept in the CSV file and not repeated.
func TestRegression(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "uci"), 0o777); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	rows.WriteString("num_a,cat_b,target_c\n")
	for i := range 20 {
		fmt.Fprintf(&rows, "%d,%d,%v\n", i, i%3, math.Sin(float64(i))+float64(i%3))
	}
	splits := `{"n_train": 15, "permutations": {"0": [3,7,1,0,2,4,5,6,8,9,10,11,12,13,19,18,17,16,15,14]}}`
	for _, d := range dataSets {
		for name, text := range map[string]string{d.name + ".csv": rows.String(), d.name + ".splits.json": splits} {
			if err := os.WriteFile(filepath.Join(data, "uci", name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	args := []string{"regression", "-method", "modlap", "-seeds", "1", "-data", data, "-out", out}
	first := start(t, args...)
	if !strings.Contains(first, "1, 1, 1") {
		t.Errorf("the table does not count three splits:\n%s", first)
	}
	path := filepath.Join(out, "regression.csv")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := start(t, args...)
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) || strings.Count(string(after), "\n") != 4 || first != second {
		t.Errorf("fits are repeated or lost:\n%s\n%s", before, after)
	}
}

// What cannot be done is said in a way that helps.
func TestRefuses(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"func2c", "-method", "mod"}, "modlap"},
		{[]string{"func2c", "-starts", "mine"}, "random or paper"},
		{[]string{"func2c", "-trials", "0"}, "at least 1"},
		{[]string{"func2c", "-starts", "paper", "-method", "random", "-data", empty}, "name its directory by -data"},
		{[]string{"regression", "-sets", "iris", "-data", empty}, "meta, optical, servo"},
		{[]string{"regression", "-data", empty}, "name their directory by -data"},
		{[]string{"regression", "-method", "tpe", "-data", empty}, "compares kernels"},
	} {
		args := append(test.args, "-out", filepath.Join(empty, "out"))
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v does not say %q", test.args, err, test.want)
		}
	}
}
