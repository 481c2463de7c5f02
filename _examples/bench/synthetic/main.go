// Synthetic compares samplers on mixed-variable test functions with known
// optima: the FM-kernel sampler of this module, Goptuna's TPE, random search, and
// the systems of package peers.
//
//	go run ./_examples/bench/synthetic -problem all -seeds 20 -trials 200
//
// It prints one table per problem: the best value so far after 30, 50, ...
// trials (mean ± standard error over the seeds), the spread at the end, and the
// seconds that the sampler needs for all parameters of one trial. Run with
// -jobs 1 when the seconds matter.
//
//	go run ./_examples/bench/synthetic -methods fm -workers 1,8,16
//
// compares a single worker with 8 and with 16 that share a study. Nobody waits
// for them: the time of a trial is simulated, between 0.5 and 1.5, and trials
// count in the order in which they end. A second table per problem shows how
// much sooner all trials are done, and how many trials, and rounds of one trial
// per worker, it takes to get what one worker has after 100 trials ("?" when 1
// is not among the numbers).
//
//	go run ./_examples/bench/synthetic -methods fm -kernel prodlap
//
// takes another kernel of the paper's comparison in place of ModLap; -reference-fit
// and -slice 10 find its hyperparameters as the paper's implementation
// does in its two modes. -startup is for Goptuna's TPE, too.
//
//	go run ./_examples/bench/synthetic -problem func3c -methods fm -workers 8 -kills 2 -seeds 40 -trials 200
//
// does each run twice. In one, two workers are killed at random moments and
// replaced: nobody ends their trials, and the sampler has to find out by the
// time they take. The last table compares the areas over the curves of the best
// value so far.
//
//	go run ./_examples/bench/synthetic -problem func3c-category,hartmann6-mixed-edge
//
// has a third of the space fail. The tables of problems that have failed say
// what share of the trials did from the 41st on. With -flaky trials fail at
// random, the same ones for each method, and with -outage 20-40 so do the 21st to the
// 40th whatever their parameters. With -penalty 1e9 all of them report that value
// instead. With -noise values come with Gaussian
// noise, the same for each method, and the tables show what the trial that looks
// best is worth without it; with -outliers a share of the values is much too large.
//
//	go run ./_examples/bench/synthetic -problem g-mixed -methods fm,optuna-gp,optuna-tpe -python PYTHON
//
// compares with systems in Python, by one worker.
//
// Values of problems that are distorted, as Hartmann6-mixed-huge, are shown on
// the scale of the problem behind them.
//
// A seed fixes every number of "fm" and "random". Goptuna's TPE draws some of
// its numbers from the global source of math/rand whatever its seed, so its
// rows differ from one call of this program to the next.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	harness.Budget
	problems []*problems.Problem
	methods  []*harness.Method
	teams    []harness.Team
	python   string
	disturbance
	csvFile string
}

func main() { harness.Main(compare) }

// compare runs everything and prints the tables.
func compare(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s; runs %d at a time, GOMAXPROCS=%d.\n", &cfg.Budget, cfg.Jobs, runtime.GOMAXPROCS(0))
	rows, runs, err := runAll(ctx, cfg, log)
	if err != nil {
		return err
	}
	for _, p := range cfg.problems {
		printTables(out, cfg, p, samples(rows, p.Name, runs))
	}
	return nil
}

func parseFlags(args []string) (config, error) {
	cfg := config{Budget: harness.Budget{Seeds: 5, Trials: 100, Jobs: 2}}
	flags := flag.NewFlagSet("synthetic", flag.ContinueOnError)
	problemNames := flags.String("problem", "all", "`names` of the problems, separated by commas; all means func2c,func3c,ackley5c")
	methodNames := flags.String("methods", "fm,tpe,random", "`names` of the samplers, separated by commas")
	workers := flags.String("workers", "1", "`numbers` of simulated workers that share a study, separated by commas")
	cfg.Budget.Flags(flags)
	kills := flags.Int("kills", 0, "`number` of workers that are killed and replaced in a run; then each is also done without")
	var v harness.Variant
	v.Flags(flags)
	cfg.disturbance.flags(flags)
	flags.StringVar(&cfg.python, "python", "python3", "`command` of the Python that has the peers")
	flags.StringVar(&cfg.csvFile, "csv", "", "write every trial of every run to this `file`")
	err := cfg.Parse(flags, args)
	switch {
	case err != nil:
		return cfg, err
	case *kills < 0:
		return cfg, errors.New("-kills must not be negative")
	}
	if err := cfg.disturbance.check(); err != nil {
		return cfg, err
	}
	ours, err := v.Method("fm")
	if err != nil {
		return cfg, err
	}
	var ofTPE []tpe.SamplerOption
	if v.Startup > 0 {
		ofTPE = append(ofTPE, tpe.SamplerOptionNumberOfStartupTrials(v.Startup))
	}
	methods := append([]*harness.Method{ours, harness.TPE(ofTPE...), harness.Random()}, peers.All()...)
	if cfg.methods, err = harness.SelectMethods(*methodNames, methods); err != nil {
		return cfg, err
	}
	if *problemNames == "all" {
		*problemNames = "func2c,func3c,ackley5c"
	}
	if cfg.problems, err = harness.Select(*problemNames, problems.All(), func(p *problems.Problem) string { return p.Name }); err != nil {
		return cfg, err
	}
	if cfg.teams, err = parseTeams(*workers, *kills); err != nil {
		return cfg, err
	}
	for _, m := range cfg.methods {
		if m.Group == peers.Group && (len(cfg.teams) > 1 || cfg.teams[0].Workers > 1) {
			return cfg, fmt.Errorf("%s runs with one worker; leave out -workers and -kills, or %s", m.Name, m.Name)
		}
	}
	return cfg, nil
}

// parseTeams returns a team for each number of workers, with kills a second one.
func parseTeams(workers string, kills int) (teams []harness.Team, err error) {
	for text := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of workers; need at least 1", text)
		}
		teams = append(teams, harness.Team{Workers: n})
		if kills > 0 {
			teams = append(teams, harness.Team{Workers: n, Kills: kills})
		}
	}
	return teams, nil
}
