package cachedrdb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// sqlite stands for the package github.com/glebarez/sqlite, mysql and postgres for
// gorm.io/driver/mysql and gorm.io/driver/postgres: this module requires no driver.
// The same examples run with them in internal/dbtest/cachedrdb.
var sqlite, mysql, postgres struct {
	Open func(dsn string) gorm.Dialector
}

// A study in a file. Run the program again, and the study goes on.
func Example() {
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
}

// The database is named when the program starts.
func ExampleOpen() {
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
}

// A connection with settings of one's own.
func ExampleNewStorage() {
	db, err := gorm.Open(sqlite.Open("study.db"), &gorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		log.Fatal(err)
	}
	storage := cachedrdb.NewStorage(db)
	defer storage.Close()
}
