package lookup

import (
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
)

// spaceSuffix is the end of the names of the files that describe tables.
const spaceSuffix = ".space.json"

// Table is measurements of configurations, each in a row.
type Table struct {
	Name      string  `json:"name"`
	CSV       string  `json:"csv"` // file of the rows; by default Name.csv
	Params    []Param `json:"params"`
	Objective struct {
		Column    string `json:"column"`
		Direction string `json:"direction"` // minimize or maximize
	} `json:"objective"`
	Lookup string `json:"lookup"` // exact: a grid; by all others the nearest row counts

	rows []row
	// Values to be minimised, of the rows that have one.
	Optimum float64 `json:"-"`
	Median  float64 `json:"-"`
	Worst   float64 `json:"-"`
}

// row is a configuration and what was measured.
type row struct {
	at    []float64 // by parameter, see Param.parse
	value float64   // to be minimised; NaN if it failed
}

// Param is a parameter as the file has it.
type Param struct {
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

// ReadAll reads the tables of a list.
func ReadAll(dir, list string) ([]*Table, error) {
	names, err := tableNames(dir)
	if err != nil {
		return nil, err
	}
	if names, err = harness.Select(list, names, func(name string) string { return name }); err != nil {
		return nil, err
	}
	var tables []*Table
	for _, name := range names {
		t, err := Read(dir, name)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// Read reads a table.
func Read(dir, name string) (*Table, error) {
	path := filepath.Join(dir, name+spaceSuffix)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &Table{}
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
	if err := t.readRows(path); err != nil {
		return nil, err
	}
	if err := t.measure(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// check looks for what the other methods rely on.
func (t *Table) check() error {
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
		if t.Grid() && (q.Type == "float" || q.Log) {
			return fmt.Errorf("the lookup is exact, but %s is on no grid", q.Name)
		}
	}
	return nil
}

// Grid tells whether a cell that has no row fails.
func (t *Table) Grid() bool { return t.Lookup == "exact" }

// readRows reads the CSV file.
func (t *Table) readRows(path string) error {
	records, err := harness.ReadRecords(path)
	if err != nil {
		return err
	}
	columns := []string{t.Objective.Column}
	for _, q := range t.Params {
		columns = append(columns, q.Name)
	}
	return records.Scan(columns, func(record map[string]string) (err error) {
		r := row{at: make([]float64, len(t.Params)), value: math.NaN()}
		for i, q := range t.Params {
			if r.at[i], err = q.parse(record[q.Name]); err != nil {
				return err
			}
		}
		if text := record[t.Objective.Column]; text != "" {
			if r.value, err = strconv.ParseFloat(text, 64); err != nil {
				return err
			}
			if math.IsInf(r.value, 0) {
				return fmt.Errorf("%s = %s: need a finite number, or nothing if it failed", t.Objective.Column, text)
			}
			if t.Objective.Direction == "maximize" {
				r.value = -r.value
			}
		}
		t.rows = append(t.rows, r)
		return nil
	})
}

// measure sets the optimum, the median and the worst of the values.
func (t *Table) measure() error {
	values := t.Values()
	if len(values) == 0 {
		return errors.New("no row has a value")
	}
	t.Optimum, t.Median, t.Worst = values[0], harness.Median(values), values[len(values)-1]
	if t.Median == t.Optimum {
		return errors.New("the median is the optimum: there is no regret to divide by")
	}
	return nil
}

// Values returns the values of the rows that have one, the best first.
func (t *Table) Values() []float64 {
	var values []float64
	for _, r := range t.rows {
		if !math.IsNaN(r.value) {
			values = append(values, r.value)
		}
	}
	slices.Sort(values)
	return values
}

// Regret returns (y - optimum) / (median - optimum).
func (t *Table) Regret(y float64) float64 { return (y - t.Optimum) / (t.Median - t.Optimum) }

// Cells returns the number of cells of a grid.
func (t *Table) Cells() int {
	n := 1
	for _, q := range t.Params {
		q := q.Asked(false)
		n *= q.Levels
	}
	return n
}
