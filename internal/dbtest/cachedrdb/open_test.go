package cachedrdb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	driver "github.com/go-sql-driver/mysql"
	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

var drivers = cachedrdb.Drivers{"sqlite": sqlite.Open, "mysql": mysql.Open, "postgres": postgres.Open}

// What TestOpenWorker is told by the environment: the URL of the database, and the
// time at which to begin.
const (
	urlVariable   = "CACHEDRDB_TEST_URL"
	beginVariable = "CACHEDRDB_TEST_BEGIN"
)

// goroutines and processes share a study.
const (
	goroutines = 4
	processes  = 4
)

// perProcess is how many trials a process adds to the study.
func perProcess() int {
	if testing.Short() { // as under the race detector, in which SQLite is ten times slower
		return 20
	}
	return 100
}

// TestOpenWorker is no test, but what each process of TestOpenAtOnce runs.
func TestOpenWorker(t *testing.T) {
	url, ok := os.LookupEnv(urlVariable)
	if !ok {
		return
	}
	begin, err := time.Parse(time.RFC3339Nano, os.Getenv(beginVariable))
	check(t, err)
	time.Sleep(time.Until(begin))
	// Each goroutine opens the database for itself, as if it were a process.
	errs := make(chan error)
	for range goroutines {
		go func() { errs <- openAndWork(t.Context(), url, drivers) }()
	}
	for range goroutines {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// openAndWork opens the database and the study, and adds its part of the trials.
func openAndWork(ctx context.Context, url string, drivers cachedrdb.Drivers) error {
	storage, err := cachedrdb.Open(url, drivers)
	if err != nil {
		return err
	}
	defer storage.Close()
	study, err := goptuna.CreateStudy("study",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize),
		goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionNumberOfModelTrials(20))),
		goptuna.StudyOptionLogger(nil),
	)
	if err != nil {
		return err
	}
	return fm.Optimize(ctx, study, func(_ context.Context, trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", -5, 5)
		if err != nil {
			return 0, err
		}
		kind, err := trial.SuggestCategorical("kind", []string{"a", "b", "c"})
		return -x*x - float64(len(kind)), err
	}, perProcess()/goroutines)
}

// Processes that open one database with several goroutines each, at the moment
// when nothing is there, make all of their trials without an error.
func TestOpenAtOnce(t *testing.T) {
	dbtest.EachEmpty(t, func(t *testing.T, db *dbtest.Database) {
		url := db.URL(t)
		program, err := os.Executable()
		check(t, err)
		begin := time.Now().Add(time.Second)
		var workers [processes]*exec.Cmd
		var outputs [processes]bytes.Buffer
		for i := range workers {
			w := exec.CommandContext(t.Context(), program, "-test.run=^TestOpenWorker$", "-test.timeout=5m", fmt.Sprintf("-test.short=%t", testing.Short()))
			w.Env = append(os.Environ(), urlVariable+"="+url, beginVariable+"="+begin.Format(time.RFC3339Nano))
			w.Stdout, w.Stderr = &outputs[i], &outputs[i]
			check(t, w.Start())
			workers[i] = w
		}
		for i, w := range workers {
			if err := w.Wait(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, &outputs[i])
			}
		}
		checkTrials(t, url, processes*perProcess())
	})
}

// So do goroutines of one process, with each driver. (Two on one file in one
// process would undo each other's locks.)
func TestOpenByGoroutines(t *testing.T) {
	for name, driver := range sqliteDrivers {
		t.Run(name, func(t *testing.T) {
			url := "sqlite:" + filepath.Join(t.TempDir(), "study.db")
			errs := make(chan error)
			for range goroutines {
				go func() { errs <- openAndWork(t.Context(), url, cachedrdb.Drivers{"sqlite": driver}) }()
			}
			for range goroutines {
				check(t, <-errs)
			}
			checkTrials(t, url, perProcess())
		})
	}
}

// checkTrials checks that the study has so many trials, all of them complete, and
// numbered without a gap.
func checkTrials(t *testing.T, url string, want int) {
	t.Helper()
	storage, err := cachedrdb.Open(url, drivers)
	check(t, err)
	defer storage.Close()
	studies, err := storage.GetAllStudySummaries()
	check(t, err)
	if len(studies) != 1 || studies[0].Direction != goptuna.StudyDirectionMaximize {
		t.Fatalf("studies %+v, want one, to be maximised", studies)
	}
	trials, err := storage.GetAllTrials(studies[0].ID)
	check(t, err)
	if len(trials) != want {
		t.Errorf("%d trials, want %d", len(trials), want)
	}
	for i, trial := range trials {
		if trial.State != goptuna.TrialStateComplete || trial.Number != i || len(trial.Params) != 2 {
			t.Fatalf("trial %d of %d: %+v", i, len(trials), trial)
		}
	}
}

// A GORM connection as tutorials open it does lose trials: the tests above would
// find it out.
func TestPlainConnectionLosesTrials(t *testing.T) {
	skipShort(t)
	db, err := gorm.Open(sqlite.Open(filepath.Join(t.TempDir(), "study.db")), &gorm.Config{Logger: logger.Discard})
	check(t, err)
	check(t, rdb.RunAutoMigrate(db))
	storage := rdb.NewStorage(db)
	pool, err := storage.DB()
	check(t, err)
	defer pool.Close()
	study, err := goptuna.CreateStudy("study", goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil))
	check(t, err)
	errs := make(chan error)
	for range goroutines {
		go func() {
			errs <- study.Optimize(func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, perProcess()/goroutines)
		}()
	}
	lost := 0
	for range goroutines {
		if err := <-errs; err != nil && strings.Contains(err.Error(), "database is locked") {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no goroutine was told that the database is locked")
	}
	t.Logf("%d of %d goroutines ended with: database is locked", lost, goroutines)
}

// Every wrong path or URL is refused in words that help, and creates nothing.
func TestOpenErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	check(t, os.Mkdir("dir", 0o755))
	check(t, os.WriteFile("text.db", []byte(strings.Repeat("This is no database. ", 100)), 0o644))
	for _, test := range []struct{ url, want string }{
		{"", "the URL is empty"},
		{"study.db", "write sqlite:study.db"},
		{"sqlite:", "path of the SQLite file is empty"},
		{"sqlite::memory:", "omit StudyOptionStorage"},
		{"sqlite:///:memory:", "omit StudyOptionStorage"},
		{"sqlite:missing/study.db", "no directory missing"},
		{"sqlite:///missing/study.db", "no directory missing"},
		{"sqlite:dir", "is a directory"},
		{"sqlite:text.db/study.db", "text.db"},
		{"sqlite:text.db", "not a database"},
		{"sqlite:study.db?mode=ro", "without ?"},
		{"sqlite:file:study.db", "without file:"},
		{"oracle://host/db", "use sqlite:, mysql:// or postgres://"},
		{"host=db user=u password=secret dbname=x", "begin with sqlite:, mysql:// or postgres://"},
		{"host=::1 user=u password=secret dbname=x", "begin with sqlite:, mysql:// or postgres://"},
		{"host=db password=secret options=a:b", "begin with sqlite:, mysql:// or postgres://"},
		{"mysql://u:sec%ret@host/db", "%40"},
		{"postgres://u:secret@127.0.0.1:1/db?connect_timeout=2", "cannot open postgres://u:xxxxx@127.0.0.1:1/db"},
		{"postgres://u@127.0.0.1:1/db?connect_timeout=2&password=secret", "cannot open postgres://u:xxxxx@127.0.0.1:1/db"},
		{"postgres://u@127.0.0.1:1/db?password=secret&connect_timeout=x", "invalid connect_timeout"},
		{"postgres:///db?host=127.0.0.1&user=u&password=secret&connect_timeout=x", "invalid connect_timeout"},
		{"postgres:///db?host=127.0.0.1&port=1&user=u&connect_timeout=2", "cannot open postgres:///db?connect_timeout=2&host=127.0.0.1&port=1&user=u:"},
		{"mysql://u:secret@127.0.0.1:1", "names no database"},
		{"mysql://u:secret@127.0.0.1:1/?tls=true", "names no database"},
		{"mysql://u:secret@127.0.0.1:1/db", "cannot open mysql://u:xxxxx@127.0.0.1:1/db"},
	} {
		storage, err := cachedrdb.Open(test.url, drivers)
		if err == nil {
			storage.Close()
			t.Errorf("%s: no error", test.url)
			continue
		}
		if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "cachedrdb: ") {
			t.Errorf("%s: %v, want %q", test.url, err, test.want)
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sec%ret") {
			t.Errorf("%s: the error tells the password: %v", test.url, err)
		}
	}
	for scheme, path := range map[string]string{
		"sqlite": "github.com/glebarez/sqlite", "mysql": "gorm.io/driver/mysql", "postgresql": "gorm.io/driver/postgres",
	} {
		if _, err := cachedrdb.Open(scheme+"://localhost/db", nil); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s without a driver: %v, want the import %s", scheme, err, path)
		}
	}
	if _, err := cachedrdb.OpenSQLite("study.db", nil); err == nil {
		t.Error("no driver and no error")
	}
	if left, _ := filepath.Glob("*"); len(left) != 2 {
		t.Errorf("the directory has %v", left)
	}
}

// The forms in which a file is named.
func TestOpenPaths(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for i, test := range []struct{ format, why string }{
		{"sqlite:%s", "a path"},
		{"sqlite://%s", "two slashes"},
		{"sqlite:///%s", "three: relative, as in Goptuna's command"},
		{"sqlite:" + filepath.ToSlash(dir) + "/%s", "absolute"},
		{"sqlite:///" + filepath.ToSlash(dir) + "/%s", "four: absolute there"},
		{"sqlite://" + filepath.ToSlash(dir) + "/%s", "three: absolute everywhere else"},
		{"sqlite3:%s", "another name"},
		{"sqlite+pysqlite:///%s", "SQLAlchemy's driver"},
	} {
		name := fmt.Sprintf("study %d%%20#.db", i)
		storage, err := cachedrdb.Open(fmt.Sprintf(test.format, name), drivers)
		if err != nil {
			t.Errorf("%s: %v", test.why, err)
			continue
		}
		check(t, storage.Close())
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s: %v", test.why, err)
		}
	}
}

// OpenExisting sees a study, and creates neither a file nor tables.
func TestOpenExisting(t *testing.T) {
	dbtest.EachEmpty(t, func(t *testing.T, db *dbtest.Database) {
		url := db.URL(t)
		for range 2 {
			storage, err := cachedrdb.OpenExisting(url, drivers)
			if err == nil {
				storage.Close()
				t.Fatal("no error without a study")
			}
			t.Log(err)
			if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
				check(t, os.WriteFile(path, nil, 0o644)) // which is a database to SQLite
			}
		}
		storage, err := cachedrdb.Open(url, drivers)
		check(t, err)
		defer storage.Close()
		id, err := storage.CreateNewStudy("study")
		check(t, err)
		other, err := cachedrdb.OpenExisting(url, drivers)
		check(t, err)
		defer other.Close()
		if got, err := other.GetStudyIDFromName("study"); got != id || err != nil {
			t.Errorf("study %d, error %v; want %d", got, err, id)
		}
	})
}

// Tables of other programs that have the names of Goptuna's are neither read nor
// changed.
func TestOpenForeignTables(t *testing.T) {
	dbtest.EachEmpty(t, func(t *testing.T, database *dbtest.Database) {
		db := database.OpenDB(t)
		url := database.URL(t)
		for _, test := range []struct{ table, columns, why string }{
			{"studies", "study_id INTEGER PRIMARY KEY, title VARCHAR(80)", "of whatever kind"},
			{"trial_values", "trial_id INTEGER, objective INTEGER, value FLOAT", "Optuna's"},
			{"trial_system_attributes", "trial_id INTEGER, value_json VARCHAR(2048)", "Optuna's, also of old"},
		} {
			check(t, db.Exec("CREATE TABLE "+test.table+" ("+test.columns+")").Error)
			for name, open := range map[string]func(string, cachedrdb.Drivers) (*cachedrdb.Storage, error){
				"Open": cachedrdb.Open, "OpenExisting": cachedrdb.OpenExisting,
			} {
				storage, err := open(url, drivers)
				if err == nil {
					storage.Close()
				}
				if !errors.Is(err, cachedrdb.ErrInvalid) || !strings.Contains(err.Error(), "table "+test.table) || !strings.Contains(err.Error(), "not Goptuna's") {
					t.Errorf("%s with a table %s, %s: error %v", name, test.table, test.why, err)
				}
			}
			if tables, err := db.Migrator().GetTables(); len(tables) != 1 || err != nil {
				t.Errorf("tables %v, error %v", tables, err)
			}
			check(t, db.Exec("DROP TABLE "+test.table).Error)
		}
	})
}

// What a URL says of MySQL arrives in its driver, whatever the characters.
func TestOpenMySQLURL(t *testing.T) {
	var dsn string
	_, err := cachedrdb.Open("mysql+pymysql://us%40er:p%40ss%2F%3A%3F%25w%C3%B6rd@db.example/stud%20ies?tls=true&timeout=2s", cachedrdb.Drivers{
		"mysql": func(name string) gorm.Dialector {
			dsn = name
			return mysql.Open("u@tcp(127.0.0.1:1)/db") // where nobody listens
		},
	})
	if err == nil {
		t.Fatal("connected to nobody")
	}
	config, err := driver.ParseDSN(dsn)
	check(t, err)
	if config.User != "us@er" || config.Passwd != "p@ss/:?%wörd" || config.Addr != "db.example:3306" || config.DBName != "stud ies" ||
		config.TLSConfig != "true" || config.Timeout != 2*time.Second || !config.ParseTime {
		t.Errorf("the driver reads %q as %+v", dsn, config)
	}
}
