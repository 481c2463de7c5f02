package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/lookup/lookuptest"
)

// Two tables with the same parameters are compared, runs are kept, and a failed trial, even
// where nothing worked before it, has a regret. A table without a related one is an error.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		lookuptest.Write(t, dir, name, lookuptest.FailingSpace, lookuptest.FailingRows)
	}
	args := []string{"-data", dir, "-after", "3", "-trials", "2", "-seeds", "2", "-jobs", "1", "-runs", filepath.Join(dir, "runs.csv")}
	var outs, logs [2]bytes.Buffer
	for i := range outs {
		if err := run(t.Context(), args, &outs[i], &logs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(logs[0].String(), "in the sampler"); got != 2*2*4 {
		t.Errorf("%d runs, want 16:\n%s", got, &logs[0])
	}
	if strings.Contains(logs[1].String(), "in the sampler") || outs[1].String() != outs[0].String() {
		t.Errorf("a second start: %s\n%s\nat first\n%s", &logs[1], &outs[1], &outs[0])
	}
	for _, want := range []string{"after 3 trials on each related table", "\nfirst\n", "\nmean\n", "fm-pool  2"} {
		if !strings.Contains(outs[0].String(), want) {
			t.Errorf("no %q in\n%s", want, &outs[0])
		}
	}
	if strings.Contains(outs[0].String(), "NaN") || strings.Contains(outs[0].String(), "Inf") {
		t.Errorf("regrets that are none:\n%s", &outs[0])
	}
	for want, args := range map[string][]string{
		"no other table has the parameters of whole": {"-data", lookuptest.Directory(t), "-table", "whole,failing"},
		"-after must be at least 1":                  {"-data", dir, "-after", "0"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
