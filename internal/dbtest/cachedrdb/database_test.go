package cachedrdb_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
)

// openSQLite opens a new database as the examples do, except that it does not
// wait for the disk, and deletes what belongs to a study with it.
func openSQLite(t testing.TB) *gorm.DB {
	t.Helper()
	return openSQLiteFile(t, filepath.Join(t.TempDir(), "test.db"))
}

func openSQLiteFile(t testing.TB, path string) *gorm.DB {
	t.Helper()
	return open(t, sqlite.Open(path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=foreign_keys(1)&_txlock=immediate"))
}

func open(t testing.TB, dialector gorm.Dialector) *gorm.DB {
	t.Helper()
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := rdb.RunAutoMigrate(db); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if pool, err := db.DB(); err == nil {
			pool.Close()
		}
	})
	return db
}

// onEveryDatabase runs a test on a new database of every kind. The test may open
// it several times, as several processes do.
func onEveryDatabase(t *testing.T, test func(t *testing.T, open func() *gorm.DB)) {
	dbtest.Each(t, func(t *testing.T, db *dbtest.Database) {
		path := filepath.Join(t.TempDir(), "test.db")
		test(t, func() *gorm.DB {
			switch db.Kind {
			case dbtest.MySQL:
				return open(t, mysql.Open(db.DSN))
			case dbtest.Postgres:
				return open(t, postgres.Open(db.DSN))
			}
			return openSQLiteFile(t, path) // with foreign keys
		})
	})
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
