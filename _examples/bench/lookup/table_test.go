package lookup_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup/lookuptest"
)

// fixed answers with internal values of the parameters by name.
type fixed map[string]float64

func (f fixed) Sample(_ *goptuna.Study, _ goptuna.FrozenTrial, name string, _ any) (float64, error) {
	value, ok := f[name]
	if !ok {
		return 0, fmt.Errorf("there is no parameter %s", name)
	}
	return value, nil
}

// value returns that of a trial with such parameters, NaN if it fails.
func value(t *testing.T, p *harness.Problem, params fixed) float64 {
	t.Helper()
	method := &harness.Method{Name: "fixed", Open: harness.InGo(func(harness.Setting) goptuna.Sampler { return params })}
	plan := harness.Plan{Budget: harness.Budget{Seeds: 1, Trials: 1, Jobs: 1}, Problems: []*harness.Problem{p},
		Methods: []*harness.Method{method}, Log: &strings.Builder{}}
	runs, _, err := plan.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return runs[0].Values[0]
}

func TestExact(t *testing.T) {
	nan := math.NaN()
	// The optimum is 5 and the median 2.5: a score y has the regret (5 - y) / 2.5.
	for _, test := range []struct {
		mode, size, want float64
		why              string
	}{
		{0, 0, 1.6, "score 1"},
		{0, 1, 0, "the optimum"},
		{1, 2, 0.8, "score 3"},
		{1, 0, nan, "the cell is empty"},
		{1, 1, nan, "the cell is missing"},
	} {
		for _, choices := range []bool{false, true} {
			p, err := lookuptest.Table(t, "failing").Problem(choices)
			if err != nil {
				t.Fatal(err)
			}
			got := value(t, p, fixed{"mode": test.mode, "size": test.size})
			if math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
				t.Errorf("mode %g, size %g, choices %v: got %v, want %v (%s)", test.mode, test.size, choices, got, test.want, test.why)
			}
		}
	}
	p, err := lookuptest.Table(t, "whole").Problem(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, p, fixed{"a": 3, "n": 2, "b": 0}); math.Abs(got-lookuptest.Table(t, "whole").Regret(4.5)) > 1e-12 {
		t.Errorf("got %v for the smallest int", got)
	}
}

// The truth is what a trial has, of a failure the worst row.
func TestTruth(t *testing.T) {
	table := lookuptest.Table(t, "failing")
	truth, err := table.Truth(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		mode string
		size int
		want float64
	}{{"off", 1, table.Optimum}, {"on", 2, -3}, {"on", 0, table.Worst}} {
		if got, err := truth(map[string]any{"mode": test.mode, "size": test.size}); got != test.want || err != nil {
			t.Errorf("%s, %d: got %v, want %v, error %v", test.mode, test.size, got, test.want, err)
		}
	}
	if _, err := truth(map[string]any{"mode": "off"}); err == nil {
		t.Error("a configuration without a size")
	}
}

// Idle parameters are asked for by each trial, also by one that fails, and change no
// value.
func TestWithIdle(t *testing.T) {
	plain, err := lookuptest.Table(t, "failing").Problem(false)
	if err != nil {
		t.Fatal(err)
	}
	p := lookup.WithIdle(plain, 7)
	if got := len(p.Space) - len(plain.Space); got != 7 {
		t.Errorf("%d parameters more, want 7", got)
	}
	study, err := goptuna.CreateStudy("idle", goptuna.StudyOptionLogger(nil), goptuna.StudyOptionIgnoreError(true))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	if err := study.Optimize(p.Objective, 40); err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		if len(trial.Params) != len(p.Space) {
			t.Errorf("trial %d has the parameters %v, want %d", trial.Number, trial.Params, len(p.Space))
		}
		if trial.State != goptuna.TrialStateComplete {
			continue
		}
		cell := fmt.Sprint(trial.Params["mode"], trial.Params["size"])
		if before, ok := values[cell]; ok && before != trial.Value {
			t.Errorf("%s has the values %v and %v", cell, before, trial.Value)
		}
		values[cell] = trial.Value
	}
	if len(values) < 2 { // of the four: Goptuna's own sampler never draws the largest integer
		t.Errorf("only %d cells were seen", len(values))
	}
}

// Beside "off" all rows have the size 16, and no trial is asked for it. A choice that
// follows decides nothing about those before it.
func TestConditional(t *testing.T) {
	dir := t.TempDir()
	lookuptest.Write(t, dir, "tree", lookuptest.FailingSpace, "size,mode,score\n16,off,5\n0.5,on,1\n1,on,\n16,on,3\n")
	table, err := lookup.Read(dir, "tree")
	if err != nil {
		t.Fatal(err)
	}
	for _, choices := range []bool{false, true} {
		p, err := table.Conditional(choices)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			params fixed
			want   float64
		}{
			{fixed{"mode": 0}, table.Regret(-5)},
			{fixed{"mode": 1, "size": 0}, table.Regret(-1)},
			{fixed{"mode": 1, "size": 1}, math.NaN()},
			{fixed{"mode": 1, "size": 2}, table.Regret(-3)},
		} {
			got := value(t, p, test.params)
			if math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
				t.Errorf("%v, choices %v: got %v, want %v", test.params, choices, got, test.want)
			}
		}
	}
}

func TestAsked(t *testing.T) {
	for _, test := range []struct {
		choices bool
		want    string
	}{{false, "ordinal 0 to 2"}, {true, "[0.5 1 16]"}} {
		q := lookuptest.Table(t, "failing").Params[1].Asked(test.choices)
		got := fmt.Sprintf("%v %g to %g", q.Kind, q.Low, q.High)
		if test.choices {
			got = fmt.Sprint(q.Choices)
		}
		if got != test.want || q.Levels != 3 {
			t.Errorf("choices %v: got %s with %d levels, want %s", test.choices, got, q.Levels, test.want)
		}
	}
	single := lookup.Param{Name: "s", Type: "ordinal", Values: []float64{7}}
	if q := single.Asked(false); len(q.Choices) != 1 || q.Choices[0] != "7" {
		t.Errorf("a single value is asked for as %+v", q)
	}
}

func TestNearest(t *testing.T) {
	table := lookuptest.Table(t, "sample")
	p, err := table.Problem(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		x, m, kind, want float64
		why              string
	}{
		{10, 100, 0, 1, "the row itself"},
		{17.6, 100, 0, 2, "0.24 of the range away, not 0.76"},
		{12, 3, 0, 3, "the logarithm counts: 0.12 and 0.2 from the third row, 0.38 and 0.2 from the first"},
		{19, 100, 1, 4, "0.9² for the row of the same kind, 0.1² + 1 for the other"},
		{15, 9000, 0, math.NaN(), "the nearest row has no value"},
	} {
		want := table.Regret(test.want)
		got := value(t, p, fixed{"x": test.x, "m": test.m, "kind": test.kind})
		if math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("x %g, m %g: got %v, want %v (%s)", test.x, test.m, got, want, test.why)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ old, with, want string }{
		{"maximize", "up", `direction is "up"`},
		{`"ordinal"`, `"rank"`, `type "rank"`},
		{`"size"`, `"length"`, "no column length"},
		{`"score", "d`, `"points", "d`, "no column points"},
		{"16.0,off", "17,off", "line 4: size = 17"},
		{"0.5,on", "0.5,maybe", `line 5: mode = "maybe"`},
		{"off,5", "off,five", "line 3"},
		{"off,5", "off,Inf", "line 3: score = Inf"},
		{"off,5", "off,-inf", "line 3: score = -inf"},
		{"off,2,9", "off,5,9\n0.5,on,5,9", "the median is the optimum"},
	} {
		dir := t.TempDir()
		space, rows := strings.Replace(lookuptest.FailingSpace, test.old, test.with, 1), strings.Replace(lookuptest.FailingRows, test.old, test.with, 1)
		if space == lookuptest.FailingSpace && rows == lookuptest.FailingRows {
			t.Fatalf("%q is not in the files", test.old)
		}
		lookuptest.Write(t, dir, "broken", space, rows)
		if _, err := lookup.Read(dir, "broken"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.with, err, test.want)
		}
	}
	dir := t.TempDir()
	lookuptest.Write(t, dir, "twice", lookuptest.FailingSpace, lookuptest.FailingRows+"0.5,off,1,9\n")
	twice, err := lookup.Read(dir, "twice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := twice.Problem(false); err == nil || !strings.Contains(err.Error(), "again") {
		t.Errorf("two rows of a cell: %v", err)
	}
}
