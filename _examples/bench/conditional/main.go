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
// that are missing: the peers need to run once only. The file peers.csv beside
// this program was made so by Optuna 5.0:
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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	problems  []*problems.Conditional
	methods   []string
	firstSeed int64
	seeds     int
	trials    int
	python    string
	runsFile  string
	edits     bool
	markdown  bool
}

func main() {
	cfg, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil && cfg.edits {
		err = compareEdits(cfg, os.Stdout, os.Stderr)
	} else if err == nil {
		err = compare(cfg, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "conditional:", err)
		os.Exit(1)
	}
}

// compare runs everything that cfg asks for and prints the tables to out and
// the progress to log.
func compare(cfg config, out, log io.Writer) error {
	fmt.Fprintf(out, "Seeds %d to %d, %d trials each.\n", cfg.firstSeed, cfg.firstSeed+int64(cfg.seeds)-1, cfg.trials)
	runs, err := runAll(cfg, log)
	if err != nil {
		return err
	}
	for _, p := range cfg.problems {
		printTables(out, cfg, p, runs)
	}
	return nil
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("conditional", flag.ContinueOnError)
	names := flags.String("problem", "jenatton,pipeline,nested", "`names` of the problems, separated by commas")
	methods := flags.String("methods", strings.Join(methodNames(), ","), "`names` of the samplers, separated by commas")
	flags.Int64Var(&cfg.firstSeed, "first-seed", 0, "`seed` of the first run; the others follow")
	flags.IntVar(&cfg.seeds, "seeds", 20, "`number` of runs of each method on each problem")
	flags.IntVar(&cfg.trials, "trials", 150, "`number` of trials of a run")
	flags.StringVar(&cfg.python, "python", "python3", "`command` of the Python that has Optuna")
	flags.StringVar(&cfg.runsFile, "runs", "", "`file` with the runs of the methods other than fm, to read and to add to")
	flags.BoolVar(&cfg.edits, "edits", false, "compare trials after changes of the space with those of fresh studies")
	flags.BoolVar(&cfg.markdown, "markdown", false, "print the tables as Markdown")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if cfg.seeds < 1 || cfg.trials < 1 {
		return cfg, errors.New("-seeds and -trials must be at least 1")
	}
	for name := range strings.SplitSeq(*names, ",") {
		p, err := problems.ConditionalByName(strings.TrimSpace(name))
		if err != nil {
			return cfg, err
		}
		cfg.problems = append(cfg.problems, p)
	}
	for name := range strings.SplitSeq(*methods, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(methodNames(), name) {
			return cfg, fmt.Errorf("no method %q; there are %s", name, strings.Join(methodNames(), ", "))
		}
		cfg.methods = append(cfg.methods, name)
	}
	return cfg, nil
}
