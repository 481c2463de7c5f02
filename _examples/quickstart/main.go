// Quickstart tunes the training of a small neural network with Goptuna and the FM sampler.
//
//	go run ./_examples/quickstart
//
// The study lives in quickstart.db, a SQLite file in the current directory. Run it again and it continues. Its report is in
// spirals-fm.html.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
	"github.com/goptuna-fm/goptuna-fm/sampler/report"
)

func main() {
	trials := flag.Int("trials", 50, "number of trials to run")
	path := flag.String("db", "quickstart.db", "SQLite file that keeps the study")
	seed := flag.Int64("seed", 1, "seed of the sampler")
	sampler := flag.String("sampler", "fm", "fm, or tpe or random to compare; each has a study of its own")
	flag.Parse()

	// The first Ctrl-C lets the running trial finish, which takes about a second; the second ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)

	if err := run(ctx, *path, *sampler, *seed, *trials); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// An experiment is what stays the same from trial to trial.
type experiment struct {
	train, valid dataset
}

// objective is one trial: it asks for settings, trains with them and returns the loss on rows that the training did not
// see. It is called again and again, and what it returns is minimised. A NaN, an error or a panic fails this trial only.
func (e experiment) objective(_ context.Context, trial goptuna.Trial) (float64, error) {
	s, err := suggest(trial)
	if err != nil {
		return 0, err
	}

	// The mean of three starts, so that we tune the settings and not the luck of the first weights.
	const starts = 3
	var loss, accuracy float64
	for seed := range uint64(starts) {
		net, err := train(s, e.train, seed)
		if err != nil {
			return 0, err // which makes it a failed trial, and says more than a made-up bad value
		}
		l, a := net.evaluate(e.valid)
		loss += l / starts
		accuracy += a / starts
	}

	// Whatever else is worth knowing about a trial goes into its attributes; the dashboard shows them, too.
	if err := trial.SetUserAttr("accuracy", fmt.Sprintf("%.1f %%", 100*accuracy)); err != nil {
		return 0, err
	}
	return loss, nil
}

// suggest asks the study for the settings of a trial. This is the whole declaration of the search space.
func suggest(trial goptuna.Trial) (s settings, err error) {
	// 0.001 and 0.01 are as far apart as 0.1 and 1: what counts is the ratio, so search on the log scale.
	if s.learningRate, err = trial.SuggestLogFloat("learning_rate", 1e-5, 1); err != nil {
		return s, err
	}
	if s.weightDecay, err = trial.SuggestLogFloat("weight_decay", 1e-6, 1); err != nil {
		return s, err
	}
	// Here 0.1 and 0.2 are as far apart as 0.3 and 0.4: a plain float.
	if s.dropout, err = trial.SuggestFloat("dropout", 0, 0.5); err != nil {
		return s, err
	}
	// A whole number, both ends included.
	if s.hidden, err = trial.SuggestInt("hidden_units", 4, 64); err != nil {
		return s, err
	}
	// Names, with no order among them.
	if s.activation, err = trial.SuggestCategorical("activation", []string{"relu", "sigmoid", "silu", "tanh"}); err != nil {
		return s, err
	}
	if s.optimiser, err = trial.SuggestCategorical("optimiser", []string{"sgd", "momentum", "rmsprop", "adam"}); err != nil {
		return s, err
	}
	// Choices that all read as numbers: the FM sampler takes them in their order, 32 between 16 and 64.
	size, err := trial.SuggestCategorical("batch_size", []string{"8", "16", "32", "64", "128", "256"})
	if err != nil {
		return s, err
	}
	s.batchSize, err = strconv.Atoi(size)
	return s, err
}

// run opens or continues the study of that sampler in the database at path, runs the trials and reports the best.
func run(ctx context.Context, path, samplerName string, seed int64, trials int) (err error) {
	if trials < 0 {
		return fmt.Errorf("-trials is %d; need at least 0", trials)
	}
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()

	sampler, err := newSampler(samplerName, seed)
	if err != nil {
		return err
	}
	show := newProgress(os.Stdout, trials)
	name := "spirals-" + samplerName
	study, err := openStudy(name, storage, sampler, show)
	if err != nil {
		return fmt.Errorf("cannot create the study %s: %w", name, err)
	}

	// A note for whoever opens the study in the dashboard. It also finds out early if the database is read-only.
	if err := study.SetUserAttr("objective", "cross-entropy on the validation rows"); err != nil {
		return fmt.Errorf("cannot write to the database %s: %w", path, err)
	}

	earlier, err := study.GetTrials()
	if err != nil {
		return fmt.Errorf("cannot read the trials of %s: %w", name, err)
	}
	if len(earlier) == 0 {
		fmt.Printf("New study %s in %s: %s to run.\n", name, path, number(trials))
	} else {
		fmt.Printf("Continuing study %s in %s with %s: %d more to run.\n", name, path, number(len(earlier)), trials)
	}

	defer context.AfterFunc(ctx, func() {
		fmt.Fprintln(show, "Interrupted: waiting for the running trial. Ctrl-C again ends the program at once.")
	})()
	show.start(earlier)
	train, valid := makeData(1)
	err = fm.Optimize(ctx, study, experiment{train, valid}.objective, trials, fm.OptimizeOptionFinished(show.finished))
	show.leave()
	if err != nil {
		return fmt.Errorf("cannot go on with the study %s: %w", name, err)
	}
	if err := printBest(os.Stdout, study); err != nil {
		return err
	}
	page := filepath.Join(filepath.Dir(path), name+".html")
	if err := report.WriteFile(page, study); err != nil {
		return err
	}
	_, err = fmt.Printf("\nWhat matters, what to use and whether to go on is in %s: open it in a browser.\n", page)
	return err
}

// openStudy returns the study of that name, which it creates if there is none.
func openStudy(name string, storage goptuna.Storage, sampler goptuna.Sampler, messages io.Writer) (*goptuna.Study, error) {
	return goptuna.CreateStudy(name,
		goptuna.StudyOptionSampler(sampler), // fm.NewSampler(...), unless the flag says otherwise: see newSampler
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true), // continue where the last run stopped
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMinimize),
		goptuna.StudyOptionLogger(&goptuna.StdLogger{ // only what matters, and not in the way of the results
			Logger: log.New(messages, "", 0),
			Level:  goptuna.LoggerLevelWarn,
		}),
	)
}

// newSampler returns the sampler of that name.
func newSampler(name string, seed int64) (goptuna.Sampler, error) {
	switch name {
	case "fm":
		return fm.NewSampler(fm.SamplerOptionSeed(seed)), nil
	case "tpe":
		return tpe.NewSampler(tpe.SamplerOptionSeed(seed)), nil
	case "random":
		// With a fixed seed, it would repeat the same draws each time a study continues.
		return goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(time.Now().UnixNano())), nil
	}
	return nil, fmt.Errorf("unknown sampler %q: use fm, tpe or random", name)
}

// printBest prints the best trial and how many there are.
func printBest(out io.Writer, study *goptuna.Study) error {
	trials, err := study.GetTrials()
	if err != nil {
		return fmt.Errorf("cannot read the trials: %w", err)
	}
	count := make(map[goptuna.TrialState]int)
	for _, t := range trials {
		count[t.State]++
	}
	best, ok := bestOf(trials)
	if !ok {
		return fmt.Errorf("no best trial to show: the study has %s, none complete", number(len(trials)))
	}

	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintf(table, "\nBest loss %.4f, accuracy %s, in trial %d:\n\n", best.Value, best.UserAttrs["accuracy"], best.Number)
	for _, name := range slices.Sorted(maps.Keys(best.Params)) {
		if value, ok := best.Params[name].(float64); ok {
			fmt.Fprintf(table, "  %s\t%.4g\n", name, value)
		} else {
			fmt.Fprintf(table, "  %s\t%v\n", name, best.Params[name])
		}
	}
	fmt.Fprintf(table, "\nThe study now has %s: %d complete, %d failed", number(len(trials)),
		count[goptuna.TrialStateComplete], count[goptuna.TrialStateFail])
	if n := count[goptuna.TrialStateRunning]; n > 0 {
		fmt.Fprintf(table, ", %d running or abandoned", n) // a process that is killed leaves its trial so
	}
	fmt.Fprintln(table, ".")
	return table.Flush()
}

// number puts a number of trials into words.
func number(trials int) string {
	if trials == 1 {
		return "1 trial"
	}
	return fmt.Sprintf("%d trials", trials)
}

// bestOf returns the complete trial with the lowest value. It reports false if there is none.
func bestOf(trials []goptuna.FrozenTrial) (best goptuna.FrozenTrial, ok bool) {
	for _, t := range trials {
		if t.State == goptuna.TrialStateComplete && (!ok || t.Value < best.Value) {
			best, ok = t, true
		}
	}
	return best, ok
}
