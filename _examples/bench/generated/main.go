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

// config is what the flags say.
type config struct {
	harness.Budget
	list     bool
	families []family
	methods  []*harness.Method
	python   string
	runsFile string
	read     []string // files with further runs
}

// run makes the runs and prints the tables.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	if cfg.list {
		for _, f := range families {
			fmt.Fprintf(out, "%-14s %s\n", f.name, f.about)
		}
		return nil
	}
	runs, err := makeRuns(ctx, cfg, log)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, a problem of each of %d families for each; normalised regret, mean ± standard error.\n", &cfg.Budget, len(cfg.families))
	r := report{
		families: cfg.families, seeds: cfg.SeedNumbers(), methods: cfg.methods,
		marks: harness.Marks(cfg.Trials, 10, 15, 20, 30, 50, 75, 100),
	}
	r.print(out, runs)
	return nil
}

// makeRuns returns the runs, made or read. That of a seed is on the problems of this seed.
func makeRuns(ctx context.Context, cfg config, log io.Writer) (runs []*harness.Run, err error) {
	store, err := harness.OpenStore(cfg.runsFile, cfg.read...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	plan := harness.Plan{Budget: cfg.Budget, Methods: cfg.methods, Python: cfg.python, Store: store, Log: log}
	plan.ProblemsOf = func(seed int64) (problems []*harness.Problem, err error) {
		for _, f := range cfg.families {
			problems = append(problems, f.problem(seed))
		}
		return problems, nil
	}
	runs, _, err = plan.Run(ctx)
	return runs, err
}

func parseFlags(args []string) (config, error) {
	cfg := config{Budget: harness.Budget{Seeds: 8, Trials: 50, Jobs: runtime.NumCPU()}, families: families}
	flags := flag.NewFlagSet("generated", flag.ContinueOnError)
	flags.BoolVar(&cfg.list, "families", false, "list the families, and do nothing else")
	chosen := flags.String("family", "all", "`names` of families, separated by commas")
	methods := flags.String("methods", "fm,tpe,random", "`names` of the samplers, separated by commas; may be empty")
	label := flags.String("label", "fm", "`name` of fm with the options below, in tables and files")
	var v harness.Variant
	v.Flags(flags)
	var with []string
	harness.ListVar(flags, &with, "with", "`names` of further methods, whose runs are in the files")
	flags.StringVar(&cfg.runsFile, "runs", "", "CSV `file` of runs, which is read and added to")
	harness.ListVar(flags, &cfg.read, "read", "`files` with further runs, separated by commas")
	flags.StringVar(&cfg.python, "python", "python3", "`command` of the Python that has the peers")
	cfg.Budget.Flags(flags)
	if err := cfg.Parse(flags, args); err != nil {
		return cfg, err
	}
	ours, err := v.Labelled(*label)
	if err != nil {
		return cfg, err
	}
	if *chosen != "all" {
		if cfg.families, err = harness.Select(*chosen, families, func(f family) string { return f.name }); err != nil {
			return cfg, err
		}
	}
	cfg.methods, err = harness.SelectWith(*methods, with, append([]*harness.Method{ours, harness.TPE(), harness.Random()}, peers.All()...))
	return cfg, err
}
