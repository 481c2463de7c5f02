// Conditional chooses a model for a table and tunes it, in one study: which of four models, and the settings that the
// chosen one has.
//
//	go run ./_examples/conditional
//
// Goptuna needs no declaration of such a tree: the objective asks for what it needs, and the FM sampler learns from the
// trials what follows from what. The table has 640 measurements of a simulated multiprocessor; the models predict how busy
// its processors are. See data.go for its source, and docs/conditional.md for what the sampler makes of the tree.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

func main() {
	trials := flag.Int("trials", 80, "number of trials to run")
	seed := flag.Int64("seed", 1, "seed of the sampler")
	sampler := flag.String("sampler", "fm", "fm, or tpe or random to compare")
	path := flag.String("db", "", "SQLite file to keep the study in; without one, it is in memory")
	flag.Parse()
	if err := run(os.Stdout, *path, *sampler, *seed, *trials); err != nil {
		fmt.Fprintln(os.Stderr, "conditional:", err)
		os.Exit(1)
	}
}

// A tuner is what stays the same from trial to trial.
type tuner struct{ table table }

// objective is one trial: it asks which model to fit, and returns the error of that model on rows that it was not fitted
// to, in percentage points.
func (t tuner) objective(_ context.Context, trial goptuna.Trial) (float64, error) {
	// This is a setting of all models.
	loads, err := trial.SuggestCategorical("loads", []string{"linear", "log"})
	if err != nil {
		return 0, err
	}
	model, err := trial.SuggestCategorical("model", []string{"polynomial", "neighbours", "kernel", "features"})
	if err != nil {
		return 0, err
	}
	// And these are the branches: each asks for settings of its own.
	var fit fitter
	switch model {
	case "polynomial":
		fit, err = suggestPolynomial(trial)
	case "neighbours":
		fit, err = suggestNeighbours(trial)
	case "kernel":
		fit, err = suggestKernel(trial)
	case "features":
		fit, err = suggestFeatures(trial)
	}
	if err != nil {
		return 0, err
	}
	// How far apart two categories are, compared with the numbers: a polynomial is indifferent to that, the others share
	// it. It is asked for last, but could be anywhere.
	weight := 1.
	if model != "polynomial" {
		if weight, err = trial.SuggestLogFloat("category_weight", 0.1, 10); err != nil {
			return 0, err
		}
	}
	return crossValidate(t.table.encode(loads == "log", weight), fit)
}

func suggestPolynomial(trial goptuna.Trial) (fitter, error) {
	degree, err := trial.SuggestInt("polynomial_degree", 1, 3)
	if err != nil {
		return nil, err
	}
	penalty, err := trial.SuggestLogFloat("polynomial_penalty", 1e-6, 100)
	return polynomial{degree, penalty}.fit, err
}

func suggestNeighbours(trial goptuna.Trial) (fitter, error) {
	k, err := trial.SuggestInt("neighbours_k", 1, 40)
	if err != nil {
		return nil, err
	}
	weighting, err := trial.SuggestCategorical("neighbours_weighting", []string{"equal", "by_distance"})
	if err != nil || weighting == "equal" {
		return neighbours{k, 0}.fit, err
	}
	// A branch within the branch.
	power, err := trial.SuggestFloat("neighbours_power", 0.5, 6)
	return neighbours{k, power}.fit, err
}

func suggestKernel(trial goptuna.Trial) (fitter, error) {
	name, err := trial.SuggestCategorical("kernel", []string{"exponential", "matern32", "matern52", "gaussian"})
	if err != nil {
		return nil, err
	}
	length, err := trial.SuggestLogFloat("kernel_length", 0.1, 100)
	if err != nil {
		return nil, err
	}
	penalty, err := trial.SuggestLogFloat("kernel_penalty", 1e-8, 1)
	return kernel{name, length, penalty}.fit, err
}

func suggestFeatures(trial goptuna.Trial) (fitter, error) {
	count, err := trial.SuggestInt("features_count", 10, 300)
	if err != nil {
		return nil, err
	}
	activation, err := trial.SuggestCategorical("features_activation", []string{"relu", "tanh", "cosine"})
	if err != nil {
		return nil, err
	}
	spread, err := trial.SuggestLogFloat("features_spread", 0.01, 10)
	if err != nil {
		return nil, err
	}
	penalty, err := trial.SuggestLogFloat("features_penalty", 1e-8, 100)
	return features{count, activation, spread, penalty}.fit, err
}

// run runs the study, reports each improvement to out, and the best of each branch at the end.
func run(out io.Writer, path, samplerName string, seed int64, trials int) (err error) {
	table, err := readTable()
	if err != nil {
		return err
	}
	sampler, err := newSampler(samplerName, seed)
	if err != nil {
		return err
	}
	options := []goptuna.StudyOption{
		goptuna.StudyOptionSampler(sampler),
		goptuna.StudyOptionLogger(&goptuna.StdLogger{
			Logger: log.New(os.Stderr, "", 0),
			Level:  goptuna.LoggerLevelWarn,
		}),
	}
	if path != "" {
		storage, openErr := cachedrdb.OpenSQLite(path, sqlite.Open)
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, storage.Close()) }()
		options = append(options, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))
	}
	study, err := goptuna.CreateStudy("conditional", options...)
	if err != nil {
		return err
	}
	start := time.Now()
	err = fm.Optimize(context.Background(), study, tuner{table}.objective, trials, fm.OptimizeOptionFinished(improvements(out)))
	if err != nil {
		return err
	}
	done, err := study.GetTrials()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d trials in %.0f s. ", trials, time.Since(start).Seconds())
	return report(out, done)
}

// newSampler returns the sampler of that name.
func newSampler(name string, seed int64) (goptuna.Sampler, error) {
	switch name {
	case "fm":
		return fm.NewSampler(fm.SamplerOptionSeed(seed)), nil
	case "tpe":
		return tpe.NewSampler(tpe.SamplerOptionSeed(seed)), nil
	case "random":
		return goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(seed)), nil
	}
	return nil, fmt.Errorf("unknown sampler %q: use fm, tpe or random", name)
}

// improvements returns a function that prints a line for each trial that is better than all before.
func improvements(out io.Writer) func(goptuna.FrozenTrial) {
	best := goptuna.FrozenTrial{}
	return func(trial goptuna.FrozenTrial) {
		if trial.State == goptuna.TrialStateComplete && (best.Params == nil || trial.Value < best.Value) {
			best = trial
			fmt.Fprintf(out, "trial %3d: error %6.3f  %s\n", trial.Number, trial.Value, settings(trial))
		}
	}
}

// report prints the best trial of each model, the winner first.
func report(out io.Writer, trials []goptuna.FrozenTrial) error {
	best, count := map[any]goptuna.FrozenTrial{}, map[any]int{}
	for _, trial := range trials {
		if trial.State != goptuna.TrialStateComplete {
			continue
		}
		model := trial.Params["model"]
		if other, ok := best[model]; !ok || trial.Value < other.Value {
			best[model] = trial
		}
		count[model]++
	}
	if len(best) == 0 {
		return errors.New("no trial is complete")
	}
	ranking := slices.SortedFunc(maps.Values(best), func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Value, b.Value) })
	fmt.Fprintf(out, "The winner is %s; errors are in percentage points:\n\n", ranking[0].Params["model"])
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\ttrials\tbest error\tin trial\twith")
	for _, trial := range ranking {
		model := trial.Params["model"]
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%d\t%s\n", model, count[model], trial.Value, trial.Number, settings(trial))
	}
	return w.Flush()
}

// settings lists the parameters of a trial.
func settings(trial goptuna.FrozenTrial) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(trial.Params)) {
		if value, ok := trial.Params[name].(float64); ok {
			parts = append(parts, fmt.Sprintf("%s=%.3g", name, value))
		} else {
			parts = append(parts, fmt.Sprintf("%s=%v", name, trial.Params[name]))
		}
	}
	return strings.Join(parts, " ")
}
