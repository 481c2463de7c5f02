// First tunes four parameters. The study is in study.db: run it again, and it goes on.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
	"github.com/goptuna-fm/goptuna-fm/sampler/report"
)

// objective tries one set of parameters and returns how bad it is. An error or a panic fails this trial, and no other.
func objective(ctx context.Context, trial goptuna.Trial) (float64, error) {
	rate, err := trial.SuggestLogFloat("rate", 1e-4, 1) // searched on a log scale
	if err != nil {
		return 0, err
	}
	dropout, err := trial.SuggestFloat("dropout", 0, 0.5)
	if err != nil {
		return 0, err
	}
	layers, err := trial.SuggestInt("layers", 1, 5)
	if err != nil {
		return 0, err
	}
	optimiser, err := trial.SuggestCategorical("optimiser", []string{"sgd", "adam", "rmsprop"})
	if err != nil {
		return 0, err
	}

	// Train, build or measure something here, and stop when the context ends.
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	loss := 0.1 + math.Pow(math.Log10(rate)+2, 2) + 10*math.Pow(dropout-0.2, 2) + math.Pow(float64(layers)-3, 2)/2
	if optimiser != "adam" {
		loss++
	}
	return loss, nil
}

func main() {
	trials := flag.Int("trials", 40, "trials to run")
	workers := flag.Int("workers", 1, "trials to run at the same time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // Ctrl-C ends the study
	context.AfterFunc(ctx, stop)                                          // and a second one ends the program at once

	storage, err := cachedrdb.OpenSQLite("study.db", sqlite.Open)
	if err != nil {
		log.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("first",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true), // go on where the last run ended
		goptuna.StudyOptionSampler(fm.NewSampler()),
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := fm.Optimize(ctx, study, objective, *trials, fm.OptimizeOptionWorkers(*workers)); err != nil {
		log.Fatal(err)
	}
	if err := report.WriteFile("report.html", study); err != nil {
		log.Fatal(err)
	}
	best, err := storage.GetBestTrial(study.ID)
	if err != nil {
		log.Fatal(err)
	}
	if best.State != goptuna.TrialStateComplete {
		log.Fatal("no trial has a value yet; if trials failed, the log says why")
	}
	fmt.Printf("Best value: %.4f, in trial %d, with %v\n", best.Value, best.Number, best.Params)
}
