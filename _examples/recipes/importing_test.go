package recipes

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/tpe"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
	"github.com/goptuna-fm/goptuna-fm/sampler/insight"
)

// Trials of a table with the columns rate, layers, optimiser and loss. The
// distributions are those that the objective asks for.
func Example_importCSV() {
	file, err := os.Open("trials.csv")
	check(err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	check(err)

	study := newStudy()
	distributions := map[string]any{
		"rate":      goptuna.LogUniformDistribution{Low: 1e-4, High: 1},
		"layers":    goptuna.IntUniformDistribution{Low: 1, High: 5},
		"optimiser": goptuna.CategoricalDistribution{Choices: optimisers},
	}
	for _, row := range rows[1:] {
		rate, err := strconv.ParseFloat(row[0], 64)
		check(err)
		layers, err := strconv.Atoi(row[1])
		check(err)
		value, err := strconv.ParseFloat(row[3], 64)
		check(err)
		check(fm.AddTrial(study, value, map[string]any{"rate": rate, "layers": layers, "optimiser": row[2]}, distributions))
	}
	check(fm.Optimize(context.Background(), study, objective, 5)) // no start-up: there are enough trials

	best, err := study.GetBestValue()
	check(err)
	fmt.Println(len(rows)-1, "imported,", best < 0.1)
	// Output: 15 imported, true
}

// Trials of another study that measured the same, failed ones included.
// fm.AddTrial adds one of them, by its Value, Params and Distributions.
func Example_importStudy() {
	before := newStudy()
	check(fm.Optimize(context.Background(), before, objective, 15))

	study := newStudy()
	check(fm.CopyTrials(study, before))
	check(fm.Optimize(context.Background(), study, objective, 5))

	trials, err := study.GetTrials()
	check(err)
	fmt.Println(len(trials))
	// Output: 20
}

// What was found for other data, on another machine or with the last release is a start. The
// copied trials get a parameter that says what they were made with, and the objective asks for
// it, with the one value that it has now. The best of them goes first. What is recommended is for
// that value; Goptuna's best trial may be a copied one.
func Example_otherData() {
	before := newStudy()
	check(fm.Optimize(context.Background(), before, objective, 30))

	study := newStudy()
	trials, err := study.GetTrials()
	check(err)
	if len(trials) == 0 { // else the program runs again
		best, err := before.Storage.GetBestTrial(before.ID)
		check(err)
		check(fm.CopyTrials(study, before, fm.CopyOptionChoice("data", "2025")))
		check(fm.EnqueueTrial(study, best.Params, best.Distributions))
	}
	onNewData := func(ctx context.Context, trial goptuna.Trial) (float64, error) {
		if _, err := trial.SuggestCategorical("data", []string{"2026"}); err != nil {
			return 0, err
		}
		y, err := objective(ctx, trial)
		return 3 + 2*y, err // in your program: train on the new data
	}
	check(fm.Optimize(context.Background(), study, onNewData, 10))

	model, err := insight.Fit(study)
	check(err)
	best := model.Recommend()
	fmt.Println(best.Params["data"], best.Params["optimiser"], best.Objective.Value < 3.1)
	// Output: 2026 adam true
}

// A study that was begun with TPE goes on with fm: nothing needs to be imported.
func Example_continueTPE() {
	open := func(sampler goptuna.Sampler) (*cachedrdb.Storage, *goptuna.Study) {
		storage, err := cachedrdb.OpenSQLite("tpe.db", sqlite.Open)
		check(err)
		return storage, newStudy(
			goptuna.StudyOptionStorage(storage),
			goptuna.StudyOptionLoadIfExists(true),
			goptuna.StudyOptionSampler(sampler),
		)
	}
	storage, study := open(tpe.NewSampler())
	check(fm.Optimize(context.Background(), study, objective, 20))
	check(storage.Close())

	storage, study = open(fm.NewSampler())
	defer storage.Close()
	check(fm.Optimize(context.Background(), study, objective, 10))

	trials, err := study.GetTrials()
	check(err)
	best, err := study.GetBestValue()
	check(err)
	fmt.Println(len(trials), best < 0.1)
	// Output: 30 true
}
