//go:build develop

package main

import (
	"net/url"
	"os"
	"path/filepath"
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
			defer storage.close()
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

func TestSQLitePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("a.db", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	absolute := filepath.Join(dir, "a.db")
	for _, test := range []struct{ rest, want, why string }{
		{"a.db", "a.db", "two slashes"},
		{"/a.db", "a.db", "three: relative, as in Goptuna's command"},
		{"/" + absolute, absolute, "four: absolute there"},
		{absolute, absolute, "three: absolute everywhere else"},
		{"b.db", "", "not there"},
		{".", "", "a directory"},
	} {
		got, err := sqlitePath(test.rest)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("sqlite://%s is %q, %v; want %q: %s", test.rest, got, err, test.want, test.why)
		}
	}
}

func TestMySQLDSN(t *testing.T) {
	for _, test := range []struct{ url, want, why string }{
		{"mysql://u:p@db/fm", "u:p@tcp(db:3306)/fm?parseTime=true", "the usual port; times must be parsed"},
		{"mysql://u:p%40w%2Fd@db:3307/fm", "u:p@w/d@tcp(db:3307)/fm?parseTime=true", "the driver splits at the last @"},
		{"mysql://u@[::1]/fm", "u@tcp([::1]:3306)/fm?parseTime=true", "IPv6"},
		{"mysql://u@/fm?unix_socket=/run/mysqld.sock", "u@unix(/run/mysqld.sock)/fm?parseTime=true", "SQLAlchemy's parameter"},
		{"mysql://u@db/fm?tls=true", "u@tcp(db:3306)/fm?parseTime=true&tls=true", "the driver's parameters"},
	} {
		u, err := url.Parse(test.url)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := mysqlDSN(u); got != test.want || err != nil {
			t.Errorf("%s is %q, %v; want %q: %s", test.url, got, err, test.want, test.why)
		}
	}
}
