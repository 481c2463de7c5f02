// Suggest measures what one suggestion of the FM sampler costs against
// the size of the history.
//
//	go run ./_examples/bench/suggest
//	go run ./_examples/bench/suggest -n all -csv cases.csv -png seconds.png
//	go run ./_examples/bench/suggest -space func3c -n 100,200 -peers
//
// There are three spaces: Func3C's (2 continuous parameters and 3 choices),
// service (15 parameters of a network service, of every kind) and nas (6
// continuous parameters, 12 choices with graphs). Each pair of a space and a
// number of trials is measured in a process of its own, on one core unless
// -procs says otherwise. The process fills a storage in memory with that many
// finished trials, half of them random and half around the best so far, asks
// for one suggestion, which includes the first fit, and then for ten more,
// each completed with the objective's value. The columns are
//
//	first    the suggestion that includes the first fit
//	median   of the ten after it
//	mean     of the ten after it
//	cpu      mean of the ten, in processor time: the one to trust on a busy
//	         machine
//	grown    one more, after the history has grown by a tenth at once: where
//	         ten trials are too few for a new fit, it shows what one costs
//	MB       allocated by one of the ten
//	allocs   allocations by one of the ten
//	peak MB  largest resident memory of the process, where /proc tells
//
// With -peers, Optuna's TPESampler and GPSampler get the same histories and
// objective in the same run, through Python. -python names the interpreter of
// a virtual environment that has them; what is missing is skipped. GPSampler
// needs seconds per suggestion from 1,000 trials on, so -peers-max leaves out
// larger histories.
//
// The default, -n 20 to 2000, takes a minute or two; -n all goes on to 20,000.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/_examples/bench/peers"
)

var (
	defaultSizes = []int{20, 50, 100, 200, 500, 1000, 2000}
	allSizes     = append(slices.Clone(defaultSizes), 5000, 20000)
)

// config is what the flags say.
type config struct {
	spaces      []*space
	sizes       []int // ascending numbers of trials
	suggestions int
	procs       int
	seed        int64
	csvFile     string
	pngFile     string

	peers    bool
	peersMax int
	python   string

	measure string // the case to measure in this process, as JSON; empty in the parent
}

func main() { harness.Main(run) }

// run measures everything and prints the tables; a process that run has started
// measures one case.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	cfg, err := parseFlags(args)
	if err != nil {
		return err
	}
	if cfg.measure != "" {
		return measureAndPrint(ctx, cfg.measure, out)
	}
	fmt.Fprintf(out, "%s %s/%s, GOMAXPROCS=%d, seed %d; first, and %d suggestions after it\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, cfg.procs, cfg.seed, cfg.suggestions)
	var others []*harness.Method
	if cfg.peers {
		if others, err = findPeers(ctx, cfg, out); err != nil {
			return err
		}
	}
	results, err := measureAll(ctx, cfg, others, log)
	if err != nil {
		return err
	}
	printTable(out, results)
	if len(others) > 0 {
		printRatios(out, others, results)
	}
	if cfg.csvFile != "" {
		if err := harness.WriteCSV(cfg.csvFile, csvRows(cfg, results)); err != nil {
			return err
		}
	}
	if cfg.pngFile != "" {
		return writePicture(cfg, results)
	}
	return nil
}

// findPeers returns Optuna's samplers as far as they are installed, and says on
// what they run, or how to get them.
func findPeers(ctx context.Context, cfg config, out io.Writer) (found []*harness.Method, err error) {
	for _, m := range peers.All() {
		if !strings.HasPrefix(m.Name, "optuna-") {
			continue
		}
		version, ok, err := m.Installed(ctx, harness.Setting{Problem: cfg.spaces[0].Problem, Python: cfg.python}, out)
		if err != nil {
			return nil, err
		}
		if ok {
			fmt.Fprintf(out, "%s: %s\n", m.Name, version)
			found = append(found, m)
		}
	}
	return found, nil
}

// measureAll measures one case after the other, each with fm and right after it
// with the peers, so that a slow minute of the machine hits all of them.
func measureAll(ctx context.Context, cfg config, others []*harness.Method, log io.Writer) ([]*result, error) {
	cases := len(cfg.spaces) * len(cfg.sizes)
	for _, n := range cfg.sizes {
		if n <= cfg.peersMax {
			cases += len(cfg.spaces) * len(others)
		}
	}
	progress := harness.NewProgress(log, cases, "cases")
	defer progress.Close()
	var results []*result
	add := func(r *result, err error) error {
		if err != nil {
			return err
		}
		progress.Step(1)
		progress.Printf("%-10s %-8s n=%-6d %s ms", r.Method, r.Space, r.N, milliseconds(r.mean()))
		for _, warning := range r.Warnings {
			progress.Printf("  warning: %s", warning)
		}
		results = append(results, r)
		return nil
	}
	for _, s := range cfg.spaces {
		for _, n := range cfg.sizes {
			c := benchCase{Space: s.Name, N: n, Suggestions: cfg.suggestions, Seed: cfg.seed}
			if err := add(measureInChild(ctx, c, cfg.procs)); err != nil {
				return nil, err
			}
			for _, m := range others {
				if n > cfg.peersMax {
					break
				}
				if err := add(measure(ctx, m, c, cfg.python, cfg.procs)); err != nil {
					return nil, fmt.Errorf("%s on %s, n=%d: %w", m.Name, s.Name, n, err)
				}
			}
		}
	}
	return results, nil
}

func parseFlags(args []string) (config, error) {
	var cfg config
	flags := flag.NewFlagSet("suggest", flag.ContinueOnError)
	spaceNames := flags.String("space", "func3c,service,nas", "`names` of the spaces, separated by commas")
	sizes := flags.String("n", join(defaultSizes), "`numbers` of finished trials, separated by commas; all means "+join(allSizes))
	flags.IntVar(&cfg.suggestions, "suggestions", 10, "`number` of suggestions to measure after the first")
	flags.IntVar(&cfg.procs, "procs", 1, "`number` of cores to use")
	flags.Int64Var(&cfg.seed, "seed", 1, "`seed` of the histories and of the samplers")
	flags.StringVar(&cfg.csvFile, "csv", "", "write all numbers to this `file`")
	flags.StringVar(&cfg.pngFile, "png", "", "plot seconds against trials to this `file`")
	flags.BoolVar(&cfg.peers, "peers", false, "measure Optuna's TPESampler and GPSampler on the same histories")
	flags.IntVar(&cfg.peersMax, "peers-max", 200, "largest `number` of trials for the peers")
	flags.StringVar(&cfg.python, "python", "python3", "`interpreter` that has optuna")
	flags.StringVar(&cfg.measure, "measure", "", "internal: measure this `case` only, in this process")
	err := harness.Parse(flags, args)
	if err != nil {
		return cfg, err
	}
	if cfg.suggestions < 1 || cfg.procs < 1 {
		return cfg, errors.New("-suggestions and -procs must be at least 1")
	}
	if cfg.spaces, err = harness.Select(*spaceNames, spaces, (*space).name); err != nil {
		return cfg, err
	}
	cfg.sizes, err = parseSizes(*sizes)
	return cfg, err
}

// parseSizes reads numbers of trials. They are at least 10, where the model
// takes over from the start-up trials.
func parseSizes(text string) ([]int, error) {
	if text == "all" {
		return allSizes, nil
	}
	var sizes []int
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 10 {
			return nil, fmt.Errorf("-n %q: need numbers from 10 on, separated by commas, or all", text)
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes), nil
}

func join(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ",")
}

// measureAndPrint is what the child process does: it measures the case with fm
// and prints the result, both as JSON.
func measureAndPrint(ctx context.Context, text string, out io.Writer) error {
	var c benchCase
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return fmt.Errorf("-measure: %w", err)
	}
	r, err := measure(ctx, harness.FM("fm", "fm"), c, "", 0)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}
