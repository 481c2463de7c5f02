package cachedrdb_test

import (
	"fmt"
	"log"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// dialector stands for what a driver opens, such as sqlite.Open("study.db") of
// github.com/glebarez/sqlite or postgres.Open of gorm.io/driver/postgres.
var dialector gorm.Dialector

func ExampleNewStorage() {
	db, err := gorm.Open(dialector, &gorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		log.Fatal(err)
	}
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionStorage(cachedrdb.NewStorage(db)),
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLoadIfExists(true),
	)
	if err != nil {
		log.Fatal(err)
	}
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		return x * x, err
	}
	if err := study.Optimize(objective, 5); err != nil {
		log.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(trials), "trials")
}
