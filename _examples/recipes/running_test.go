package recipes

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/glebarez/sqlite"

	fm "github.com/goptuna-fm/goptuna-fm/sampler"
	"github.com/goptuna-fm/goptuna-fm/sampler/cachedrdb"
)

// As many trials as fit into a time. What runs at the end is interrupted, if the
// objective looks at its context.
func Example_timeBudget() {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()

	study := newStudy()
	check(fm.Optimize(ctx, study, objective, math.MaxInt))

	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

// Four trials at a time.
func Example_goroutines() {
	storage, err := cachedrdb.OpenSQLite("goroutines.db", sqlite.Open)
	check(err)
	defer storage.Close()
	study := newStudy(goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))
	check(fm.Optimize(context.Background(), study, objective, 40, fm.OptimizeOptionWorkers(4)))

	trials, err := study.GetTrials()
	check(err)
	fmt.Println(len(trials))
	// Output: 40
}

// worker is what each process runs: the file and the name of the study are what
// they share. They may start and end at any time.
func worker(path string) {
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	check(err)
	defer storage.Close()
	study := newStudy(
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true), // the first one creates it
	)
	check(fm.Optimize(context.Background(), study, objective, 10))
}

// A study that is stopped, here after its tenth trial, as by Ctrl-C, goes on
// where it was, in the same process or in another.
func Example_stopAndGoOn() {
	storage, err := cachedrdb.OpenSQLite("stop.db", sqlite.Open)
	check(err)
	defer storage.Close()
	study := newStudy(
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionLoadIfExists(true),
	)
	missing := func() int { // of 30 trials: what Optimize gets is how many to run now
		trials, err := study.GetTrials()
		check(err)
		return max(0, 30-len(trials))
	}
	ctx, stop := context.WithCancel(context.Background()) // signal.NotifyContext(..., os.Interrupt)
	err = fm.Optimize(ctx, study, objective, missing(), fm.OptimizeOptionFinished(func(trial goptuna.FrozenTrial) {
		if trial.Number == 9 {
			stop()
		}
	}))
	check(err) // nil: that a study is stopped is no error

	check(fm.Optimize(context.Background(), study, objective, missing()))

	trials, err := study.GetTrials()
	check(err)
	fmt.Println(len(trials))
	// Output: 30
}

// workerEnv names the file of a process that is a worker.
const workerEnv = "RECIPES_WORKER"

// Three processes that start at the same moment on a file that does not exist.
func TestProcesses(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const processes = 3
	path := fmt.Sprintf("processes-%d.db", time.Now().UnixNano())
	ended := make(chan error)
	for range processes {
		go func() {
			process := exec.Command(program)
			process.Env = append(os.Environ(), workerEnv+"="+path)
			output, err := process.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, output)
			}
			ended <- err
		}()
	}
	for range processes {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	storage, err := cachedrdb.OpenSQLite(path, sqlite.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer storage.Close()
	study := newStudy(goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLoadIfExists(true))
	trials, err := study.GetTrials()
	if err != nil || len(trials) != 10*processes {
		t.Errorf("%d trials, want %d; error %v", len(trials), 10*processes, err)
	}
	for _, trial := range trials {
		if trial.State != goptuna.TrialStateComplete {
			t.Errorf("trial %d is %s", trial.Number, trial.State)
		}
	}
}
