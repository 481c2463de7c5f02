// Generated compares samplers on problems that are drawn at random, from families of them:
//
//	go run ./_examples/bench/generated -methods fm,tpe,random -seeds 8 -first-seed 100
//
// Each seed draws one problem of each family, on which a method makes one run. So there is
// no end of problems on which nothing was chosen. -families lists them, and -family
// names some. Sums add up terms of one parameter each, with or without
// products of two; shapes are functions of floats that are hard in one way each; systems are what
// tuned programs do, in simple formulas; and choices decide the rest.
//
// The measure is the normalised regret: of the best value so far, its distance from the least
// that was found, by any run that is shown or by fifteen thousand trials of another
// search, divided by that of the median of random points; before the first success it is
// that of the worst of them. A table for each family has the mean ± standard error over its
// problems, the last one that over the families, and then come the differences from the
// first method, paired by problem.
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
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

func main() { harness.Main(run) }

// run makes the runs and prints the tables.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	budget := harness.Budget{Seeds: 8, Trials: 50, Jobs: runtime.NumCPU()}
	flags := flag.NewFlagSet("generated", flag.ContinueOnError)
	list := flags.Bool("families", false, "list the families, and do nothing else")
	chosen := flags.String("family", "all", "`names` of families, separated by commas")
	methods := flags.String("methods", "fm,tpe,random", "`names` of the samplers, separated by commas; may be empty")
	label := flags.String("label", "fm", "`name` of fm in tables and files")
	with := flags.String("with", "", "`names` of further methods, whose runs are in the file")
	runsFile := flags.String("runs", "", "CSV `file` of runs, which is read and added to")
	python := flags.String("python", "python3", "`command` of the Python that has the peers")
	markdown := flags.Bool("markdown", false, "print the tables as Markdown")
	budget.Flags(flags)
	if err := budget.Parse(flags, args); err != nil {
		return err
	}
	if *list {
		for _, f := range families {
			fmt.Fprintf(out, "%-14s %s\n", f.name, f.about)
		}
		return nil
	}
	r := report{markdown: *markdown, marks: harness.Marks(budget.Trials, 15, 20, 30, 50, 75, 100)}
	if *chosen == "all" {
		r.families = families
	} else if r.families, err = harness.Select(*chosen, families, func(f family) []string { return []string{f.name} }); err != nil {
		return err
	}
	// A plan makes runs of all problems with each of its seeds.
	plan := harness.Plan{Budget: budget, Python: *python, Log: log}
	plan.Seeds, plan.FirstSeed = 1, 0
	for i := range budget.Seeds {
		r.seeds = append(r.seeds, budget.FirstSeed+int64(i))
		for _, f := range r.families {
			plan.Problems = append(plan.Problems, f.problem(budget.FirstSeed+int64(i)))
		}
	}
	if *methods != "" {
		all := append([]*harness.Method{harness.FM(*label, *label), harness.TPE(), harness.Random()}, peers.All()...)
		named := func(m *harness.Method) []string {
			if m.Name == *label {
				return []string{m.Name, "fm"}
			}
			return m.Names()
		}
		if plan.Methods, err = harness.Select(*methods, all, named); err != nil {
			return err
		}
	}
	if plan.Store, err = harness.OpenStore(*runsFile); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	r.methods = plan.Methods
	if *with != "" {
		for name := range strings.SplitSeq(*with, ",") {
			r.methods = append(r.methods, &harness.Method{Name: name, Title: name})
			for _, p := range plan.Problems {
				run := plan.Store.Find(p.Name, name, plan.FirstSeed, plan.Trials)
				if run == nil {
					return fmt.Errorf("-with: there is no run of %s on %s with %d trials", name, p.Name, plan.Trials)
				}
				runs = append(runs, run)
			}
		}
	}
	fmt.Fprintf(out, "%d problems of each of %d families, %d trials; normalised regret, mean ± standard error.\n", len(r.seeds), len(r.families), plan.Trials)
	r.print(out, runs)
	return nil
}
