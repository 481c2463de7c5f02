// Overview makes what the README shows of the sampler beside others: a picture,
// and a table of real tasks. All of it comes from files of runs that are part of
// the repository.
//
//	go run ./_examples/bench/overview            # prints the tables
//	go run ./_examples/bench/overview -write     # puts them and the picture into the documents
//
// The runs on real tasks are those of ./_examples/bench/tables, whose files stand
// beside that program; their values are normalised regrets. The runs on Ackley5C
// are made here where their file lacks some, by the methods of -run:
//
//	go run ./_examples/bench/overview -run fm,tpe,random,optuna-tpe,optuna-gp,smac -python PYTHON
//
// To make them again, as for another version of the sampler, delete their lines.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// config is what the flags say.
type config struct {
	harness.Budget
	root      string // directory of the repository
	functions string // file of runs on test functions
	run       []*harness.Method
	python    string
	write     bool
}

// methods are those that are shown, in the order of tables and pictures.
var methods = []*harness.Method{
	{Name: "fm", Title: "goptuna-fm"},
	{Name: "smac", Title: "SMAC3"},
	{Name: "optuna-gp", Title: "Optuna GP"},
	{Name: "optuna-tpe", Title: "Optuna TPE"},
	{Name: "tpe", Title: "Goptuna TPE"},
	{Name: "random", Title: "random"},
}

// slow are those that take minutes for a run, and have a table of their own: on
// slowTasks, with the first slowSeeds seeds.
var (
	slow = []*harness.Method{
		{Name: "botorch", Title: "BoTorch"},
		{Name: "ax", Title: "Ax"},
		{Name: "hebo", Title: "HEBO"},
	}
	slowTasks = []string{"gpu_pnpoly_rtx3090", "mongodb", "nasbench201", "postgresql"}
)

const slowSeeds = 5

func main() { harness.Main(run) }

func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	functions, err := ackleyRuns(ctx, cfg, log)
	if err != nil {
		return err
	}
	real, err := tableRuns(cfg)
	if err != nil {
		return err
	}
	r := &report{cfg, tasks, methods, real, functions}
	few := r.beside()
	if !cfg.write {
		_, err := fmt.Fprintf(out, "%s\n%s\n%s", r.short(), r.long(), few.long())
		return err
	}
	for path, texts := range map[string][]string{"README.md": {r.short()}, "docs/benchmarks.md": {r.long(), few.long()}} {
		if err := replaceBlocks(filepath.Join(cfg.root, path), texts); err != nil {
			return err
		}
	}
	return r.draw(filepath.Join(cfg.root, "docs/images/overview.png"))
}

func parseFlags(args []string) (config, error) {
	cfg := config{Budget: harness.Budget{Seeds: 10, Trials: 100, Jobs: runtime.NumCPU()}}
	flags := flag.NewFlagSet("overview", flag.ContinueOnError)
	flags.StringVar(&cfg.root, "root", ".", "`directory` of the repository")
	flags.StringVar(&cfg.functions, "functions", "_examples/bench/overview/ackley5c.csv", "`file` of the runs on Ackley5C, from -root")
	names := flags.String("run", "", "`names` of the methods whose missing runs on Ackley5C are made, separated by commas")
	flags.StringVar(&cfg.python, "python", "python3", "`command` of the Python that has the peers")
	flags.BoolVar(&cfg.write, "write", false, "write the tables and the picture into the documents")
	cfg.Budget.Flags(flags)
	if err := cfg.Parse(flags, args); err != nil {
		return cfg, err
	}
	if *names == "" {
		return cfg, nil
	}
	all := append([]*harness.Method{harness.FM("fm", "fm"), harness.TPE(), harness.Random()}, peers.All()...)
	var err error
	cfg.run, err = harness.SelectMethods(*names, all)
	return cfg, err
}

// ackleyRuns returns the runs on Ackley5C, made or read.
func ackleyRuns(ctx context.Context, cfg config, log io.Writer) ([]*harness.Run, error) {
	problem := harness.Function(problems.Ackley5C())
	store, err := harness.OpenStore(filepath.Join(cfg.root, cfg.functions))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	plan := harness.Plan{
		Budget: cfg.Budget, Problems: []*harness.Problem{problem}, Methods: cfg.run, Python: cfg.python, Store: store, Log: log,
	}
	if _, _, err := plan.Run(ctx); err != nil {
		return nil, err
	}
	return cfg.find(store, problem.Name), nil
}

// tableRuns returns the runs on real tasks.
func tableRuns(cfg config) ([]*harness.Run, error) {
	paths, err := filepath.Glob(filepath.Join(cfg.root, "_examples/bench/tables/*.csv"))
	if err != nil {
		return nil, err
	}
	store, err := harness.OpenStore("", paths...)
	if err != nil {
		return nil, err
	}
	var runs []*harness.Run
	for _, t := range tasks {
		runs = append(runs, cfg.find(store, t.name)...)
	}
	return runs, nil
}

// find returns the runs of all methods on a problem.
func (cfg config) find(store *harness.Store, problem string) (runs []*harness.Run) {
	for _, m := range slices.Concat(methods, slow) {
		runs = append(runs, store.FindAll(problem, m.Name, &cfg.Budget)...)
	}
	return runs
}

// The lines of a document between which the tables stand.
const (
	blockBegin = "<!-- begin: go run ./_examples/bench/overview -write -->\n"
	blockEnd   = "<!-- end -->\n"
)

// replaceBlocks puts the texts into the blocks of a document, in their order.
func replaceBlocks(path string, texts []string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var done strings.Builder
	rest := string(document)
	for _, text := range texts {
		before, block, ok := strings.Cut(rest, blockBegin)
		_, after, closed := strings.Cut(block, blockEnd)
		if !ok || !closed {
			return fmt.Errorf("%s has fewer than %d blocks %q ... %q", path, len(texts), blockBegin, blockEnd)
		}
		done.WriteString(before + blockBegin + text + blockEnd)
		rest = after
	}
	return os.WriteFile(path, []byte(done.String()+rest), 0o666)
}
