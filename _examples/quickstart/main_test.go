package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// A second run continues the study of the first. With this seed both trials have a value;
// random ones diverge now and then.
func TestRunContinues(t *testing.T) {
	if testing.Short() {
		t.Skip("trains networks for some seconds")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	for want := 1; want <= 2; want++ {
		if err := run(context.Background(), path, "fm", 1, 1); err != nil {
			t.Fatalf("run %d: %v", want, err)
		}
		storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
		if err != nil {
			t.Fatal(err)
		}
		study, err := goptuna.LoadStudy("spirals-fm", goptuna.StudyOptionStorage(storage))
		if err != nil {
			t.Fatal(err)
		}
		trials, err := study.GetTrials()
		if err != nil {
			t.Fatal(err)
		}
		if len(trials) != want {
			t.Errorf("after run %d the study has %d trials", want, len(trials))
		}
		if err := storage.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRunExplainsErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, path, sampler string
		trials              int
		want                string
	}{
		{"no such directory", filepath.Join(dir, "none", "test.db"), "fm", 1, "there is no directory"},
		{"no such sampler", filepath.Join(dir, "test.db"), "grid", 1, `unknown sampler "grid": use fm, tpe or random`},
		{"fewer than no trials", filepath.Join(dir, "new.db"), "fm", -3, "-trials is -3"},
	} {
		err := run(context.Background(), c.path, c.sampler, 1, c.trials)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a study is made before the trials are refused: %v", err)
	}
}

// On a terminal a line covers the one before it; elsewhere each has its own.
func TestProgress(t *testing.T) {
	trials := []goptuna.FrozenTrial{
		{Number: 7, State: goptuna.TrialStateComplete, Value: 0.5},
		{Number: 8, State: goptuna.TrialStateFail},
		{Number: 9, State: goptuna.TrialStateComplete, Value: 0.25},
	}
	lines := []string{
		"  1/3  trial   7: 0.5000  best 0.5000 (trial 7)    0:40, 1:20 left",
		"  2/3  trial   8: failed  best 0.5000 (trial 7)    1:20, 0:40 left",
		"  3/3  trial   9: 0.2500  best 0.2500 (trial 9)    2:00, 0:00 left",
	}
	for _, c := range []struct {
		inPlace bool
		want    string
	}{
		{false, strings.Join(lines, "\n") + "\n"},
		{true, "\r" + strings.Join(lines, "\r")},
	} {
		var out strings.Builder
		p := &progress{out: &out, inPlace: c.inPlace, trials: len(trials)}
		for i, trial := range trials {
			p.report(trial, time.Duration(i+1)*40*time.Second)
		}
		if out.String() != c.want {
			t.Errorf("in place %v: got\n%q, want\n%q", c.inPlace, out.String(), c.want)
		}
	}

	// A shorter line is padded, so that nothing of the longer one stays.
	var out strings.Builder
	p := &progress{out: &out, inPlace: true}
	p.show("four words and more")
	p.show("two")
	if want := "\rfour words and more\rtwo" + strings.Repeat(" ", len("four words and more")-len("two")); out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
