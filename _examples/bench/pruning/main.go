// Pruning measures what a sampler makes of pruned trials, at equal cost: on test
// functions whose value is reached in steps, with a median pruner that prunes
// half of the trials after a quarter of their steps, a study ends when it has
// spent its steps, not when it has had its trials.
//
//	go run ./_examples/bench/pruning -seeds 20
//
// "fm without pruned" is the FM-kernel sampler of this module when it does not
// see pruned trials, "fm without curves" when it does not see their intermediate
// values, "fm" when it sees all. "fm, no pruner" completes every trial. The table has
// the best value of a complete trial when a quarter, a half, ... of the steps
// are spent, mean ± standard error over the seeds, the difference at the end from
// the first method, paired by seed, and the share of trials pruned.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	problems  []*problems.Curve
	methods   []method // the first is what others are compared with
	firstSeed int64
	seeds     int
	trials    int // complete trials that the steps would do for
	parallel  int
}

func main() {
	cfg, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = compare(cfg, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pruning:", err)
		os.Exit(1)
	}
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("pruning", flag.ContinueOnError)
	names := flags.String("problem", "all", "`names` of the problems, separated by commas")
	wanted := flags.String("methods", "all", "`names` of the methods, separated by commas")
	flags.IntVar(&cfg.seeds, "seeds", 5, "`number` of runs of each method on each problem")
	flags.Int64Var(&cfg.firstSeed, "first-seed", 0, "`seed` of the first run; the others follow")
	flags.IntVar(&cfg.trials, "trials", 60, "`number` of complete trials that the steps of a study would do for")
	flags.IntVar(&cfg.parallel, "parallel", 2, "`number` of runs at once")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if cfg.seeds < 2 || cfg.trials < 12 || cfg.parallel < 1 {
		return cfg, errors.New("need at least 2 -seeds, 12 -trials and 1 for -parallel")
	}
	var known []string
	for _, p := range problems.Curves() {
		known = append(known, p.Name)
		if *names == "all" || contains(*names, p.Name) {
			cfg.problems = append(cfg.problems, p)
		}
	}
	for _, m := range methods {
		if *wanted == "all" || contains(*wanted, m.name) {
			cfg.methods = append(cfg.methods, m)
		}
	}
	if len(cfg.methods) == 0 {
		return cfg, fmt.Errorf("no method %q", *wanted)
	}
	if len(cfg.problems) == 0 {
		return cfg, fmt.Errorf("no problem %q; there are %s", *names, strings.Join(known, ", "))
	}
	return cfg, nil
}

// contains reports whether a list separated by commas has the name, ignoring case.
func contains(list, name string) bool {
	for entry := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.TrimSpace(entry), name) {
			return true
		}
	}
	return false
}

// compare runs all and prints a table per problem.
func compare(cfg config, out io.Writer) error {
	fmt.Fprintf(out, "Seeds %d to %d, as many steps as %d complete trials take.\n", cfg.firstSeed, cfg.firstSeed+int64(cfg.seeds)-1, cfg.trials)
	for _, p := range cfg.problems {
		outcomes := make([][]outcome, len(cfg.methods))
		for i := range outcomes {
			outcomes[i] = make([]outcome, cfg.seeds)
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		var firstErr error
		places := make(chan struct{}, cfg.parallel)
		for seed := range cfg.seeds {
			for i, m := range cfg.methods {
				wg.Add(1)
				places <- struct{}{}
				go func() {
					defer wg.Done()
					o, err := run(p, m, cfg.firstSeed+int64(seed), cfg.trials*p.Steps)
					<-places
					mu.Lock()
					defer mu.Unlock()
					outcomes[i][seed] = o
					if err != nil && firstErr == nil {
						firstErr = fmt.Errorf("%s, %s, seed %d: %w", p.Name, m.name, seed, err)
					}
				}()
			}
		}
		wg.Wait()
		if firstErr != nil {
			return firstErr
		}
		printTable(out, cfg, p, outcomes)
	}
	return nil
}

func printTable(out io.Writer, cfg config, p *problems.Curve, outcomes [][]outcome) {
	fmt.Fprintf(out, "\n%s, optimum %.6g\n\n", p.Name, p.Optimum)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "method")
	for q := range quarters {
		fmt.Fprintf(w, "\t%d/%d", q+1, quarters)
	}
	fmt.Fprintln(w, "\tpaired difference\tpruned")
	for i, m := range cfg.methods {
		fmt.Fprint(w, m.name)
		for q := range quarters {
			fmt.Fprintf(w, "\t%s", meanAndError(outcomes[i], func(k int) float64 { return outcomes[i][k].best[q] }))
		}
		fmt.Fprintf(w, "\t%s", meanAndError(outcomes[i], func(k int) float64 {
			return outcomes[i][k].best[quarters-1] - outcomes[0][k].best[quarters-1]
		}))
		fmt.Fprintf(w, "\t%s\n", meanAndError(outcomes[i], func(k int) float64 { return outcomes[i][k].pruned }))
	}
	w.Flush()
}

// meanAndError prints the mean of the runs' numbers and its standard error.
func meanAndError(runs []outcome, number func(k int) float64) string {
	var mean, squares float64
	n := float64(len(runs))
	for k := range runs {
		mean += number(k) / n
	}
	for k := range runs {
		squares += (number(k) - mean) * (number(k) - mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", mean, math.Sqrt(squares/(n-1)/n))
}
