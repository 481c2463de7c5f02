package sampler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
	fm "github.com/goptuna-fm/goptuna-fm/sampler"
)

// workerVariable tells the test binary to be a worker, and what to do.
const workerVariable = "FM_TEST_WORKER"

// dbWorker is what a worker process does with the study of a database: so many
// trials of dbObjective, without tolerance for errors, or trials of Func3C
// until so many are complete in the study, whatever happens.
type dbWorker struct {
	Kind dbtest.Kind
	DSN  string

	Trials int

	Complete int
	Sleep    time.Duration // of the objective
	Log      string        // file for a line about each trial, written once it is stored
}

// dbProcess is a worker that was started.
type dbProcess struct {
	*exec.Cmd
	output bytes.Buffer
}

// start runs the worker in a process of its own, which ends with the test at
// the latest.
func (w dbWorker) start(t *testing.T) *dbProcess {
	t.Helper()
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &dbProcess{Cmd: exec.Command(program, "-test.run=^TestDatabaseWorker$", "-test.timeout=5m")}
	p.Env = append(os.Environ(), workerVariable+"="+string(text))
	p.Stdout, p.Stderr = &p.output, &p.output
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// wait waits for the end of the worker, and fails the test if it is not a good one.
func (p *dbProcess) wait(t *testing.T) {
	t.Helper()
	if err := p.Wait(); err != nil {
		t.Fatalf("worker: %v\n%s", err, &p.output)
	}
}

// TestDatabaseWorker is no test, but what a worker process runs.
func TestDatabaseWorker(t *testing.T) {
	text, ok := os.LookupEnv(workerVariable)
	if !ok {
		return
	}
	var w dbWorker
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if w.Complete > 0 {
		w.persist(t)
		return
	}
	storage, err := dbtest.Connect(w.Kind, w.DSN)
	if err != nil {
		t.Fatal(err)
	}
	fmtest.Optimize(t, join(t, storage), dbObjective, w.Trials)
}

// record is a trial that a worker has finished and stored.
type record struct {
	ID     int
	Value  float64
	Params map[string]float64 // internal representation
}

// persist is the loop for a worker that has to outlive its database. Optimize is
// asked for one trial at a time: it would try again at once, and for ever, where
// a new trial cannot be created. After an error the loop pauses. The connections
// need no care, database/sql replaces them.
func (w dbWorker) persist(t *testing.T) {
	log, err := os.OpenFile(w.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	problem := problems.Func3C()
	var last record
	objective := func(trial goptuna.Trial) (float64, error) {
		c, v, err := problem.Suggest(&trial)
		if err != nil {
			return 0, err
		}
		value, err := problem.Eval(c, v)
		time.Sleep(w.Sleep)
		last = record{trial.ID, value, map[string]float64{}}
		for i, x := range problem.Params.InOrder(c, v) {
			last.Params[problem.Params[i].Name] = x
		}
		return value, err
	}

	var study *goptuna.Study
	pause := 50 * time.Millisecond
	for deadline := time.Now().Add(4 * time.Minute); time.Now().Before(deadline); {
		done, err := false, error(nil)
		if study == nil {
			study, err = w.connect()
		}
		if err == nil {
			done, err = w.isComplete(study)
		}
		if done {
			return
		}
		if err == nil {
			err = study.Optimize(objective, 1)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			time.Sleep(pause)
			pause = min(2*pause, time.Second)
			continue
		}
		pause = 50 * time.Millisecond
		if err := json.NewEncoder(log).Encode(last); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the study does not come to its end")
}

// connect connects and loads the study.
func (w dbWorker) connect() (*goptuna.Study, error) {
	storage, err := dbtest.Connect(w.Kind, w.DSN)
	if err != nil {
		return nil, err
	}
	return goptuna.LoadStudy(fmtest.StudyName, goptuna.StudyOptionStorage(storage), goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(fm.NewSampler(fm.SamplerOptionSeed(1))))
}

// isComplete reports whether the study has as many complete trials as it needs.
func (w dbWorker) isComplete(study *goptuna.Study) (bool, error) {
	trials, err := study.GetTrials()
	return fmtest.Count(trials, goptuna.TrialStateComplete) >= w.Complete, err
}
