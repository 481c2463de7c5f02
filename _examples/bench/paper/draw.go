package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
)

// redraw draws the pictures of a directory again from its CSV files alone:
//
//	go run ./_examples/bench/paper draw -out _examples/bench/paper/results
func redraw(_ context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("paper draw", flag.ContinueOnError)
	flags.SetOutput(log)
	dir := flags.String("out", "paper-out", "`directory` with the CSV files, for the pictures")
	if err := harness.Parse(flags, args); err != nil {
		return err
	}
	for _, e := range experiments {
		base := filepath.Join(*dir, e.name)
		if paths, _ := filepath.Glob(base + ".csv"); len(paths) == 0 || e.open == nil {
			continue // regression has no pictures
		}
		rows, err := readImprovements(base + ".csv")
		if err != nil {
			return err
		}
		if err := writePictures(base, &harness.Problem{Name: e.title, Optimum: e.optimum}, rows); err != nil {
			return err
		}
		fmt.Fprintln(out, base)
	}
	return nil
}

// readImprovements returns the rows of a file that [improvements] has written.
// Between two improvements the trials of a run have no value: the best so far is
// the same as in the run that was made.
func readImprovements(path string) ([]row, error) {
	records, err := harness.ReadRecords(path)
	if err != nil {
		return nil, err
	}
	found := map[string]row{}
	err = records.Scan([]string{"method", "starts", "run", "trial", "best"}, func(record map[string]string) error {
		numbers, err := harness.Floats(record, "run", "trial", "best")
		if err != nil {
			return err
		}
		name, starts := record["method"], record["starts"]
		if found[name].runs == nil {
			found[name] = row{runs: map[string][]*harness.Run{}}
		}
		runs := found[name].runs
		for len(runs[starts]) <= int(numbers[0]) {
			runs[starts] = append(runs[starts], &harness.Run{Method: name, Seed: int64(len(runs[starts]))})
		}
		run := runs[starts][int(numbers[0])]
		for len(run.Values) < int(numbers[1])-1 {
			run.Values = append(run.Values, math.NaN())
		}
		if len(run.Values) != int(numbers[1])-1 {
			return fmt.Errorf("trial %s of run %s comes too late", strconv.Quote(record["trial"]), record["run"])
		}
		run.Values = append(run.Values, numbers[2])
		return nil
	})
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, m := range methods {
		if r, ok := found[m.Name]; ok {
			r.Method = m
			rows = append(rows, r)
		}
	}
	return rows, nil
}
