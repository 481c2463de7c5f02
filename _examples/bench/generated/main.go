// Generated compares samplers on problems that are drawn at random, from families of them:
//
//	go run ./_examples/bench/generated -methods fm,tpe,random -seeds 8 -first-seed 100
//
// Each seed draws one problem of each family, on which a method makes one run. So there are
// always problems on which nothing was chosen yet. -families lists the families, and -family
// names some. Sums add up terms of one parameter each, with or without
// products of two; shapes are functions of floats that are hard in one way each; systems are what
// tuned programs do, in simple formulas; and choices decide the rest.
//
// The measure is the normalised regret of the best value so far: its distance from the least
// value known, divided by the distance of the median of random points. The least value known is
// that of any run that is shown, or of eighteen thousand trials of another search. Before the
// first success the worst random point counts. A table for each family has the mean ± standard
// error over its problems, and the last one that over the families. Then come the differences
// from the first method, paired by problem.
//
// Runs are kept with -runs FILE, and those that it has are not made again. Two
// versions of the sampler stand there side by side, under names of their own:
//
//	go run ./_examples/bench/generated -methods fm -label before -runs runs.csv # of the version before
//	go run ./_examples/bench/generated -methods fm -label after -with before -runs runs.csv
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

func main() { harness.Main(run) }

// run makes the runs and prints the tables.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Comparison{Plan: harness.Plan{Budget: harness.Budget{Seeds: 8, Trials: 50, Jobs: runtime.NumCPU()}, Log: log}}
	flags := flag.NewFlagSet("generated", flag.ContinueOnError)
	list := flags.Bool("families", false, "list the families, and do nothing else")
	names := flags.String("family", "all", "`names` of families, separated by commas")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	chosen, err := harness.Select(*names, families, func(f family) string { return f.name })
	if err != nil {
		return err
	}
	if *list {
		for _, f := range chosen {
			fmt.Fprintf(out, "%-14s %s\n", f.name, f.about)
		}
		return nil
	}
	if err := plan.Select(peers.All()...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	plan.ProblemsOf = func(seed int64) (problems []*harness.Problem, err error) {
		for _, f := range chosen {
			problems = append(problems, f.problem(seed))
		}
		return problems, nil
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, a problem of each of %d families for each; normalised regret, mean ± standard error.\n", &plan.Budget, len(chosen))
	r := report{
		families: chosen, seeds: plan.SeedNumbers(), methods: plan.Methods,
		marks: harness.Marks(plan.Trials, 10, 15, 20, 30, 50, 75, 100),
	}
	r.print(out, runs)
	return nil
}
