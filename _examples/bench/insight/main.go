// Insight measures what package insight says of studies of the FM sampler.
//
//	go run ./_examples/bench/insight -measure recommend -noise 0.1 -seeds 20 -trials 100
//
// compares, on functions and tables with Gaussian noise, the recommended configuration with
// that of the best observed trial, by their values without noise. The columns are
//
//	best observed, recommended   their mean regrets
//	difference                   mean ± standard error, paired by seed; negative where the recommendation is better
//	t, z                         of the difference, and of Wilcoxon's signed ranks
//	repeat                       how often one more trial there is said to be worth its cost
//	inside                       how often the truth is inside of the predicted interval
//	interval                     the mean score of the intervals (Gneiting and Raftery, Strictly proper
//	                             scoring rules, 2007, Eq. 43): their width, and 20 times what they miss
//	                             the truth by, in units of the distance from the optimum to the median
//
// With -again 5 the last ten trials measure the five best ones twice more.
//
//	go run ./_examples/bench/insight -measure stop -data DIR -seeds 20 -trials 200
//
// asks for the advice after 20, 25, 30, ... trials of each run and ends it at the
// first one to stop. It shows how many trials that takes at the median, which share
// of all is saved, and what is lost against going on to the end: the difference of
// the best values, in units of the distance from the optimum to the median of the
// space. Functions and tables of measurements (-data, or the environment variable
// FM_TABLES) are mixed: leave -table empty for functions alone.
//
//	go run ./_examples/bench/insight -measure cover -data DIR -seeds 5 -trials 200 -random
//
// shows how well trials are predicted, here those of random search; without -random they are
// those of the FM sampler, whose last trials are unlike the first. The columns are
//
//	left out           share of trials inside of the 90 % intervals that all others predict for them
//	not adjusted       the same without the adjustment of intervals
//	last quarter       share of the last trials inside of what the trials before predict
//	rank correlation   Spearman's, of predicted and observed values
//
// -studies names a directory for the trials of every run, as terminator.py reads
// them: it does the same as "-measure stop" with Optuna's terminator.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	harness.Budget
	measure  measure
	subjects []*subject
	noise    float64
	again    int // number of the best trials that are measured again
	random   bool
	studies  string
}

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	if cfg.studies != "" {
		if err := os.MkdirAll(cfg.studies, 0o777); err != nil {
			return err
		}
	}
	plan := harness.Plan{Budget: cfg.Budget, Methods: []*harness.Method{cfg.method()}, Log: log, Make: cfg.make}
	for _, s := range cfg.subjects {
		plan.Problems = append(plan.Problems, s.Problem)
	}
	runs, _, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s.\n\n", &cfg.Budget)
	harness.Print(out, cfg.measure.rows(cfg, runs))
	return nil
}

func (cfg config) method() *harness.Method {
	if cfg.random {
		return harness.Random()
	}
	return harness.FM("fm", "fm")
}

func parseFlags(args []string) (config, error) {
	cfg := config{Budget: harness.Budget{Seeds: 5, Trials: 100, Jobs: runtime.NumCPU()}}
	flags := flag.NewFlagSet("insight", flag.ContinueOnError)
	name := flags.String("measure", "recommend", "what is measured: recommend, stop or cover")
	functions := flags.String("problem", "", "`names` of functions, separated by commas, or none; by default some that suit the measure")
	tables := flags.String("table", "some", "`names` of tables, separated by commas; may be empty")
	data := flags.String("data", os.Getenv("FM_TABLES"), "`directory` of the tables; by default what FM_TABLES says")
	cfg.Budget.Flags(flags)
	flags.Float64Var(&cfg.noise, "noise", 0, "standard `deviation` of the noise on values; of tables as a normalised regret")
	flags.IntVar(&cfg.again, "again", 0, "`number` of the best trials that the last trials measure again, twice")
	flags.BoolVar(&cfg.random, "random", false, "search at random in place of the FM sampler")
	flags.StringVar(&cfg.studies, "studies", "", "`directory` for the trials of the runs")
	if err := cfg.Parse(flags, args); err != nil {
		return cfg, err
	}
	var known bool
	cfg.measure, known = measures[*name]
	switch {
	case !known:
		return cfg, fmt.Errorf("-measure is %q; need recommend, stop or cover", *name)
	case !(cfg.noise >= 0) || math.IsInf(cfg.noise, 1):
		return cfg, errors.New("-noise must be finite and not negative")
	case cfg.again < 0 || repeats*cfg.again >= cfg.Trials:
		return cfg, errors.New("-again must not be negative, and leave trials that are new")
	}
	if *functions == "" {
		*functions = cfg.measure.functions
	}
	if err := cfg.addFunctions(*functions); err != nil {
		return cfg, err
	}
	if *tables == "some" {
		*tables = cfg.measure.tables
	}
	if err := cfg.addTables(*data, *tables); err != nil {
		return cfg, err
	}
	if len(cfg.subjects) == 0 {
		return cfg, errors.New("-problem and -table name nothing to measure")
	}
	return cfg, nil
}

// addFunctions adds the functions of a list, or none.
func (cfg *config) addFunctions(list string) error {
	if list == "none" {
		return nil
	}
	functions, err := harness.Select(list, problems.All(), func(p *problems.Problem) string { return p.Name })
	if err != nil {
		return err
	}
	for _, f := range functions {
		s, err := newFunction(f)
		if err != nil {
			return err
		}
		cfg.subjects = append(cfg.subjects, s)
	}
	return nil
}

// addTables adds the tables of a list.
func (cfg *config) addTables(dir, list string) error {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	if dir == "" {
		return errors.New("-data or the environment variable FM_TABLES must name the directory of the tables (or leave -table empty)")
	}
	tables, err := lookup.ReadAll(dir, list)
	if err != nil {
		return err
	}
	for _, t := range tables {
		s, err := newTable(t)
		if err != nil {
			return err
		}
		cfg.subjects = append(cfg.subjects, s)
	}
	return nil
}
