package cachedrdb_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// The examples of package cachedrdb, which cannot run there for want of a driver.

// inNewDirectory changes to a new directory, until the function that it returns is
// called.
func inNewDirectory() (leave func()) {
	before, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		log.Fatal(err)
	}
	return func() {
		os.Chdir(before)
		os.RemoveAll(dir)
	}
}

// A study in a file. Run the program again, and the study goes on.
func Example() {
	defer inNewDirectory()()
	storage, err := cachedrdb.OpenSQLite("study.db", sqlite.Open)
	if err != nil {
		log.Fatal(err)
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLogger(nil), // quiet
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		return x * x, err
	}
	if err := fm.Optimize(context.Background(), study, objective, 20, fm.OptimizeOptionWorkers(4)); err != nil {
		log.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(trials), "trials")
	// Output: 20 trials
}

// The database is named when the program starts.
func ExampleOpen() {
	defer inNewDirectory()()
	url := "sqlite:study.db" // or mysql://user:password@host/database, postgres://...
	storage, err := cachedrdb.Open(url, cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open})
	if err != nil {
		log.Fatal(err)
	}
	defer storage.Close()
	studies, err := storage.GetAllStudySummaries()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(studies), "studies")
	// Output: 0 studies
}
