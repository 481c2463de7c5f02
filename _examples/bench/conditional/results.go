package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// results is a file of runs, one per line; the nil results has none and keeps
// none.
type results struct {
	file *os.File
	w    *csv.Writer
	runs []*run
}

var resultsHeader = []string{"problem", "method", "seed", "seconds", "values"}

// openRuns reads the runs of a file, which is created if there is none. Without
// a name there are no results.
func openRuns(name string) (*results, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	k := &results{file: file, w: csv.NewWriter(file)}
	r := csv.NewReader(file)
	r.FieldsPerRecord = len(resultsHeader)
	for line := 1; ; line++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			if line == 1 {
				return k, k.write(resultsHeader)
			}
			return k, nil
		}
		if err == nil && line > 1 {
			err = k.read(record)
		}
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("%s, line %d: %w", name, line, err)
		}
	}
}

func (k *results) read(record []string) error {
	r := &run{problem: record[0], method: record[1]}
	var err error
	if r.seed, err = strconv.ParseInt(record[2], 10, 64); err != nil {
		return err
	}
	if r.seconds, err = strconv.ParseFloat(record[3], 64); err != nil {
		return err
	}
	for text := range strings.SplitSeq(record[4], " ") {
		y, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		r.values = append(r.values, y)
	}
	k.runs = append(k.runs, r)
	return nil
}

// find completes r by the run in the file that has as many trials or more.
func (k *results) find(r *run, trials int) bool {
	if k == nil || r.method == "fm" {
		return false
	}
	for _, known := range k.runs {
		if known.problem == r.problem && known.method == r.method && known.seed == r.seed && len(known.values) >= trials {
			r.seconds, r.values = known.seconds, known.values[:trials]
			return true
		}
	}
	return false
}

// add appends a run to the file, if it is of a method other than fm.
func (k *results) add(r *run) error {
	if k == nil || r.method == "fm" {
		return nil
	}
	values := make([]string, len(r.values))
	for i, y := range r.values {
		values[i] = strconv.FormatFloat(y, 'g', 5, 64)
	}
	return k.write([]string{
		r.problem, r.method, strconv.FormatInt(r.seed, 10), strconv.FormatFloat(r.seconds, 'g', 3, 64), strings.Join(values, " "),
	})
}

func (k *results) write(record []string) error {
	if err := k.w.Write(record); err != nil {
		return err
	}
	k.w.Flush()
	return k.w.Error()
}

func (k *results) Close() error {
	if k == nil {
		return nil
	}
	return k.file.Close()
}
