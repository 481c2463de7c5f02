package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// The table is "Optical Interconnection Network" by Ç. İ. Acı and M. F. Akay, from the UCI Machine Learning Repository
// (CC BY 4.0), with the first of its five results: 640 simulations of a multiprocessor whose nodes are connected by light.
//
//go:embed optical.csv
var opticalCSV string

const (
	numbers = 2 // columns that are numbers: threads per node, and the load, the time of a thread over that of a transfer
	folds   = 5
)

// A table is a list of rows with what is to be predicted from each.
type table struct {
	numbers    [][numbers]float64
	categories [][]string
	y          []float64 // percent of the time that processors are busy
}

// readTable reads the table, in an order that is random and always the same.
func readTable() (table, error) {
	records, err := csv.NewReader(strings.NewReader(opticalCSV)).ReadAll()
	if err != nil {
		return table{}, err
	}
	records = records[1:] // without the names
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	var t table
	for _, record := range records {
		last := len(record) - 1
		var parsed [numbers + 1]float64
		for i, text := range []string{record[0], record[1], record[last]} {
			if parsed[i], err = strconv.ParseFloat(text, 64); err != nil {
				return table{}, fmt.Errorf("optical.csv: %w", err)
			}
		}
		t.numbers = append(t.numbers, [numbers]float64{parsed[0], parsed[1]})
		t.categories = append(t.categories, record[numbers:last])
		t.y = append(t.y, 100*parsed[numbers])
	}
	return t, nil
}

// A dataset is a table as models take it: rows of the same length, and a target each.
type dataset struct {
	x [][]float64
	y []float64
}

// encode returns the numbers, or their logarithms, with mean 0 and standard deviation 1, and a column for each category,
// which is 0 or the weight.
func (t table) encode(logarithms bool, weight float64) dataset {
	d := dataset{x: make([][]float64, len(t.y)), y: t.y}
	for j := range numbers {
		column := make([]float64, len(t.y))
		for i, row := range t.numbers {
			if column[i] = row[j]; logarithms {
				column[i] = math.Log(row[j])
			}
		}
		mean, deviation := stat.MeanStdDev(column, nil)
		for i, value := range column {
			d.x[i] = append(d.x[i], (value-mean)/deviation)
		}
	}
	for j := range t.categories[0] {
		var names []string
		for _, row := range t.categories {
			names = append(names, row[j])
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			for i, row := range t.categories {
				value := 0.
				if row[j] == name {
					value = weight
				}
				d.x[i] = append(d.x[i], value)
			}
		}
	}
	return d
}

// split returns the rows of the fold, and all others.
func (d dataset) split(fold int) (fit, valid dataset) {
	for i, x := range d.x {
		part := &fit
		if i%folds == fold {
			part = &valid
		}
		part.x, part.y = append(part.x, x), append(part.y, d.y[i])
	}
	return fit, valid
}

// crossValidate returns the root mean square of the errors on each fold of a model that is fitted to the others.
func crossValidate(d dataset, fit fitter) (float64, error) {
	var squares float64
	for fold := range folds {
		rest, valid := d.split(fold)
		predict, err := fit(rest)
		if err != nil {
			return 0, err
		}
		for i, x := range valid.x {
			e := predict(x) - valid.y[i]
			squares += e * e
		}
	}
	return math.Sqrt(squares / float64(len(d.y))), nil
}
