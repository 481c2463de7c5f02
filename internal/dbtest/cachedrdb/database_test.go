package cachedrdb_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
)

// openSQLite opens a new SQLite file.
func openSQLite(t testing.TB) *gorm.DB {
	t.Helper()
	return dbtest.New(t, dbtest.SQLite).OpenDB(t)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// skipShort skips a test of one goroutine where time is short, as under the race
// detector, in which SQLite is ten times slower.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
}

// suggest asks for p parameters, floats and ints.
func suggest(trial *goptuna.Trial, p int) (sum float64, err error) {
	for j := range p {
		name := fmt.Sprintf("parameter%d", j)
		if j%2 == 0 {
			x, err := trial.SuggestFloat(name, 0, 1)
			if err != nil {
				return 0, err
			}
			sum += (x - 0.3) * (x - 0.3)
			continue
		}
		i, err := trial.SuggestInt(name, 0, 50)
		if err != nil {
			return 0, err
		}
		sum += float64((i - 20) * (i - 20))
	}
	return sum, nil
}

// Rows of Goptuna's tables, to fill a study faster than rdb.Storage does.
type (
	trialRow struct {
		TrialID                         int `gorm:"primaryKey"`
		Number, StudyID                 int
		State                           string
		Value                           float64
		DatetimeStart, DatetimeComplete time.Time
	}
	paramRow struct {
		ParamID          int `gorm:"primaryKey"`
		TrialID          int
		ParamName        string
		ParamValue       float64
		DistributionJSON string
	}
)

func (trialRow) TableName() string { return "trials" }
func (paramRow) TableName() string { return "trial_params" }

// fill adds n complete trials of the parameters that suggest asks for to a study
// that has none.
func fill(t testing.TB, db *gorm.DB, studyID, n, p int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	var distribution [2]string
	for j, d := range []any{goptuna.UniformDistribution{Low: 0, High: 1}, goptuna.IntUniformDistribution{Low: 0, High: 50}} {
		text, err := goptuna.DistributionToJSON(d)
		check(t, err)
		distribution[j] = string(text)
	}
	trials := make([]trialRow, n)
	for i := range trials {
		start := time.Now()
		trials[i] = trialRow{Number: i, StudyID: studyID, State: "COMPLETE", Value: rng.NormFloat64(), DatetimeStart: start, DatetimeComplete: start}
	}
	check(t, db.CreateInBatches(trials, 100).Error)
	var params []paramRow
	for _, trial := range trials {
		for j := range p {
			value := rng.Float64()
			if j%2 == 1 {
				value = float64(rng.IntN(51))
			}
			params = append(params, paramRow{TrialID: trial.TrialID, ParamName: fmt.Sprintf("parameter%d", j), ParamValue: value, DistributionJSON: distribution[j%2]})
		}
	}
	check(t, db.CreateInBatches(params, 150).Error)
}
