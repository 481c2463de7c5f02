// Conditional compares samplers on spaces whose parameters depend on each
// other's values: the FM-kernel sampler of this module, Goptuna's TPE, random
// search, and two samplers of Optuna where Python has it.
//
//	go run ./_examples/bench/conditional -seeds 20 -trials 150
//
// For each problem it prints how far the best value so far is from the optimum
// after 20, 30, ... trials (mean ± standard error over the seeds), and how many
// trials it takes to come within several distances of it (median over the seeds,
// with the number of those that got there). A third table shows where the trials
// of a method went: the share of each leaf of the tree, and the best that was
// found in it.
//
// Optuna's samplers are asked, parameter by parameter, by a Goptuna study like
// all others, so that there is one implementation of the problems. They are its
// TPESampler with multivariate and group, and its GPSampler; of the latter 10
// seeds are enough, for it is slow.
//
// -runs reads the runs of all methods but fm from a file, and adds to it those
// that are missing: the peers need to run once only, and fm only under another
// -label. The file peers.csv beside this program was made so by Optuna 5.0:
//
//	go run ./_examples/bench/conditional -runs _examples/bench/conditional/peers.csv
//
//	go run ./_examples/bench/conditional -edits
//
// runs studies by fm whose space is changed five times instead: ranges, scales,
// choices, and parameters that come and go. It compares the 20 trials after each
// change with the first 20 of a study that starts there.
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
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// optuna returns its samplers.
func optuna() []*harness.Method {
	all := peers.ForTrees()
	all[1].Seeds = 10 // its GPSampler is slow
	return all
}

// config is what the flags say.
type config struct {
	harness.Comparison
	problems []*problems.Conditional
	edits    bool
}

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	if cfg.edits {
		return compareEdits(ctx, cfg, out, log)
	}
	return compare(ctx, cfg, out, log)
}

// compare runs everything that cfg asks for and prints the tables to out and
// the progress to log.
func compare(ctx context.Context, cfg config, out, log io.Writer) error {
	fmt.Fprintf(out, "%s.\n", &cfg.Budget)
	plan := cfg.Plan
	plan.Log, plan.Keep = log, func(m *harness.Method) bool { return m.Name != "fm" }
	for _, p := range cfg.problems {
		plan.Problems = append(plan.Problems, harness.Conditional(p))
	}
	runs, _, err := plan.Run(ctx)
	if err := errors.Join(err, plan.Store.Close()); err != nil {
		return err
	}
	for _, p := range cfg.problems {
		printTables(out, cfg, p, harness.Samples(plan.Methods, p.Name, runs))
	}
	return nil
}

func parseFlags(args []string) (config, error) {
	var cfg config
	cfg.Budget, cfg.Names = harness.Budget{Seeds: 20, Trials: 150, Jobs: runtime.NumCPU()}, "fm,optuna-tpe,optuna-gp,tpe,random"
	flags := flag.NewFlagSet("conditional", flag.ContinueOnError)
	problemNames := flags.String("problem", "jenatton,pipeline,nested", "`names` of the problems, separated by commas")
	cfg.Flags(flags)
	flags.BoolVar(&cfg.edits, "edits", false, "compare trials after changes of the space with those of fresh studies")
	err := cfg.Parse(flags, args)
	if err != nil {
		return cfg, err
	}
	if cfg.problems, err = harness.Select(*problemNames, problems.Conditionals(), func(p *problems.Conditional) string { return p.Name }); err != nil {
		return cfg, err
	}
	err = cfg.Select(optuna()...)
	return cfg, err
}
