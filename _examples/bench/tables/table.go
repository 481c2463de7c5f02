package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// spaceSuffix is the end of the names of the files that describe tables.
const spaceSuffix = ".space.json"

// table is measurements of configurations, each in a row.
type table struct {
	Name      string  `json:"name"`
	CSV       string  `json:"csv"` // file of the rows; by default Name.csv
	Params    []param `json:"params"`
	Objective struct {
		Column    string `json:"column"`
		Direction string `json:"direction"` // minimize or maximize
	} `json:"objective"`
	Lookup string `json:"lookup"` // exact: a grid; by all others the nearest row counts

	rows []row
	// Values to be minimised, of the rows that have one.
	optimum, median, worst float64
}

// row is a configuration and what was measured.
type row struct {
	at    []float64 // by parameter, see param.parse
	value float64   // to be minimised; NaN if it failed
}

// param is a parameter as the file has it.
type param struct {
	Name    string    `json:"name"`
	Type    string    `json:"type"`
	Choices []string  `json:"choices"` // of a categorical one
	Values  []float64 `json:"values"`  // of an ordinal one, in order
	Low     float64   `json:"low"`     // of an int or a float
	High    float64   `json:"high"`
	Log     bool      `json:"log"`
}

// tableNames returns the names of the tables in a directory.
func tableNames(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+spaceSuffix))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no table (*%s) in %q", spaceSuffix, dir)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), spaceSuffix)
	}
	return files, nil
}

// readTable reads a table.
func readTable(dir, name string) (*table, error) {
	path := filepath.Join(dir, name+spaceSuffix)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &table{}
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.Name = name
	if t.CSV == "" {
		t.CSV = name + ".csv"
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(dir, filepath.Base(t.CSV))
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err == nil {
		err = t.readRows(lines)
	}
	if err == nil {
		err = t.measure()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// check looks for what the other methods rely on.
func (t *table) check() error {
	if d := t.Objective.Direction; d != "minimize" && d != "maximize" {
		return fmt.Errorf("the direction is %q; need minimize or maximize", d)
	}
	for _, q := range t.Params {
		ok := false
		switch q.Type {
		case "categorical":
			ok = len(q.Choices) > 0
		case "ordinal":
			ok = len(q.Values) > 0
		case "int", "float":
			ok = q.High > q.Low && (!q.Log || q.Low > 0)
		}
		if !ok {
			return fmt.Errorf("the parameter %s has the type %q and no values for it", q.Name, q.Type)
		}
		if t.grid() && (q.Type == "float" || q.Log) {
			return fmt.Errorf("the lookup is exact, but %s is on no grid", q.Name)
		}
	}
	return nil
}

// grid tells whether a cell that has no row fails.
func (t *table) grid() bool { return t.Lookup == "exact" }

// readRows reads the lines of the CSV file, of which the first has the columns.
func (t *table) readRows(lines [][]string) error {
	if len(lines) == 0 {
		return errors.New("it has no header")
	}
	columns := make([]int, len(t.Params))
	for i, q := range t.Params {
		if columns[i] = slices.Index(lines[0], q.Name); columns[i] < 0 {
			return fmt.Errorf("there is no column %s", q.Name)
		}
	}
	objective := slices.Index(lines[0], t.Objective.Column)
	if objective < 0 {
		return fmt.Errorf("there is no column %s", t.Objective.Column)
	}
	for i, line := range lines[1:] {
		r := row{at: make([]float64, len(t.Params)), value: math.NaN()}
		var err error
		for j, q := range t.Params {
			if r.at[j], err = q.parse(line[columns[j]]); err != nil {
				return fmt.Errorf("line %d: %w", i+2, err)
			}
		}
		if text := line[objective]; text != "" {
			if r.value, err = strconv.ParseFloat(text, 64); err != nil {
				return fmt.Errorf("line %d: %w", i+2, err)
			}
			if t.Objective.Direction == "maximize" {
				r.value = -r.value
			}
		}
		t.rows = append(t.rows, r)
	}
	return nil
}

// measure sets the optimum, the median and the worst of the values.
func (t *table) measure() error {
	values := t.sorted()
	if len(values) == 0 {
		return errors.New("no row has a value")
	}
	t.optimum, t.median, t.worst = values[0], harness.Median(values), values[len(values)-1]
	if t.median == t.optimum {
		return errors.New("the median is the optimum: there is no regret to divide by")
	}
	return nil
}

// sorted returns the values of the rows that have one, the best first.
func (t *table) sorted() []float64 {
	var values []float64
	for _, r := range t.rows {
		if !math.IsNaN(r.value) {
			values = append(values, r.value)
		}
	}
	slices.Sort(values)
	return values
}

// regret returns (y - optimum) / (median - optimum).
func (t *table) regret(y float64) float64 { return (y - t.optimum) / (t.median - t.optimum) }

// problem returns the table as a problem whose runs have regrets for values.
// Ordinal parameters are integers, or choices that read as numbers.
func (t *table) problem(choices bool) (*harness.Problem, error) {
	var space problems.Space
	for _, q := range t.Params {
		space = append(space, q.asked(choices))
	}
	find := t.nearest()
	if t.grid() {
		var err error
		if find, err = t.exact(space); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	p := harness.Flat(t.Name, space, func(c []float64, v []int) (float64, error) {
		at := make([]float64, len(space))
		for i, q := range space {
			if q.Kind == problems.Continuous {
				at[i], c = c[0], c[1:]
			} else {
				at[i], v = float64(v[0]), v[1:]
			}
		}
		if y := find(at); !math.IsNaN(y) {
			return y, nil
		}
		return 0, errors.New("the table has no value there")
	})
	p.Optimum, p.Plain = 0, t.regret
	return p, nil
}

// exact returns the look-up in a grid: NaN where there is no row.
func (t *table) exact(space problems.Space) (func(at []float64) float64, error) {
	cell := func(at []float64) (n int) { // its number: the levels are digits
		for i, q := range space {
			n = n*q.Levels + int(at[i])
		}
		return n
	}
	values := make(map[int]float64, len(t.rows))
	for i, r := range t.rows {
		n := cell(r.at)
		if _, twice := values[n]; twice {
			return nil, fmt.Errorf("line %d of the rows has a configuration again", i+2)
		}
		values[n] = r.value
	}
	return func(at []float64) float64 {
		if y, ok := values[cell(at)]; ok {
			return y
		}
		return math.NaN()
	}, nil
}

// nearest returns the look-up of the nearest row; the first of several. The
// squared distance is a sum over the parameters: of categorical ones 1 if the
// choices differ, of the others the square of the difference as a share of the
// range (of its logarithms on a logarithmic scale; of the levels of an ordinal
// one).
func (t *table) nearest() func(at []float64) float64 {
	scaled := func(at []float64) []float64 {
		units := make([]float64, len(at))
		for i, q := range t.Params {
			units[i] = q.unit(at[i])
		}
		return units
	}
	points := make([][]float64, len(t.rows))
	for i, r := range t.rows {
		points[i] = scaled(r.at)
	}
	return func(at []float64) float64 {
		units, best, least := scaled(at), 0, math.Inf(1)
		for i, point := range points {
			d2 := 0.0
			for j, x := range point {
				switch {
				case t.Params[j].Type != "categorical":
					d2 += (x - units[j]) * (x - units[j])
				case x != units[j]:
					d2++
				}
			}
			if d2 < least {
				best, least = i, d2
			}
		}
		return t.rows[best].value
	}
}

// cells returns the number of cells of a grid.
func (t *table) cells() int {
	n := 1
	for _, q := range t.Params {
		q := q.asked(false)
		n *= q.Levels
	}
	return n
}
