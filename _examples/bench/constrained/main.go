// Constrained compares samplers on problems with constraints that are measured:
//
//	go run ./_examples/bench/constrained -methods fm,fm-failed,tpe,random -seeds 10
//
// There are seven formulas, mostly of engineering, and four families of problems that are drawn
// at random, one for each seed. -problems lists them, and -problem names some.
//
// To fm and to Optuna's samplers a trial says by how much it violates each constraint. To the
// others, and to fm-failed, the same sampler, a trial that violates one has failed. To
// fm-no-value it says by how much, but has no value there.
//
// The measure is the regret of the best feasible value so far: its distance from the optimum,
// divided by the distance of the median of random feasible points. It counts as 2 where it is
// more, and where no trial was feasible; how many runs were without one is the last table. The
// optimum of a problem that is drawn is the least value of any run that is shown, or of a
// search with a hundred thousand trials.
//
// Runs are kept with -runs FILE, and those that it has are not made again; peers.csv has those
// of Optuna's samplers. Two versions of the sampler stand there side by side, under names of
// their own:
//
//	go run ./_examples/bench/constrained -methods fm -label before -runs runs.csv # of the version before
//	go run ./_examples/bench/constrained -methods fm -label after -with before -runs runs.csv
//
// With -noise 0.03 there is noise in the values, and in what the limits are on, and another
// table: the regret, without noise, of Goptuna's best trial and of the configuration that
// package insight recommends. -value-noise gives the values another noise.
//
// With -workers 8 so many share a study in simulated time, where the sampler is fm, which is
// then fm-8-workers, or fm-failed.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

func main() { harness.Main(run) }

// run makes the runs, or reads them, and prints the tables.
func run(ctx context.Context, args []string, out, log io.Writer) (err error) {
	plan := harness.Comparison{Plan: harness.Plan{Budget: harness.Budget{Seeds: 10, Trials: 60, Jobs: runtime.NumCPU()}, Log: log}, Names: "fm,fm-failed,tpe,random"}
	flags := flag.NewFlagSet("constrained", flag.ContinueOnError)
	list := flags.Bool("problems", false, "list the problems, and do nothing else")
	noise := flags.Float64("noise", 0, "compare what fm recommends with the best trial where values and quantities have noise: its standard `deviation`, as a share of the range of the middle fifth of random points")
	valueNoise := flags.Float64("value-noise", 0, "the `deviation` of the noise in values, where it is not that of -noise")
	workers := flags.Int("workers", 1, "`number` of simulated workers that share a study")
	chosen := flags.String("problem", "all", "`names` of problems, separated by commas")
	plan.Flags(flags)
	if err := plan.Parse(flags, args); err != nil {
		return err
	}
	kinds, err := harness.Select(*chosen, kinds(), func(k kind) string { return k.name })
	if err != nil {
		return err
	}
	if *list {
		for _, k := range kinds {
			fmt.Fprintf(out, "%-8s %s\n", k.name, k.about)
		}
		return nil
	}
	if *workers < 1 {
		return fmt.Errorf("-workers is %d, need at least 1", *workers)
	}
	if *noise > 0 || *valueNoise > 0 {
		if *workers > 1 {
			return errors.New("with -noise there is one worker: leave out one of the two")
		}
		plan.Methods = []*harness.Method{plan.FM}
		return compareChoices(ctx, plan.Plan, kinds, noises{cmp.Or(*valueNoise, *noise), *noise}, out)
	}
	if *workers > 1 {
		plan.FM.Name += fmt.Sprintf("-%d-workers", *workers)
		plan.FM.Title = plan.FM.Name
	}
	variant := func(suffix string) *harness.Method {
		m := *plan.FM
		m.Name, m.Title, m.Group = plan.FM.Name+suffix, plan.FM.Name+suffix, "fm"+suffix
		return &m
	}
	failed, noValue := variant("-failed"), variant("-no-value")
	measures := map[*harness.Method]measured{plan.FM: measuredAll, failed: measuredNothing, noValue: measuredViolations}
	if err := plan.Select(append(peers.All(), failed, noValue)...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	selected := plan.Methods
	var runs []*harness.Run
	for _, m := range selected {
		plan.Methods = []*harness.Method{m}
		plan.ProblemsOf = func(seed int64) (problems []*harness.Problem, err error) {
			for _, k := range kinds {
				problems = append(problems, problem(k.draw(seed), measures[m]))
			}
			return problems, nil
		}
		plan.Make = nil
		if measured, ours := measures[m]; ours && *workers > 1 {
			plan.Make = func(ctx context.Context, r *harness.Run, sampler goptuna.Sampler) error {
				return share(ctx, problemOf(kinds, r), r, sampler, harness.Team{Workers: *workers}, plan.Trials, measured)
			}
		}
		made, _, err := plan.Run(ctx)
		if err != nil {
			return err
		}
		runs = append(runs, made...)
	}
	fmt.Fprintf(out, "%s; regret, mean ± standard error.\n", &plan.Budget)
	report(out, kinds, selected, &plan.Budget, runs)
	return nil
}
