// Yahpo compares samplers on tuning problems of YAHPO Gym (Pfisterer and others, 2022), in
// which a small neural network stands in for the training of a learner.
//
//	go run ./_examples/bench/yahpo -network DIR/rbv2_rpart.json -methods fm,tpe,random -seeds 10
//
// The file describes a network, its parameters, and what goes in and comes out; its weights
// are in another file beside it. Each target on each task is a problem. The measure is the
// regret: of the best value so far, its distance from the best one known, divided by that of
// the median of random settings; below 0, it is better than what was known. Runs are kept
// with -runs FILE, and those that it has are not made again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

func main() { harness.Main(run) }

// run makes the runs and prints a table per problem, and one of their mean.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Plan{Budget: harness.Budget{Seeds: 10, Trials: 100, Jobs: 2}, Log: log}
	flags := flag.NewFlagSet("yahpo", flag.ContinueOnError)
	file := flags.String("network", "", "JSON `file` of the network")
	names := flags.String("methods", "fm,tpe,random", "`names` of the samplers, separated by commas")
	runsFile := flags.String("runs", "", "CSV `file` of runs, which is read and added to")
	flags.StringVar(&plan.Python, "python", "python3", "`command` of the Python that has the peers")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("give the file of a network by -network")
	}
	methods := append([]*harness.Method{harness.FM("fm", "fm"), harness.TPE(), harness.Random()}, peers.All()...)
	if plan.Methods, err = harness.Select(*names, methods, (*harness.Method).Names); err != nil {
		return err
	}
	n, err := read(*file)
	if err != nil {
		return err
	}
	for _, task := range n.Tasks {
		for _, target := range slices.Sorted(maps.Keys(n.Targets)) {
			p, err := n.problem(task, target)
			if err != nil {
				return err
			}
			plan.Problems = append(plan.Problems, p)
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
	fmt.Fprintf(out, "%s; regret, mean ± standard error.\n", &plan.Budget)
	columns := append([]harness.Column{harness.Title("method"), harness.Count("runs")},
		harness.BestAt(harness.Marks(plan.Trials, 20, 30, 50, 75, 100), 0, 4)...)
	var problems []string
	for _, p := range plan.Problems {
		problems = append(problems, p.Name)
	}
	for _, r := range runs {
		r.Values = r.Curve()
	}
	const mean = "mean"
	runs = append(runs, harness.MeanRuns(mean, problems, runs)...)
	for _, name := range append(problems, mean) {
		fmt.Fprintf(out, "\n%s\n\n", name)
		harness.Print(out, false, harness.Rows(harness.Samples(plan.Methods, name, runs), columns...))
	}
	return nil
}
