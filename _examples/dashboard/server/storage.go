//go:build develop

package main

import (
	"errors"
	"math"
	"net/url"
	"strings"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// drivers are those of the databases that the dashboard knows.
var drivers = cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open}

// openStorage opens the database that the URL names, which may be the path of a SQLite file.
func openStorage(storageURL string) (*cachedrdb.Storage, error) {
	if storageURL == "" {
		return nil, errors.New("no study to show: add -storage sqlite://quickstart.db, or a URL that begins with mysql:// or postgres://")
	}
	if !strings.Contains(storageURL, "://") && !strings.HasPrefix(storageURL, "sqlite:") {
		storageURL = "sqlite:" + storageURL
	}
	return cachedrdb.OpenExisting(storageURL, drivers)
}

// nameOf returns the URL without its password and its parameters.
func nameOf(storageURL string) string {
	u, err := url.Parse(storageURL)
	if err != nil {
		return "the database"
	}
	u.RawQuery = ""
	return u.Redacted()
}

// finite is a storage without NaN and infinities, which JSON does not have: one of them, and the dashboard's answer would be
// empty. A trial with such a value is shown as failed.
type finite struct{ goptuna.Storage }

func (f finite) GetAllTrials(studyID int) ([]goptuna.FrozenTrial, error) {
	trials, err := f.Storage.GetAllTrials(studyID)
	for i := range trials {
		trials[i] = withoutNaN(trials[i])
	}
	return trials, err
}

func (f finite) GetAllStudySummaries() ([]goptuna.StudySummary, error) {
	studies, err := f.Storage.GetAllStudySummaries()
	for i := range studies {
		studies[i].BestTrial = withoutNaN(studies[i].BestTrial)
	}
	return studies, err
}

func withoutNaN(trial goptuna.FrozenTrial) goptuna.FrozenTrial {
	if !isFinite(trial.Value) {
		trial.Value, trial.State = 0, goptuna.TrialStateFail
	}
	steps := make(map[int]float64, len(trial.IntermediateValues))
	for step, value := range trial.IntermediateValues {
		if isFinite(value) {
			steps[step] = value
		}
	}
	trial.IntermediateValues = steps
	return trial
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
