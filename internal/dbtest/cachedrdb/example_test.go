package cachedrdb_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

func ExampleNewStorage() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := gorm.Open(sqlite.Open(filepath.Join(dir, "study.db")), &gorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		log.Fatal(err)
	}
	study, err := goptuna.CreateStudy("tune",
		goptuna.StudyOptionStorage(cachedrdb.NewStorage(db)),
		goptuna.StudyOptionSampler(fm.NewSampler()),
		goptuna.StudyOptionLogger(nil),
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
	// Output: 5 trials
}
