package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/paper/problem"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// start runs the program and returns what it prints.
func start(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

// values returns the values of a method's run on Func2C.
func values(t *testing.T, dir, name string) []float64 {
	t.Helper()
	m, err := methodsByName(name)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := newStudy(config{experiment: experiments[0], out: dir, starts: startsRandom}, m[0], 0).outcomes()
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for _, o := range outcomes {
		values = append(values, o.value)
	}
	return values
}

// A second start continues the runs of the first as if they had not stopped, and
// a third does nothing.
func TestResume(t *testing.T) {
	whole, parts := t.TempDir(), t.TempDir()
	const list = "modlap,random,re,cocabo-0.5"
	start(t, "func2c", "-method", list, "-seeds", "1", "-trials", "24", "-out", whole)
	start(t, "func2c", "-method", "modlap,random,re", "-seeds", "1", "-trials", "13", "-out", parts)
	start(t, "func2c", "-method", list, "-seeds", "1", "-trials", "24", "-out", parts)
	for name := range strings.SplitSeq(list, ",") {
		want, got := values(t, whole, name), values(t, parts, name)
		if len(want) != 24 || !slices.Equal(got, want) {
			t.Errorf("%s: in one go\n%v\nin parts\n%v", name, want, got)
		}
	}
	before, err := os.ReadFile(filepath.Join(parts, "func2c", "re-0.db"))
	if err != nil {
		t.Fatal(err)
	}
	table := start(t, "func2c", "-method", "re", "-seeds", "1", "-trials", "20", "-out", parts)
	after, err := os.ReadFile(filepath.Join(parts, "func2c", "re-0.db"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("a start without anything to do changes a study")
	}
	for _, want := range []string{"| ModLap | -0.2063 ± 0.0000 | 1 |", "| RE |", "| CoCaBO-0.5 | -0.2025 ± 0.0018 |", "CoCaBO-1.0 (-0.1861 ± 0.0090 in the paper)"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in the table of all runs:\n%s", want, table)
		}
	}
	for _, name := range []string{"func2c.md", "func2c.csv", "func2c-kernels.png", "func2c-methods.png"} {
		if info, err := os.Stat(filepath.Join(parts, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testStudy returns a study of random search in a new directory.
func testStudy(t *testing.T, trials int) (*study, config) {
	m, err := methodsByName("random")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config{experiment: experiments[0], out: t.TempDir(), starts: startsRandom, trials: trials}
	return newStudy(cfg, m[0], 0), cfg
}

// Trials whose objective fails count and are told apart; a trial that was
// running when the program was killed is made good.
func TestFailures(t *testing.T) {
	s, cfg := testStudy(t, 6)
	p := problem.Function(problems.Func2C())
	calls := 0
	fails := *p
	fails.Evaluate = func(values map[string]any) (float64, error) {
		switch calls++; calls {
		case 2:
			return 0, errors.New(strings.Repeat("worse and ", 300))
		case 3:
			return math.NaN(), nil
		}
		return p.Evaluate(values)
	}
	ctx := context.Background()
	if err := s.do(ctx, cfg, &fails, func() {}); err != nil {
		t.Fatal(err)
	}
	storage, err := openStorage(s.path)
	if err != nil {
		t.Fatal(err)
	}
	load := []goptuna.StudyOption{goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true), goptuna.StudyOptionLogger(nil)}
	killed, err := goptuna.CreateStudy(s.String(), load...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := storage.CreateNewTrial(killed.ID); err != nil {
		t.Fatal(err)
	}
	if err := closeStorage(storage); err != nil {
		t.Fatal(err)
	}
	cfg.trials = 9
	if err := s.do(ctx, cfg, p, func() {}); err != nil {
		t.Fatal(err)
	}
	outcomes, err := s.outcomes()
	if err != nil || len(outcomes) != 9 {
		t.Fatalf("%d outcomes, error %v", len(outcomes), err)
	}
	for i, o := range outcomes {
		if failed := i == 1 || i == 2; failed != math.IsNaN(o.value) {
			t.Errorf("trial %d has the value %v", i, o.value)
		}
	}
	p.Settings = "other"
	if err := s.do(ctx, cfg, p, func() {}); err == nil {
		t.Error("a study is continued with other settings")
	}
}

// An error of the method ends the run and is reported, and so does a signal.
func TestStops(t *testing.T) {
	s, cfg := testStudy(t, 5)
	broken := errors.New("broken")
	s.method = &method{name: "broken", sampler: func(context.Context, setting) (goptuna.Sampler, func() error, error) {
		return failing{broken}, nothing, nil
	}}
	if err := s.do(context.Background(), cfg, problem.Function(problems.Func2C()), func() {}); !errors.Is(err, broken) {
		t.Errorf("got error %v, want that of the method", err)
	}

	s, cfg = testStudy(t, 5)
	ctx, cancel := context.WithCancel(context.Background())
	p := problem.Function(problems.Func2C())
	evaluate, calls := p.Evaluate, 0
	p.Evaluate = func(values map[string]any) (float64, error) {
		if calls++; calls == 3 {
			cancel()
		}
		return evaluate(values)
	}
	if err := s.do(ctx, cfg, p, func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
	if outcomes, err := s.outcomes(); err != nil || len(outcomes) != 3 {
		t.Errorf("%d trials are finished, want 3; error %v", len(outcomes), err)
	}
}

type failing struct{ err error }

func (f failing) Sample(*goptuna.Study, goptuna.FrozenTrial, string, any) (float64, error) {
	return 0, f.err
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
		m, _ := methodsByName(name)
		outcomes, err := newStudy(config{experiment: experiments[0], out: out, starts: startsPaper}, m[0], 3).outcomes()
		if err != nil || len(outcomes) != 4 {
			t.Fatalf("%s: %d outcomes, error %v", name, len(outcomes), err)
		}
		if outcomes[0].value != first || outcomes[1].value != second {
			t.Errorf("%s starts with %v and %v, want %v and %v", name, outcomes[0].value, outcomes[1].value, first, second)
		}
	}
	err := run(context.Background(), []string{"func2c", "-method", "random", "-starts", "paper", "-data", dir, "-out", out}, io.Discard, io.Discard)
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
		{nil, "func2c, func3c"},
		{[]string{"func4c"}, "func2c, func3c"},
		{[]string{"func2c", "-method", "mod"}, "modlap"},
		{[]string{"func2c", "-starts", "mine"}, "random or paper"},
		{[]string{"func2c", "-trials", "0"}, "at least 1"},
		{[]string{"func2c", "-starts", "paper", "-method", "random", "-data", empty}, "name its directory by -data"},
		{[]string{"regression", "-sets", "iris", "-data", empty}, "meta, servo, optical"},
		{[]string{"regression", "-data", empty}, "name their directory by -data"},
		{[]string{"regression", "-method", "tpe", "-data", empty}, "compares kernels"},
	} {
		args := test.args
		if len(args) > 0 {
			args = append(args, "-out", filepath.Join(empty, "out"))
		}
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v does not say %q", test.args, err, test.want)
		}
	}
}

func TestMeanAndError(t *testing.T) {
	for _, test := range []struct {
		xs   []float64
		runs int
		want string
	}{
		{[]float64{1, 2, 3}, 3, "2.00 ± 0.58"},
		{[]float64{1, 2, 3}, 5, "2.00 ± 0.58 (3)"},
		{[]float64{1}, 1, "1.00"},
		{nil, 2, ""},
	} {
		if got := meanAndError(test.xs, test.runs, 2); got != test.want {
			t.Errorf("%v: %q, want %q", test.xs, got, test.want)
		}
	}
}
