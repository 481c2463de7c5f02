// Distributed tunes a service with any number of workers, on any number of machines, that share a study through a
// database.
//
//	go run ./_examples/distributed -storage sqlite://service.db -workers 2 -trials 60
//
// Start it again, here or on another machine that reaches the database, and it joins. See docs/distributed.md.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/c-bata/goptuna"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

func main() {
	c := config{objective: objective}
	flag.StringVar(&c.storage, "storage", os.Getenv("STORAGE"),
		"postgres://user:password@host:port/database, mysql://..., or sqlite://file.db; or set STORAGE, which ps does not show")
	flag.StringVar(&c.study, "study", "service", "name of the study to join or to create")
	flag.IntVar(&c.trials, "trials", 100, "complete trials that the study is to have, by all workers together, without those that fail or are beyond a limit; 0 only creates the study")
	flag.IntVar(&c.workers, "workers", 1, "trials to run at the same time in this process")
	flag.DurationVar(&c.patience, "patience", 10*time.Minute, "how long to go on trying when nothing succeeds")
	flag.Int64Var(&c.seed, "seed", 1, "seed of the sampler, the same for all workers")
	flag.IntVar(&c.requests, "requests", 200_000, "requests to simulate in a trial")
	flag.Parse()

	// The first signal stops the running trials, which are marked as failed; the second ends the program at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)

	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "distributed:", err)
		os.Exit(1)
	}
}

// A config is what the flags say.
type config struct {
	storage, study           string
	trials, workers          int
	patience                 time.Duration
	seed                     int64
	requests                 int
	objective                func(ctx context.Context, trial goptuna.Trial, requests int) (float64, error)
	firstPause, longestPause time.Duration // between attempts; 0 means half a second, and half a minute
}

// run joins or creates the study and works on it until it has its trials, or the context ends.
func run(ctx context.Context, c config) (err error) {
	switch {
	case c.workers < 1:
		return fmt.Errorf("-workers is %d; need at least 1", c.workers)
	case c.trials < 0:
		return fmt.Errorf("-trials is %d; need at least 0", c.trials)
	case c.requests < 1:
		return fmt.Errorf("-requests is %d; need at least 1", c.requests)
	}
	storage, err := openStorage(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()

	study, err := join(ctx, c, storage)
	if err != nil {
		return err
	}
	complete, err := storage.complete(study.ID)
	if err != nil {
		return fmt.Errorf("cannot read the study %s: %w", c.study, err)
	}
	if c.trials == 0 {
		fmt.Printf("Study %s is there; %d trials are complete.\n", c.study, complete)
		return nil
	}
	fmt.Printf("Study %s: %d of %d trials are complete; %d at a time here.\n", c.study, complete, c.trials, c.workers)

	errs := make(chan error)
	for range c.workers {
		go func() { errs <- work(ctx, c, storage, study) }()
	}
	for range c.workers {
		err = errors.Join(err, <-errs)
	}
	if ctx.Err() != nil {
		fmt.Println("Interrupted: trials that were running are marked as failed.")
	}
	if err != nil {
		return err
	}
	return report(study)
}

// join returns the study, which it creates if nobody has.
func join(ctx context.Context, c config, storage *storage) (*goptuna.Study, error) {
	var study *goptuna.Study
	err := retry(ctx, c, "join the study "+c.study, func() (err error) {
		study, err = goptuna.CreateStudy(c.study,
			goptuna.StudyOptionStorage(storage),
			goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(c.seed))),
			goptuna.StudyOptionLoadIfExists(true),
			goptuna.StudyOptionDirection(goptuna.StudyDirectionMinimize),
			goptuna.StudyOptionLogger(&goptuna.StdLogger{Logger: log.New(os.Stderr, "", log.LstdFlags), Level: goptuna.LoggerLevelWarn}),
		)
		return err
	}, permanent...)
	return study, err
}

// work runs trials one by one until the study has enough, and goes on where the database fails, which may pass. It does
// not leave the counting to Optimize, which knows nothing of other processes.
func work(ctx context.Context, c config, storage *storage, study *goptuna.Study) error {
	for {
		done := false
		err := retry(ctx, c, "run a trial", func() error {
			complete, err := storage.complete(study.ID)
			if err != nil {
				return err
			}
			// Others may be at the last trials: each worker may add one more than was asked for, but none waits for
			// one that has died.
			if done = complete >= c.trials; done {
				return nil
			}
			var failed error // which is no error of Optimize; where all trials fail, there is an end to patience
			infeasible := false
			err = fm.Optimize(ctx, study, func(ctx context.Context, trial goptuna.Trial) (float64, error) {
				value, err := c.objective(ctx, trial, c.requests)
				infeasible = errors.Is(err, fm.ErrInfeasible)
				return value, err
			}, 1, fm.OptimizeOptionFinished(func(trial goptuna.FrozenTrial) {
				switch {
				case infeasible: // the trial has measured what it was to measure
					fmt.Printf("trial %3d: beyond a limit, %s\n", trial.Number, trial.UserAttrs["fm: limits"])
				case trial.State == goptuna.TrialStateFail: // by an error, NaN or a panic
					failed = fmt.Errorf("trial %d failed: %s", trial.Number, cmp.Or(trial.UserAttrs["fm: error"], "its reason could not be stored"))
				case trial.State == goptuna.TrialStateComplete:
					var best float64
					if best, failed = study.GetBestValue(); failed != nil {
						return
					}
					fmt.Printf("trial %3d: %8.3f in %4.1f s   best %8.3f   %d of %d complete\n", trial.Number, trial.Value,
						trial.DatetimeComplete.Sub(trial.DatetimeStart).Seconds(), best, complete+1, c.trials)
				}
			}))
			return errors.Join(err, failed)
		})
		if ctx.Err() != nil {
			return nil
		}
		if done || err != nil {
			return err
		}
	}
}

// report prints the best trial.
func report(study *goptuna.Study) error {
	best, err := study.Storage.GetBestTrial(study.ID)
	if err != nil {
		return fmt.Errorf("cannot read the best trial: %w", err)
	}
	if best.State == goptuna.TrialStateComplete {
		fmt.Printf("Best so far: %.3f in trial %d, with %v.\n", best.Value, best.Number, best.Params)
	}
	return nil
}
