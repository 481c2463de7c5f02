// Synthetic compares samplers on mixed-variable test functions with known
// optima: the FM-kernel sampler of this module, Goptuna's TPE, random search, and
// the systems of package peers.
//
//	go run ./_examples/bench/synthetic -problem all -seeds 20 -trials 200
//
// It prints one table per problem: the best value so far after 30, 50, ...
// trials (mean ± standard error over the seeds), the spread at the end, and the
// seconds that the sampler needs for all parameters of one trial. Run with
// -parallel 1 when the seconds matter.
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
// and -slice-samples 10 find its hyperparameters as the paper's implementation
// does in its two modes.
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
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/c-bata/goptuna/tpe"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// config is what the flags say.
type config struct {
	harness.Budget
	problems []*problems.Problem
	methods  []*harness.Method
	teams    []team
	python   string
	startup  int
	flaky    float64
	outage   span
	penalty  float64
	noise    float64
	outliers float64
	csvFile  string
	markdown bool
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
	flags.IntVar(&cfg.startup, "startup", 0, "`number` of random trials with which fm and tpe start; 0 means their defaults")
	modelTrials := flags.Int("model-trials", 0, "`number` of trials that the model of fm uses at most; 0 means its default")
	reference := flags.Bool("reference-fit", false, "fit fm's hyperparameters as the paper's implementation does")
	samples := flags.Int("slice-samples", 0, "`number` of samples of fm's hyperparameters to average over; 0 means the most probable ones")
	kernel := flags.String("kernel", "", "`name` of the kernel of fm: "+strings.Join(slices.Sorted(maps.Keys(harness.Kernels)), ", ")+"; its default if empty")
	flags.Float64Var(&cfg.flaky, "flaky", 0, "`share` of the trials that fail whatever their parameters")
	flags.Var(&cfg.outage, "outage", "`numbers` of the trials that fail, as 20-40: from the first, without the last")
	flags.Float64Var(&cfg.penalty, "penalty", 0, "`value` that is reported of trials that fail; 0 means that they fail")
	flags.Float64Var(&cfg.noise, "noise", 0, "standard `deviation` of the noise on values; what is shown is without")
	flags.Float64Var(&cfg.outliers, "outliers", 0, "`share` of the values that are much too large, by exp(3+2z) with z from a standard normal distribution; what is shown is without")
	flags.StringVar(&cfg.python, "python", "python3", "`command` of the Python that has the peers")
	flags.StringVar(&cfg.csvFile, "csv", "", "write every trial of every run to this `file`")
	flags.BoolVar(&cfg.markdown, "markdown", false, "print the tables as Markdown")
	err := cfg.Parse(flags, args)
	switch {
	case err != nil:
		return cfg, err
	case cfg.startup < 0:
		return cfg, errors.New("-startup must not be negative")
	case *modelTrials < 0 || *samples < 0 || *kills < 0:
		return cfg, errors.New("-model-trials, -slice-samples and -kills must not be negative")
	case !(cfg.flaky >= 0 && cfg.flaky < 1):
		return cfg, errors.New("-flaky must be at least 0 and less than 1")
	case !(cfg.outliers >= 0 && cfg.outliers < 1):
		return cfg, errors.New("-outliers must be at least 0 and less than 1")
	case math.IsNaN(cfg.penalty) || math.IsInf(cfg.penalty, 0):
		return cfg, errors.New("-penalty must be finite")
	case !(cfg.noise >= 0) || math.IsInf(cfg.noise, 1):
		return cfg, errors.New("-noise must be finite and not negative")
	}
	options := []fm.SamplerOption{fm.SamplerOptionReferenceFit(*reference), fm.SamplerOptionSliceSampling(*samples)}
	var ofTPE []tpe.SamplerOption
	if cfg.startup > 0 {
		options = append(options, fm.SamplerOptionNumberOfStartupTrials(cfg.startup))
		ofTPE = append(ofTPE, tpe.SamplerOptionNumberOfStartupTrials(cfg.startup))
	}
	if *modelTrials > 0 {
		options = append(options, fm.SamplerOptionNumberOfModelTrials(*modelTrials))
	}
	if *kernel != "" {
		build, ok := harness.Kernels[strings.ToLower(*kernel)]
		if !ok {
			return cfg, fmt.Errorf("no kernel %q; there are %s", *kernel, strings.Join(slices.Sorted(maps.Keys(harness.Kernels)), ", "))
		}
		options = append(options, fm.SamplerOptionKernel(build))
	}
	methods := append([]*harness.Method{
		harness.FM("fm", "fm", options...),
		harness.TPE(ofTPE...),
		harness.Random(),
	}, peers.All()...)
	if cfg.methods, err = harness.SelectMethods(*methodNames, methods); err != nil {
		return cfg, err
	}
	if *problemNames == "all" {
		*problemNames = "func2c,func3c,ackley5c"
	}
	if cfg.problems, err = harness.Select(*problemNames, problems.All(), func(p *problems.Problem) string { return p.Name }); err != nil {
		return cfg, err
	}
	for text := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return cfg, fmt.Errorf("%q is no number of workers; need at least 1", text)
		}
		cfg.teams = append(cfg.teams, team{workers: n})
		if *kills > 0 {
			cfg.teams = append(cfg.teams, team{n, *kills})
		}
	}
	for _, m := range cfg.methods {
		if m.Group == peers.Group && (len(cfg.teams) > 1 || cfg.teams[0].workers > 1) {
			return cfg, fmt.Errorf("%s runs with one worker; leave out -workers and -kills, or %s", m.Name, m.Name)
		}
	}
	return cfg, nil
}
