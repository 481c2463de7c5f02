// Package newcomer does what the README tells a new user, in an empty directory.
package newcomer

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

const (
	module = "github.com/goptuna-fm/goptuna-fm"
	root   = "../../.."
)

// program returns the first program of the README.
func program(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)\n```go\n(.*?\n)```\n").FindAllStringSubmatch(string(readme), -1) {
		if regexp.MustCompile(`(?m)^package main$`).MatchString(block[1]) {
			return block[1]
		}
	}
	t.Fatal("README.md has no Go block with package main")
	return ""
}

// The README's program is the example, which is formatted and checked with the
// others.
func TestProgramIsTheExample(t *testing.T) {
	example, err := os.ReadFile(filepath.Join(root, "_examples", "first", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if program(t) != string(example) {
		t.Error("the first program of README.md is not _examples/first/main.go; copy one over the other")
	}
}

// newcomer is a directory with a module that uses this one.
type newcomer struct {
	t   *testing.T
	dir string
}

// start starts a command in the directory.
func (n newcomer) start(output *bytes.Buffer, name string, args ...string) *exec.Cmd {
	n.t.Helper()
	cmd := exec.CommandContext(n.t.Context(), name, args...)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	return cmd
}

// run runs a command, which may not fail, and returns what it prints.
func (n newcomer) run(name string, args ...string) string {
	n.t.Helper()
	var output bytes.Buffer
	if err := n.start(&output, name, args...).Wait(); err != nil {
		n.t.Fatalf("%s %v: %v\n%s", name, args, err, &output)
	}
	return output.String()
}

// tidy gets the modules that are missing, or skips the test where there is no
// network.
func (n newcomer) tidy() {
	n.t.Helper()
	var output bytes.Buffer
	err := n.start(&output, "go", "mod", "tidy").Wait()
	if err != nil && regexp.MustCompile(`dial tcp|no such host|GOPROXY=off`).MatchString(output.String()) {
		n.t.Skipf("no modules found; go mod tidy needs the network:\n%s", &output)
	}
	if err != nil {
		n.t.Fatalf("go mod tidy: %v\n%s", err, &output)
	}
}

// states counts the trials of the study by state. None may be missing in the
// numbers.
func (n newcomer) states() map[goptuna.TrialState]int {
	n.t.Helper()
	storage, err := cachedrdb.OpenSQLite(filepath.Join(n.dir, "study.db"), sqlite.Open)
	if err != nil {
		n.t.Fatal(err)
	}
	defer storage.Close()
	states := map[goptuna.TrialState]int{}
	studies, err := storage.GetAllStudySummaries()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, study := range studies {
		trials, err := storage.GetAllTrials(study.ID)
		if err != nil {
			n.t.Fatal(err)
		}
		for i, trial := range trials {
			if trial.Number != i {
				n.t.Errorf("trial %d of study %s has number %d", i, study.Name, trial.Number)
			}
			states[trial.State]++
		}
	}
	return states
}

// check checks that so many trials are complete, and at most so many failed.
func (n newcomer) check(what string, complete, failed int) {
	n.t.Helper()
	states := n.states()
	others := states[goptuna.TrialStateRunning] + states[goptuna.TrialStateWaiting] + states[goptuna.TrialStatePruned]
	if states[goptuna.TrialStateComplete] != complete || states[goptuna.TrialStateFail] > failed || others > 0 {
		n.t.Errorf("after %s: trials %v; want %d complete, at most %d failed, and no others", what, states, complete, failed)
	}
}

// Copy the program, run it, run it again, with four workers, interrupt it, run it
// again: no error, and no trial is lost.
func TestNewcomer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module and runs 200 trials")
	}
	path, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	n := newcomer{t, t.TempDir()}
	n.run("go", "mod", "init", "tune")
	n.run("go", "mod", "edit", "-replace", module+"="+path) // instead of go get
	if err := os.WriteFile(filepath.Join(n.dir, "main.go"), []byte(program(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	n.tidy()

	const trials = 40 // of each run
	if output := n.run("go", "run", "."); !strings.Contains(output, "Best value: ") {
		t.Errorf("no best value in\n%s", output)
	}
	n.check("the first run", trials, 0)
	if page, err := os.ReadFile(filepath.Join(n.dir, "report.html")); !strings.Contains(string(page), "<h1>first</h1>") {
		t.Errorf("no report of the study: %v", err)
	}
	n.run("go", "run", ".")
	n.check("the second run", 2*trials, 0)
	n.run("go", "run", ".", "-workers", "4")
	n.check("a run with four workers", 3*trials, 0)

	n.run("go", "build", "-o", "tune.exe", ".") // go run does not pass signals on
	const workers = 4
	var output bytes.Buffer
	cmd := n.start(&output, filepath.Join(n.dir, "tune.exe"), "-trials", "1000", "-workers", "4")
	for n.states()[goptuna.TrialStateComplete] < 3*trials+10 {
		time.Sleep(50 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(output.String(), "Best value: ") {
		t.Errorf("after Ctrl-C: %v\n%s", err, &output)
	}
	complete := n.states()[goptuna.TrialStateComplete]
	n.check("Ctrl-C", complete, workers)
	n.run("go", "run", ".")
	n.check("the run after Ctrl-C", complete+trials, workers)
}
