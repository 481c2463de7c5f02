package recipes

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// The best trial, the three best, what failed and why, and all of it as CSV.
func Example_results() {
	storage, err := cachedrdb.OpenSQLite("results.db", sqlite.Open)
	check(err)
	defer storage.Close()
	study := newStudy(goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))
	check(fm.Optimize(context.Background(), study, objective, 30))

	best, err := storage.GetBestTrial(study.ID)
	check(err)
	fmt.Println(best.Params["optimiser"], best.Params["layers"])

	trials, err := study.GetTrials()
	check(err)
	var complete []goptuna.FrozenTrial
	for _, trial := range trials {
		switch trial.State {
		case goptuna.TrialStateComplete:
			complete = append(complete, trial)
		case goptuna.TrialStateFail:
			fmt.Println(trial.Number, trial.UserAttrs["fm: error"])
		}
	}
	slices.SortFunc(complete, func(a, b goptuna.FrozenTrial) int { return cmp.Compare(a.Value, b.Value) }) // the smallest first
	for _, trial := range complete[:3] {
		fmt.Println(trial.Params["optimiser"], trial.Params["layers"])
	}

	file, err := os.Create("results.csv")
	check(err)
	defer file.Close()
	table := csv.NewWriter(file)
	for _, trial := range trials {
		row := []string{fmt.Sprint(trial.Number), trial.State.String(), fmt.Sprint(trial.Value)}
		for _, name := range []string{"rate", "layers", "optimiser"} {
			row = append(row, fmt.Sprint(trial.Params[name]))
		}
		check(table.Write(row))
	}
	table.Flush()
	check(table.Error())

	attrs, err := study.GetUserAttrs() // what the sampler says of its model
	check(err)
	fmt.Println(attrs["fm: importance"] != "", attrs["fm: prediction"] != "")
	// Output:
	// adam 3
	// adam 3
	// adam 3
	// adam 3
	// true true
}
