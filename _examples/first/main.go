// First tunes four parameters. The study is in study.db: run it again, and it goes on.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// objective tries one set of parameters and returns how bad it is.
func objective(ctx context.Context, trial goptuna.Trial) (float64, error) {
	rate, err := trial.SuggestLogFloat("rate", 1e-4, 1) // its logarithm is searched
	if err != nil {
		return 0, err // fails this trial, and no other
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
	// Here you would train, build or measure something, and stop when ctx.Done() is closed.
	loss := math.Pow(math.Log10(rate)+2, 2) + math.Abs(dropout-0.2) + math.Abs(float64(layers)-3)
	if optimiser != "adam" {
		loss++
	}
	return loss, ctx.Err()
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // Ctrl-C ends the study
	defer stop()

	storage, err := cachedrdb.OpenSQLite("study.db", sqlite.Open)
	if err != nil {
		log.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("first",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true), // run again, and the study goes on
		goptuna.StudyOptionSampler(fm.NewSampler()),
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := fm.Optimize(ctx, study, objective, 50, fm.OptimizeOptionWorkers(1)); err != nil {
		log.Fatal(err)
	}
	best, err := storage.GetBestTrial(study.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Best value %.4f in trial %d, with %v\n", best.Value, best.Number, best.Params)
}
