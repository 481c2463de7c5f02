// Pruning measures what a sampler makes of pruned trials, at equal cost: on test
// functions whose value is reached in steps, with a median pruner that prunes
// half of the trials after a quarter of their steps, a study ends when it has
// spent its steps, not when it has had its trials.
//
//	go run ./_examples/bench/pruning -seeds 20
//
// "fm without pruned" is the FM-kernel sampler of this module when it does not
// see pruned trials, "fm" when it does. "fm, no pruner" completes every trial. The table has
// the best value of a complete trial when a quarter, a half, ... of the steps
// are spent, mean ± standard error over the seeds, the difference at the end from
// the first method, paired by seed, and the share of trials pruned.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	harness.Budget // a trial is as many steps as a complete one takes
	problems       []*problems.Curve
	methods        []*method // the first is what others are compared with
}

func main() { harness.Main(run) }

func parseFlags(args []string) (config, error) {
	cfg := config{Budget: harness.Budget{Seeds: 5, Trials: 60, Jobs: 2}}
	flags := flag.NewFlagSet("pruning", flag.ContinueOnError)
	problemNames := flags.String("problem", "all", "`names` of the problems, separated by commas")
	methodNames := flags.String("methods", "all", "`names` of the methods, separated by commas: fm without pruned, fm, fm no pruner, tpe")
	cfg.Budget.Flags(flags)
	err := cfg.Parse(flags, args)
	if err != nil {
		return cfg, err
	}
	if cfg.Seeds < 2 || cfg.Trials < 12 {
		return cfg, errors.New("need at least 2 -seeds and 12 -trials")
	}
	if cfg.problems, err = harness.Select(*problemNames, problems.Curves(), func(p *problems.Curve) string { return p.Name }); err != nil {
		return cfg, err
	}
	cfg.methods, err = harness.Select(*methodNames, methods, func(m *method) string { return m.Name })
	return cfg, err
}

// run runs all and prints a table per problem.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Seeds %d to %d, as many steps as %d complete trials take.\n", cfg.FirstSeed, cfg.FirstSeed+int64(cfg.Seeds)-1, cfg.Trials)
	curves := map[string]*problems.Curve{}
	plan := harness.Plan{Budget: cfg.Budget, Log: log}
	for _, p := range cfg.problems {
		curves[p.Name] = p
		plan.Problems = append(plan.Problems, harness.Function(p.Problem))
	}
	views := map[string]*method{}
	for _, m := range cfg.methods {
		views[m.Name] = m
		plan.Methods = append(plan.Methods, m.Method)
	}
	plan.Make = func(ctx context.Context, r *harness.Run, sampler goptuna.Sampler) error {
		return (&study{Run: r, curve: curves[r.Problem], method: views[r.Method]}).do(ctx, sampler, cfg.Trials)
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	for _, p := range cfg.problems {
		fmt.Fprintf(out, "\n%s, optimum %.6g\n\n", p.Name, p.Optimum)
		harness.Print(out, rows(cfg, harness.Samples(plan.Methods, p.Name, runs)))
	}
	return nil
}

// quarters is how often a study is looked at.
const quarters = 4

// rows returns the table of a problem.
func rows(cfg config, samples []harness.Sample) [][]string {
	columns := []harness.Column{harness.Title("method")}
	for q := 1; q <= quarters; q++ {
		columns = append(columns, harness.BestAt([]int{cfg.Trials * q / quarters}, 0, 4)...)
		columns[q].Title = fmt.Sprintf("%d/%d", q, quarters)
	}
	difference := harness.LessThatOf(samples[0], []int{cfg.Trials}, 4)[0]
	difference.Title = "paired difference"
	pruned := harness.Mean("pruned", 4, func(r *harness.Run) float64 { return r.Numbers["pruned"] })
	return harness.Rows(samples, append(columns, difference, pruned)...)
}
