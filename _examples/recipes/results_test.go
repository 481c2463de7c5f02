package recipes

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
	"github.com/goptuna-fm/goptuna-fm/sampler/report"
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

// The report of the study as it is when a browser asks for it. Any process that opens the study may serve it. Reload the
// page to see more.
func Example_watching() {
	study := newStudy()
	page := func(w http.ResponseWriter, _ *http.Request) {
		r, err := report.New(study)
		if err == nil {
			err = r.WriteHTML(w)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
	listener, err := net.Listen("tcp", "localhost:0") // or "localhost:8080"
	check(err)
	address := "http://" + listener.Addr().String() // open it in a browser
	go http.Serve(listener, http.HandlerFunc(page))

	check(fm.Optimize(context.Background(), study, objective, 20))

	response, err := http.Get(address)
	check(err)
	check(response.Body.Close())
	fmt.Println(response.Status)
	// Output: 200 OK
}
