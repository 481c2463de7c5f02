// Tables compares samplers on measurements that can be looked up: a trial reads
// the row of its configuration from a table.
//
//	go run ./_examples/bench/tables -data DIR -methods fm,tpe,random -seeds 10 -trials 100
//
// A table NAME is two files in the directory: NAME.csv with the rows and
// NAME.space.json with the parameters (name, type, and choices, values, or low,
// high and log), the objective (column, direction) and the lookup. Where that is
// "exact" the table is a grid, and a trial of a cell without a row, or whose
// objective is empty, fails. Every other table is a sample, and the nearest row
// counts: in the sum over the parameters of squared differences, each as a share
// of the parameter's range (of logarithms on a logarithmic scale, of the number
// of levels of an ordinal parameter), where different choices count 1.
//
// Ordinal parameters are asked for as integers, the indices of their values, or
// with -ordinals choice as choices that read as numbers; the methods have
// "-choice" after their names then. With -conditional, and after their names, a
// parameter is not asked for where the rows have one value of it beside one of the
// choices before it. With -idle 15, and "-idle15" after their names, a trial has
// fifteen parameters more, which do nothing. With -noise 0.1, and "-noise0.1" after
// their names, values come with Gaussian noise, a tenth of the distance from the
// table's median to its optimum, the same for each method; the tables show what the
// trial that looks best is worth without it.
//
// The measure is the normalised regret of the best value so far: its distance
// from the optimum, divided by the distance of the table's median. Before the first
// success the worst row counts. For each table the program prints its
// mean ± standard error after 10, 20, 30, 50 and 100 trials, and "expected": what
// random search without repetitions has in the mean, computed exactly, with
// cells that fail as trials. Then come the mean over the grids, the mean ranks of
// the methods with the critical difference, and differences between two methods
// paired by seed (-pair). A directory (-out) gets a picture for each table and
// summary.png.
//
// Runs go to a CSV file (-runs) as they end, and those that it has are not made
// again. So variants stand side by side:
//
//	go run ./_examples/bench/tables -data DIR -methods fm -label fm-slice8 -slice 8 -with fm
//
// -with names methods whose runs are in that file, or in those of -read, and are
// to be shown, too. The file peers.csv beside this program has the runs of other
// systems, with their versions.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

// config is what the flags say.
type config struct {
	harness.Comparison
	data    string
	names   string   // of the tables
	choices bool     // ordinal parameters are categorical
	tree    bool     // parameters with one value are not asked for
	idle    int      // further parameters, which do nothing
	noise   float64  // standard deviation, as a normalised regret
	pair    []string // of two methods; may be nil
	out     string
}

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	tables, err := lookup.ReadAll(cfg.data, cfg.names)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cfg.out, 0o777); err != nil {
		return err
	}
	runs, err := makeRuns(ctx, cfg, tables, log)
	if err != nil {
		return err
	}
	r := newReport(cfg, tables, runs)
	fmt.Fprintf(out, "%s; normalised regret, mean ± standard error.\n", &cfg.Budget)
	r.print(out)
	return r.draw(cfg.out)
}

// makeRuns returns the runs of the methods, made or read.
func makeRuns(ctx context.Context, cfg config, tables []*lookup.Table, log io.Writer) (runs []*harness.Run, err error) {
	plan := cfg.Plan
	plan.Log = log
	if plan.Store, err = harness.OpenStore(cfg.Runs, cfg.Read...); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, plan.Store.Close()) }()
	for _, t := range tables {
		problem := t.Problem
		if cfg.tree {
			problem = t.Conditional
		}
		p, err := problem(cfg.choices)
		if err != nil {
			return nil, err
		}
		if cfg.idle > 0 {
			p = lookup.WithIdle(p, cfg.idle)
		}
		p.Noise = cfg.noise * (t.Median - t.Optimum)
		plan.Problems = append(plan.Problems, p)
	}
	if runs, _, err = plan.Run(ctx); err != nil {
		return nil, err
	}
	for _, name := range cfg.With {
		before := len(runs)
		for _, t := range tables {
			runs = append(runs, plan.Store.FindAll(t.Name, name, &cfg.Budget)...)
		}
		if len(runs) == before {
			return nil, fmt.Errorf("-with: there is no run of %s on these tables with these seeds and %d trials", name, cfg.Trials)
		}
	}
	return runs, nil
}

func parseFlags(args []string) (config, error) {
	var cfg config
	cfg.Budget = harness.Budget{Seeds: 10, Trials: 100, Jobs: runtime.NumCPU()}
	flags := flag.NewFlagSet("tables", flag.ContinueOnError)
	flags.StringVar(&cfg.data, "data", os.Getenv("FM_TABLES"), "`directory` of the tables; by default what FM_TABLES says")
	flags.StringVar(&cfg.names, "table", "all", "`names` of the tables, separated by commas")
	harness.ListVar(flags, &cfg.pair, "pair", "`names` of the two methods to be compared by seed; by default the first two")
	ordinals := flags.String("ordinals", "int", "`kind` of ordinal parameters: int, the index of the value, or choice, a choice that reads as a number")
	flags.BoolVar(&cfg.tree, "conditional", false, "do not ask for a parameter where the rows have one value of it beside a choice")
	flags.IntVar(&cfg.idle, "idle", 0, "`number` of further parameters, which do nothing")
	flags.Float64Var(&cfg.noise, "noise", 0, "standard `deviation` of the noise on values, as a normalised regret; what is shown is without")
	flags.StringVar(&cfg.out, "out", "tables-out", "`directory` for pictures, and for runs.csv, the file of -runs where none is named")
	cfg.Flags(flags)
	if err := cfg.Parse(flags, args); err != nil {
		return cfg, err
	}
	if cfg.data == "" {
		return cfg, errors.New("-data or the environment variable FM_TABLES must name the directory of the tables")
	}
	if *ordinals != "int" && *ordinals != "choice" {
		return cfg, fmt.Errorf("-ordinals is %q; need int or choice", *ordinals)
	}
	if cfg.idle < 0 {
		return cfg, errors.New("-idle must not be negative")
	}
	if !(cfg.noise >= 0) || math.IsInf(cfg.noise, 1) {
		return cfg, errors.New("-noise must be finite and not negative")
	}
	if cfg.Runs == "" {
		cfg.Runs = filepath.Join(cfg.out, "runs.csv")
	}
	cfg.choices = *ordinals == "choice"
	err := cfg.setMethods()
	if err == nil {
		err = cfg.setPair()
	}
	return cfg, err
}

// setMethods selects the methods that are run.
func (cfg *config) setMethods() (err error) {
	if cfg.Names != "" {
		all := append([]*harness.Method{cfg.FM, harness.TPE(), harness.Random()}, peers.All()...)
		if cfg.Methods, err = harness.SelectMethods(cfg.Names, all); err != nil {
			return err
		}
	}
	for _, m := range cfg.Methods {
		if cfg.choices {
			m.Name += "-choice"
		}
		if cfg.tree {
			m.Name += "-conditional"
		}
		if cfg.idle > 0 {
			m.Name += fmt.Sprintf("-idle%d", cfg.idle)
		}
		if cfg.noise > 0 {
			m.Name += fmt.Sprintf("-noise%g", cfg.noise)
		}
		m.Title = m.Name
		if slices.Contains(cfg.With, m.Name) {
			return fmt.Errorf("%s is in -methods and in -with", m.Name)
		}
	}
	if len(cfg.shown()) == 0 {
		return errors.New("-methods or -with must name a method")
	}
	return nil
}

// setPair chooses the methods to be compared by seed; of a single method there are none.
func (cfg *config) setPair() error {
	shown := cfg.shown()
	switch {
	case cfg.pair == nil && len(shown) > 1:
		cfg.pair = shown[:2]
	case cfg.pair != nil && len(cfg.pair) != 2:
		return fmt.Errorf("-pair is %q; need two names", strings.Join(cfg.pair, ","))
	}
	for _, name := range cfg.pair {
		if !slices.Contains(shown, name) {
			return fmt.Errorf("-pair: %s is not among %s", name, strings.Join(shown, ", "))
		}
	}
	return nil
}

// shown returns the names of the methods in the order of the tables.
func (cfg *config) shown() []string {
	var names []string
	for _, m := range cfg.Methods {
		names = append(names, m.Name)
	}
	return append(names, cfg.With...)
}
