package sampler_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/internal/dbtest"
	"github.com/goptuna-fm/goptuna-fm/internal/fmtest"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The study of the fault tests: eight processes, 200 complete trials of Func3C.
// Its objective takes faultSleep, far less than a real one, so that workers are
// killed in every phase of a trial.
const (
	faultWorkers = 8
	faultTrials  = 200
	faultSleep   = 20 * time.Millisecond
)

// Two workers are killed in mid-study and replaced, and the server breaks off
// and comes back. No finished trial is lost or altered, and what the study says
// is right.
func TestDatabaseFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 200 trials on each server")
	}
	for _, kind := range []dbtest.Kind{dbtest.MySQL, dbtest.Postgres} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)) // moments differ anyway
			db := dbtest.New(t, kind)
			s := startFaultStudy(t, db)
			s.after(20 + rng.IntN(40))
			s.replace(rng.IntN(faultWorkers))
			s.after(80 + rng.IntN(30))
			if db.Private() {
				db.Restart(t, time.Second)
			}
			s.after(130 + rng.IntN(40))
			s.replace(rng.IntN(faultWorkers))
			s.finish()
		})
	}
}

// faultStudy is a study with its workers.
type faultStudy struct {
	*testing.T
	study   *goptuna.Study
	worker  dbWorker
	dir     string // of the workers' logs
	started int
	running []*dbProcess
}

// startFaultStudy starts the study and its workers.
func startFaultStudy(t *testing.T, db *dbtest.Database) *faultStudy {
	t.Helper()
	s := &faultStudy{
		T: t, study: join(t, db.Open(t)), dir: t.TempDir(),
		worker: dbWorker{Kind: db.Kind, DSN: db.DSN, Complete: faultTrials, Sleep: faultSleep},
	}
	for range faultWorkers {
		s.running = append(s.running, s.start())
	}
	return s
}

// finish waits for the workers and checks the study.
func (s *faultStudy) finish() {
	s.Helper()
	failures, deadlocks := 0, 0
	for _, p := range s.running {
		p.wait(s.T)
		output := strings.ToLower(p.output.String())
		failures += strings.Count(output, "worker:")
		deadlocks += strings.Count(output, "deadlock")
	}
	trials := fmtest.TrialsOf(s, s.study)
	s.checkLogs(trials)
	s.checkValues(trials)
	s.Logf("%d trials, of these %d complete, %d failed, %d left running; workers saw %d errors, %d of them deadlocks",
		len(trials), fmtest.Count(trials, goptuna.TrialStateComplete), fmtest.Count(trials, goptuna.TrialStateFail),
		fmtest.Count(trials, goptuna.TrialStateRunning), failures, deadlocks)
}

// start starts a worker with a log of its own.
func (s *faultStudy) start() *dbProcess {
	s.Helper()
	w := s.worker
	w.Log = filepath.Join(s.dir, fmt.Sprintf("worker%d.log", s.started))
	s.started++
	return w.start(s.T)
}

// after waits until the study has n trials.
func (s *faultStudy) after(n int) {
	s.Helper()
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(10 * time.Millisecond) {
		if len(fmtest.TrialsOf(s, s.study)) >= n {
			return
		}
	}
	s.Fatalf("the study does not get to trial %d\n%s", n, &s.running[0].output)
}

// replace kills a worker and starts another.
func (s *faultStudy) replace(i int) {
	s.Helper()
	if err := s.running[i].Process.Kill(); err != nil {
		s.Fatal(err)
	}
	if err := s.running[i].Wait(); err == nil {
		s.Error("the worker ended before it was killed")
	}
	s.running[i] = s.start()
}

// checkLogs compares what the workers have finished with what is stored.
func (s *faultStudy) checkLogs(trials []goptuna.FrozenTrial) {
	s.Helper()
	stored := map[int]goptuna.FrozenTrial{}
	for _, trial := range trials {
		stored[trial.ID] = trial
	}
	logged := 0
	for i := range s.started {
		file, err := os.Open(filepath.Join(s.dir, fmt.Sprintf("worker%d.log", i)))
		if err != nil {
			s.Error(err)
			continue
		}
		for lines := bufio.NewScanner(file); lines.Scan(); logged++ {
			var want record
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				s.Errorf("worker %d: %v", i, err)
				continue
			}
			got := stored[want.ID]
			if got.State != goptuna.TrialStateComplete || got.Value != want.Value || !maps.Equal(got.InternalParams, want.Params) {
				s.Errorf("worker %d finished %+v; stored is %v %v %v", i, want, got.State, got.Value, got.InternalParams)
			}
		}
		file.Close()
	}
	// A worker may be killed between the storage and its log, or be told of a
	// broken connection where the server had stored.
	if n := fmtest.Count(trials, goptuna.TrialStateComplete); n < faultTrials || n-logged > faultWorkers+2 {
		s.Errorf("%d complete trials, %d in the logs of the workers", n, logged)
	}
}

// checkValues asks the objective about every complete trial and the best.
func (s *faultStudy) checkValues(trials []goptuna.FrozenTrial) {
	s.Helper()
	checkNumbers(s.T, trials)
	problem := problems.Func3C()
	best := math.Inf(1)
	for _, trial := range trials {
		if trial.State != goptuna.TrialStateComplete {
			continue
		}
		c, v, err := problem.Params.Point(trial.Params)
		if err != nil {
			s.Fatal(err)
		}
		want, err := problem.Eval(c, v)
		if err != nil || trial.Value != want {
			s.Errorf("trial %d has the value %v, the objective says %v %v", trial.Number, trial.Value, want, err)
		}
		best = math.Min(best, want)
	}
	if got, err := s.study.GetBestValue(); err != nil || got != best {
		s.Errorf("the best value is %v (error %v), the objective says %v", got, err, best)
	}
}
