package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// write makes a table from the text of its files.
func write(t *testing.T, dir, name, space, rows string) {
	t.Helper()
	for file, text := range map[string]string{name + spaceSuffix: space, name + ".csv": rows} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// failingSpace has six cells: one has no row, and one no value.
const failingSpace = `{"params": [
		{"name": "mode", "type": "categorical", "choices": ["off", "on"]},
		{"name": "size", "type": "ordinal", "values": [0.5, 1, 16]}],
	"objective": {"column": "score", "direction": "maximize"}, "lookup": "exact"}`

const failingRows = "size,mode,score,other\n0.5,off,1,9\n1,off,5,9\n16.0,off,2,9\n0.5,on,,9\n16,on,3,9\n"

// made returns a directory with three tables: failing, whole and sample.
func made(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "failing", failingSpace, failingRows)
	rows := "a,n,b,y\n"
	for i := range 4 {
		for n := range 5 {
			for b := range 3 {
				rows += fmt.Sprintf("a%d,%d,%d,%g\n", i, n+2, 10*b, math.Abs(float64(i*n)-4.5)+math.Abs(float64(n-b)))
			}
		}
	}
	write(t, dir, "whole", `{"csv": "whole.csv", "params": [
			{"name": "a", "type": "categorical", "choices": ["a0", "a1", "a2", "a3"]},
			{"name": "n", "type": "int", "low": 2, "high": 6},
			{"name": "b", "type": "ordinal", "values": [0, 10, 20]}],
		"objective": {"column": "y", "direction": "minimize"}, "lookup": "exact"}`, rows)
	write(t, dir, "sample", `{"params": [
			{"name": "x", "type": "float", "low": 10, "high": 20},
			{"name": "m", "type": "int", "low": 1, "high": 10000, "log": true},
			{"name": "kind", "type": "categorical", "choices": ["p", "q"]}],
		"objective": {"column": "y", "direction": "minimize"}, "lookup": "surrogate"}`,
		"x,m,kind,y\n10,100,p,1\n20,100,p,2\n15,1,p,3\n10,100,q,4\n15,10000,p,\n")
	return dir
}

func madeTable(t *testing.T, name string) *table {
	t.Helper()
	made, err := readTable(made(t), name)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

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
			p, err := madeTable(t, "failing").problem(choices)
			if err != nil {
				t.Fatal(err)
			}
			got := value(t, p, fixed{"mode": test.mode, "size": test.size})
			if math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
				t.Errorf("mode %g, size %g, choices %v: got %v, want %v (%s)", test.mode, test.size, choices, got, test.want, test.why)
			}
		}
	}
	p, err := madeTable(t, "whole").problem(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(t, p, fixed{"a": 3, "n": 2, "b": 0}); math.Abs(got-madeTable(t, "whole").regret(4.5)) > 1e-12 {
		t.Errorf("got %v for the smallest int", got)
	}
}

func TestAsked(t *testing.T) {
	for _, test := range []struct {
		choices bool
		want    string
	}{{false, "ordinal 0 to 2"}, {true, "[0.5 1 16]"}} {
		q := madeTable(t, "failing").Params[1].asked(test.choices)
		got := fmt.Sprintf("%v %g to %g", q.Kind, q.Low, q.High)
		if test.choices {
			got = fmt.Sprint(q.Choices)
		}
		if got != test.want || q.Levels != 3 {
			t.Errorf("choices %v: got %s with %d levels, want %s", test.choices, got, q.Levels, test.want)
		}
	}
	single := param{Name: "s", Type: "ordinal", Values: []float64{7}}
	if q := single.asked(false); len(q.Choices) != 1 || q.Choices[0] != "7" {
		t.Errorf("a single value is asked for as %+v", q)
	}
}

func TestNearest(t *testing.T) {
	table := madeTable(t, "sample")
	p, err := table.problem(false)
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
		want := table.regret(test.want)
		got := value(t, p, fixed{"x": test.x, "m": test.m, "kind": test.kind})
		if math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("x %g, m %g: got %v, want %v (%s)", test.x, test.m, got, want, test.why)
		}
	}
}

func TestReadTableRefuses(t *testing.T) {
	for _, test := range []struct{ old, with, want string }{
		{"maximize", "up", `direction is "up"`},
		{`"ordinal"`, `"rank"`, `type "rank"`},
		{`"size"`, `"length"`, "no column length"},
		{`"score", "d`, `"points", "d`, "no column points"},
		{"16.0,off", "17,off", "line 4: size = 17"},
		{"0.5,on", "0.5,maybe", `line 5: mode = "maybe"`},
		{"off,5", "off,five", "line 3"},
		{"off,2,9", "off,5,9\n0.5,on,5,9", "the median is the optimum"},
	} {
		dir := t.TempDir()
		space, rows := strings.Replace(failingSpace, test.old, test.with, 1), strings.Replace(failingRows, test.old, test.with, 1)
		if space == failingSpace && rows == failingRows {
			t.Fatalf("%q is not in the files", test.old)
		}
		write(t, dir, "broken", space, rows)
		if _, err := readTable(dir, "broken"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.with, err, test.want)
		}
	}
	twice := madeTable(t, "failing")
	twice.rows = append(twice.rows, twice.rows[0])
	if _, err := twice.problem(false); err == nil || !strings.Contains(err.Error(), "again") {
		t.Errorf("two rows of a cell: %v", err)
	}
}

// All orders of the cells are enumerated.
func TestExpected(t *testing.T) {
	table := madeTable(t, "failing")
	nan := math.NaN()
	cells := []float64{1, 5, 2, 3, nan, nan}
	sums, orders := make([]float64, len(cells)), 0.0
	var permute func(n int)
	permute = func(n int) {
		if n < len(cells) {
			for i := n; i < len(cells); i++ {
				cells[n], cells[i] = cells[i], cells[n]
				permute(n + 1)
				cells[n], cells[i] = cells[i], cells[n]
			}
			return
		}
		orders++
		best := 1.0 // the worst row
		for i, y := range cells {
			if y > best {
				best = y
			}
			sums[i] += (5 - best) / 2.5
		}
	}
	permute(0)
	got := table.expected(8)
	for i, sum := range sums {
		if math.Abs(got[i]-sum/orders) > 1e-12 {
			t.Errorf("after %d trials: got %v, want %v", i+1, got[i], sum/orders)
		}
	}
	if got[6] != 0 || got[7] != 0 {
		t.Errorf("after more trials than cells: %v", got[6:])
	}
}
