package suggestion_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/_examples/katib/suggestion"
)

func newRecorder(t *testing.T, dir string) *suggestion.Recorder {
	t.Helper()
	r, err := suggestion.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A recorded experiment is a study with Katib's values, which Goptuna reads; a
// service that starts again continues it, and answers as one that does not record.
func TestRecord(t *testing.T) {
	dir := t.TempDir()
	e := newExperiment(append(mixed(), parameter("width", api.ParameterType_INT, "1", "512", "", api.Distribution_LOG_NORMAL), parameter("decay", api.ParameterType_DOUBLE, "0", "1", "0.05", 0))...)
	e.Spec.Objective.Type = api.ObjectiveType_MAXIMIZE
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 3}
	for n := range 6 {
		recording := newService()
		recording.Record = newRecorder(t, dir)
		request.TotalRequestNumber = int32(3 * (n + 1))
		reply := ask(t, recording, request)
		if !equal(t, ask(t, newService(), request), reply) {
			t.Fatal("recording changes the answer")
		}
		ask(t, recording, request) // the controller did not get the first answer
		for i, a := range reply.GetParameterAssignments() {
			condition, value := api.TrialStatus_SUCCEEDED, strconv.Itoa(n)
			switch 3*n + i {
			case 4:
				condition, value = api.TrialStatus_FAILED, ""
			case 17:
				condition, value = api.TrialStatus_RUNNING, ""
			}
			request.Trials = append(request.Trials, newTrial(a, condition, value, n))
		}
		e.Spec.Algorithm.AlgorithmSettings = reply.GetAlgorithm().GetAlgorithmSettings()
		if err := recording.Record.Close(); err != nil {
			t.Fatal(err)
		}
	}
	recording := newService()
	recording.Record = newRecorder(t, dir)
	request.CurrentRequestNumber, request.TotalRequestNumber = 0, 18
	ask(t, recording, request)
	if err := recording.Record.Close(); err != nil {
		t.Fatal(err)
	}
	checkRecord(t, filepath.Join(dir, suggestion.DatabaseFile), request.Trials)
}

func checkRecord(t *testing.T, path string, trials []*api.Trial) {
	t.Helper()
	db, err := gorm.Open(sqlite.Open(path))
	if err != nil {
		t.Fatal(err)
	}
	study, err := goptuna.LoadStudy("test", goptuna.StudyOptionStorage(rdb.NewStorage(db)))
	if err != nil {
		t.Fatal(err)
	}
	if study.Direction() != goptuna.StudyDirectionMaximize {
		t.Errorf("direction %v", study.Direction())
	}
	recorded, err := study.GetTrials()
	if err != nil {
		t.Fatal(err)
	}
	if len(recorded) != len(trials) {
		t.Fatalf("%d trials are recorded of %d", len(recorded), len(trials))
	}
	for i, r := range recorded {
		checkRecorded(t, r, trials[i])
	}
	attrs, err := study.GetUserAttrs()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(attrs)), func(name string) bool { return strings.HasPrefix(name, "fm") }) {
		t.Errorf("what the sampler says is not recorded: %v", attrs)
	}
}

func checkRecorded(t *testing.T, r goptuna.FrozenTrial, trial *api.Trial) {
	t.Helper()
	want := map[api.TrialStatus_TrialConditionType]goptuna.TrialState{
		api.TrialStatus_SUCCEEDED: goptuna.TrialStateComplete, api.TrialStatus_FAILED: goptuna.TrialStateFail, api.TrialStatus_RUNNING: goptuna.TrialStateRunning,
	}[trial.Status.Condition]
	if r.State != want || r.UserAttrs["katib_trial"] != trial.Name {
		t.Errorf("trial %s (%v) is recorded as %s, %v", trial.Name, trial.Status.Condition, r.UserAttrs["katib_trial"], r.State)
	}
	if want == goptuna.TrialStateComplete && strconv.FormatFloat(r.Value, 'g', -1, 64) != trial.Status.Observation.Metrics[1].Value {
		t.Errorf("trial %s has the value %v", trial.Name, r.Value)
	}
	for _, a := range trial.Spec.ParameterAssignments.Assignments {
		switch got := r.Params[a.Name].(type) {
		case string:
			if got != a.Value {
				t.Errorf("%s = %q, want %q", a.Name, got, a.Value)
			}
		case int:
			if strconv.Itoa(got) != a.Value {
				t.Errorf("%s = %d, want %s", a.Name, got, a.Value)
			}
		case float64:
			if x, err := strconv.ParseFloat(a.Value, 64); err != nil || math.Abs(x-got) > 1e-12 {
				t.Errorf("%s = %v, want %s", a.Name, got, a.Value)
			}
		default:
			t.Errorf("%s = %v", a.Name, got)
		}
	}
}

// A volume may be older than its experiment: what another of the same name has recorded is
// not mixed with it, though the first suggestions are the same.
func TestRecordOfANameThatCameBefore(t *testing.T) {
	dir := t.TempDir()
	run := func(direction api.ObjectiveType, values ...string) {
		recording := newService()
		recording.Record = newRecorder(t, dir)
		e := newExperiment(mixed()...)
		e.Spec.Objective.Type = direction
		wanted := int32(len(values))
		request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: wanted, TotalRequestNumber: wanted}
		ask(t, recording, request)
		for i, a := range ask(t, recording, request).GetParameterAssignments() { // which the controller may repeat
			request.Trials = append(request.Trials, newTrial(a, api.TrialStatus_SUCCEEDED, values[i], i))
		}
		request.CurrentRequestNumber = 0
		ask(t, recording, request)
		if err := recording.Record.Close(); err != nil {
			t.Fatal(err)
		}
	}
	run(api.ObjectiveType_MINIMIZE, "1", "2", "3")
	run(api.ObjectiveType_MAXIMIZE, "4", "5", "6")
	db, err := gorm.Open(sqlite.Open(filepath.Join(dir, suggestion.DatabaseFile)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"test": 1, "test #2": 6} {
		study, err := goptuna.LoadStudy(name, goptuna.StudyOptionStorage(rdb.NewStorage(db)))
		if err != nil {
			t.Fatal(err)
		}
		if best, err := study.GetBestValue(); err != nil || best != want {
			t.Errorf("%s: best value %v, error %v; want %v", name, best, err, want)
		}
	}
}

// A directory that cannot be written to is an error, which the program logs.
func TestNoDirectory(t *testing.T) {
	if _, err := suggestion.NewRecorder(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a file in a directory that is not there")
	}
}

// A file that another program has locked does not keep the answer from the controller,
// which waits for a minute.
func TestLockedDatabase(t *testing.T) {
	dir := t.TempDir()
	s := newService()
	s.Record = newRecorder(t, dir)
	request := &api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 3}
	ask(t, s, request)
	db, err := gorm.Open(sqlite.Open(filepath.Join(dir, suggestion.DatabaseFile)))
	if err != nil {
		t.Fatal(err)
	}
	tx := db.Begin()
	defer tx.Rollback()
	if err := tx.Exec("DELETE FROM studies WHERE 1 = 0").Error; err != nil {
		t.Fatal(err)
	}
	request.TotalRequestNumber = 6
	begin := time.Now()
	ask(t, s, request)
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the answer took %v", took)
	}
}

// When the database is lost while the service runs, it answers all the same.
func TestLostDatabase(t *testing.T) {
	dir := t.TempDir()
	s := newService()
	s.Record = newRecorder(t, dir)
	if err := s.Record.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, suggestion.DatabaseFile)); err != nil {
		t.Fatal(err)
	}
	request := &api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 3}
	if !equal(t, ask(t, s, request), ask(t, newService(), request)) {
		t.Error("a lost database changes the answer")
	}
}
