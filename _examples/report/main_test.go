package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// The command opens a file, finds the study, and says what is wrong otherwise.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "study.db")
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		s, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionSampler(problems.NewRandomSampler(1)),
			goptuna.StudyOptionLogger(nil))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Optimize(func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 6); err != nil {
			t.Fatal(err)
		}
	}
	if err := storage.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		config
		out, err string
	}{
		{name: "page", config: config{storage: path, study: "two", out: "-"}, out: "<h1>two</h1>"},
		{name: "text", config: config{storage: "sqlite:" + path, study: "one", text: true}, out: "one\n═══"},
		{name: "file", config: config{storage: path, study: "one", out: filepath.Join(dir, "report.html")}, out: `The report of "one", `},
		{name: "several", config: config{storage: path, out: "-"}, err: `add -study with one of "one", "two"`},
		{name: "missing", config: config{storage: path, study: "three", out: "-"}, err: `no study "three"; there are "one", "two"`},
		{name: "no storage", err: "add -storage FILE"},
		{name: "no file", config: config{storage: filepath.Join(dir, "none.db")}, err: "none.db"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			err := run(c.config, &out)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q in it", err, c.err)
				}
				return
			}
			if err != nil || !strings.Contains(out.String(), c.out) {
				t.Errorf("%v; no %q in:\n%.300s", err, c.out, out.String())
			}
		})
	}
}
