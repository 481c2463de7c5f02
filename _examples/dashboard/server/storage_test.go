//go:build develop

package main

import (
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
)

// The URL of a real server is enough to read a study.
func TestOpenStorage(t *testing.T) {
	for _, kind := range []dbtest.Kind{dbtest.MySQL, dbtest.Postgres} {
		t.Run(string(kind), func(t *testing.T) {
			db := dbtest.New(t, kind)
			study, err := goptuna.CreateStudy("s", goptuna.StudyOptionStorage(db.Open(t)), goptuna.StudyOptionLogger(nil))
			if err != nil {
				t.Fatal(err)
			}
			if err := study.Optimize(func(goptuna.Trial) (float64, error) { return 1, nil }, 2); err != nil {
				t.Fatal(err)
			}
			storage, err := openStorage(db.URL(t))
			if err != nil {
				t.Fatal(err)
			}
			defer storage.Close()
			studies, err := storage.GetAllStudySummaries()
			if err != nil || len(studies) != 1 || studies[0].Name != "s" {
				t.Errorf("studies %+v, %v", studies, err)
			}
			trials, err := storage.GetAllTrials(study.ID)
			if err != nil || len(trials) != 2 || trials[1].DatetimeComplete.IsZero() {
				t.Errorf("trials %+v, %v", trials, err)
			}
		})
	}
}
