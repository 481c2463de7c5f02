// Synthetic compares samplers on mixed-variable test functions with known
// optima: the FM-kernel sampler of this module, Goptuna's TPE, and random
// search.
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
// random, the same ones for each method. With -noise values come with Gaussian
// noise, the same for each method, and the tables show what the trial that looks
// best is worth without it.
//
// Values of problems that are distorted, as Hartmann6-mixed-huge, are shown on
// the scale of the problem behind them.
//
// A seed fixes every number of "fm" and "random". Goptuna's TPE draws some of
// its numbers from the global source of math/rand whatever its seed, so its
// rows differ from one call of this program to the next.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	problems    []*problems.Problem
	methods     []string
	workers     []int
	kills       int
	firstSeed   int64
	seeds       int
	trials      int
	startup     int
	modelTrials int
	reference   bool
	samples     int
	kernel      kernelBuilder // nil means the default
	flaky       float64
	noise       float64
	parallel    int
	csvFile     string
	markdown    bool
}

func main() {
	cfg, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = compare(cfg, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "synthetic:", err)
		os.Exit(1)
	}
}

// compare runs everything that cfg asks for and prints the tables to out and
// the progress to log.
func compare(cfg config, out, log io.Writer) error {
	fmt.Fprintf(out, "Seeds %d to %d, %d trials each, of which %d start-up trials; runs %d at a time, GOMAXPROCS=%d.\n",
		cfg.firstSeed, cfg.firstSeed+int64(cfg.seeds)-1, cfg.trials, cfg.startup, cfg.parallel, runtime.GOMAXPROCS(0))
	results, err := runAll(cfg, log)
	if err != nil {
		return err
	}
	for _, p := range cfg.problems {
		printTable(out, cfg, p, results)
	}
	return nil
}

// allKills returns the numbers of workers to be killed in the runs.
func (cfg config) allKills() []int {
	if cfg.kills == 0 {
		return []int{0}
	}
	return []int{0, cfg.kills}
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("synthetic", flag.ContinueOnError)
	names := flags.String("problem", "all", "`names` of the problems, separated by commas; all means func2c,func3c,ackley5c")
	methods := flags.String("methods", strings.Join(allMethods, ","), "`names` of the samplers, separated by commas")
	workers := flags.String("workers", "1", "`numbers` of simulated workers that share a study, separated by commas")
	flags.IntVar(&cfg.kills, "kills", 0, "`number` of workers that are killed and replaced in a run; then each is also done without")
	flags.IntVar(&cfg.seeds, "seeds", 5, "`number` of runs of each method on each problem")
	flags.Int64Var(&cfg.firstSeed, "first-seed", 0, "`seed` of the first run; the others follow")
	flags.IntVar(&cfg.trials, "trials", 100, "`number` of trials of a run")
	flags.IntVar(&cfg.startup, "startup", 10, "`number` of random trials with which fm and tpe start")
	flags.IntVar(&cfg.modelTrials, "model-trials", 0, "`number` of trials that the model of fm uses at most; 0 means its default")
	flags.BoolVar(&cfg.reference, "reference-fit", false, "fit fm's hyperparameters as the paper's implementation does")
	flags.IntVar(&cfg.samples, "slice-samples", 0, "`number` of samples of fm's hyperparameters to average over; 0 means the most probable ones")
	kernel := flags.String("kernel", "", "`name` of the kernel of fm: "+strings.Join(slices.Sorted(maps.Keys(kernels)), ", ")+"; its default if empty")
	flags.Float64Var(&cfg.flaky, "flaky", 0, "`share` of the trials that fail whatever their parameters")
	flags.Float64Var(&cfg.noise, "noise", 0, "standard `deviation` of the noise on values; what is shown is without")
	flags.IntVar(&cfg.parallel, "parallel", 2, "`number` of runs at once")
	flags.StringVar(&cfg.csvFile, "csv", "", "write every trial of every run to this `file`")
	flags.BoolVar(&cfg.markdown, "markdown", false, "print the tables as Markdown")
	if err := flags.Parse(args); err != nil {
		return cfg, err
	}
	if flags.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if cfg.seeds < 1 || cfg.trials < 1 || cfg.startup < 1 || cfg.parallel < 1 {
		return cfg, errors.New("-seeds, -trials, -startup and -parallel must be at least 1")
	}
	if cfg.modelTrials < 0 || cfg.samples < 0 || cfg.kills < 0 {
		return cfg, errors.New("-model-trials, -slice-samples and -kills must not be negative")
	}
	if *kernel != "" {
		build, ok := kernels[strings.ToLower(*kernel)]
		if !ok {
			return cfg, fmt.Errorf("no kernel %q; there are %s", *kernel, strings.Join(slices.Sorted(maps.Keys(kernels)), ", "))
		}
		cfg.kernel = build
	}
	if cfg.flaky < 0 || cfg.flaky >= 1 {
		return cfg, errors.New("-flaky must be at least 0 and less than 1")
	}
	if !(cfg.noise >= 0) || math.IsInf(cfg.noise, 1) {
		return cfg, errors.New("-noise must be finite and not negative")
	}
	if *names == "all" {
		*names = "func2c,func3c,ackley5c"
	}
	for name := range strings.SplitSeq(*names, ",") {
		p, err := problems.ByName(strings.TrimSpace(name))
		if err != nil {
			return cfg, err
		}
		cfg.problems = append(cfg.problems, p)
	}
	for name := range strings.SplitSeq(*methods, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(allMethods, name) {
			return cfg, fmt.Errorf("no method %q; there are %s", name, strings.Join(allMethods, ", "))
		}
		cfg.methods = append(cfg.methods, name)
	}
	for text := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return cfg, fmt.Errorf("%q is no number of workers; need at least 1", text)
		}
		cfg.workers = append(cfg.workers, n)
	}
	return cfg, nil
}
