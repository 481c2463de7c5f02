// Bbob compares samplers on the mixed-integer functions of COCO (Tušar, Brockhoff and Hansen,
// "Mixed-integer benchmark problems for single- and bi-objective optimization", GECCO 2019):
//
//	go run ./_examples/bench/bbob -methods fm,tpe,random -seeds 10
//
// There are 24 functions, smooth and rough, of one basin and of many. Four in five of the
// parameters are ints of 2, 4, 8 and 16 values, the rest floats; of -suite bbob all are
// floats. Each seed has the instance of its number, plus one: a function that is shifted and
// rotated at random.
//
// The measure is the regret of the best value so far: its distance from the optimum, divided
// by the distance of the median of random points. Runs are kept with -runs FILE, and those that
// it has are not made again; peers.csv has those of Optuna's samplers and of SMAC3.
//
// It needs Python with COCO (python3 -m pip install coco-experiment), and what the peers need.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

//go:embed objective.py
var files embed.FS

// functions returns the numbers of a suite's functions.
func functions() (numbers []int) {
	for f := range 24 {
		numbers = append(numbers, f+1)
	}
	return numbers
}

func main() { harness.Main(run) }

// run makes the runs and prints a table per function and one of their mean.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Comparison{Plan: harness.Plan{Budget: harness.Budget{Seeds: 10, Trials: 100, Jobs: runtime.NumCPU()}, Log: log}}
	flags := flag.NewFlagSet("bbob", flag.ContinueOnError)
	suite := flags.String("suite", "bbob-mixint", "`name` of the suite")
	dimension := flags.Int("dimension", 10, "`number` of parameters: 5, 10, 20 or 40")
	chosen := flags.String("function", "all", "`names` of functions, as f01, separated by commas")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	functions, err := harness.Select(*chosen, functions(), name)
	if err != nil {
		return err
	}
	if err := plan.Select(peers.All()...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	s, err := open(ctx, *suite, plan.Python, plan.Jobs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.workers.Close()) }()
	plan.ProblemsOf = func(seed int64) (problems []*harness.Problem, err error) {
		for _, f := range functions {
			p, err := s.problem(ctx, instance{f, *dimension, 1 + int(seed)})
			if err != nil {
				return nil, err
			}
			problems = append(problems, p)
		}
		return problems, nil
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range functions {
		names = append(names, name(f))
	}
	var ofFunctions []*harness.Run // whatever the instance
	for _, r := range runs {
		of := *r
		of.Problem, _, _ = strings.Cut(r.Problem, "-")
		ofFunctions = append(ofFunctions, &of)
	}
	fmt.Fprintf(out, "%s; regret, mean ± standard error.\n", &plan.Budget)
	harness.Compare(out, plan.Methods, names, ofFunctions, harness.Marks(plan.Trials, 10, 15, 20, 30, 50, 75, 100))
	return nil
}
