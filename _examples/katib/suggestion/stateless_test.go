package suggestion_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// lossOf returns an objective value of the values of mixed.
func lossOf(v map[string]string) string {
	momentum, _ := strconv.ParseFloat(v["momentum"], 64)
	layers, _ := strconv.Atoi(v["layers"])
	return fmt.Sprint((momentum-0.7)*(momentum-0.7) + 0.1*float64((layers-5)*(layers-5)) + float64(len(v["optimizer"])))
}

// history returns a request for three suggestions after some finished and two
// running trials.
func history(t *testing.T) *api.GetSuggestionsRequest {
	t.Helper()
	e := newExperiment(mixed()...)
	n := 0
	trials := run(t, e, 24, func(v map[string]string) string {
		if n++; n%5 == 0 {
			return ""
		}
		return lossOf(v)
	})
	for _, trial := range trials[22:] {
		trial.Status = &api.TrialStatus{Condition: api.TrialStatus_RUNNING, StartTime: trial.Status.StartTime}
	}
	return &api.GetSuggestionsRequest{Experiment: e, Trials: trials, CurrentRequestNumber: 3, TotalRequestNumber: int32(len(trials)) + 3}
}

// The answer is a function of the request: of the trials, not their order, and
// neither of what the process has answered before nor of where it runs.
func TestSameRequestSameAnswer(t *testing.T) {
	request := history(t)
	want := ask(t, newService(), request)
	busy := newService()
	for seed := range uint64(3) {
		other := proto.CloneOf(request)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(other.Trials), func(i, j int) {
			other.Trials[i], other.Trials[j] = other.Trials[j], other.Trials[i]
		})
		if !equal(t, ask(t, busy, other), want) {
			t.Error("the trials in another order have another answer")
		}
	}
	cores := runtime.GOMAXPROCS(1)
	alone := ask(t, newService(), request)
	runtime.GOMAXPROCS(cores + 3)
	if together := ask(t, newService(), request); !equal(t, alone, want) || !equal(t, together, want) {
		t.Error("another number of cores has another answer")
	}
	runtime.GOMAXPROCS(cores)
	other := proto.CloneOf(request)
	other.Trials = other.Trials[:10]
	if equal(t, ask(t, busy, other), want) {
		t.Error("other trials have the same answer")
	}
}

// Trials are recognised by name, by label, or by their values alone; in any case
// none comes twice, and the answer is the same each time.
func TestRecognised(t *testing.T) {
	request := history(t)
	want := ask(t, newService(), request)
	labelled := proto.CloneOf(request)
	for i, trial := range labelled.Trials {
		trial.Name = fmt.Sprintf("test-%08x", i*7919)
		trial.Spec.Labels = map[string]string{"goptuna-fm/number": strconv.Itoa(i)}
	}
	got := ask(t, newService(), labelled)
	if !equal(t, got, want) {
		t.Error("trials that are known by their labels have another answer")
	}
	unknown := proto.CloneOf(labelled)
	unknown.Experiment.Spec.Algorithm.AlgorithmSettings = nil
	seen := map[string]bool{}
	for _, trial := range unknown.Trials {
		trial.Spec.Labels = nil
		seen[fmt.Sprint(trial.Spec.ParameterAssignments)] = true
	}
	first := ask(t, newService(), unknown)
	slices.Reverse(unknown.Trials)
	second := ask(t, newService(), unknown)
	if !equal(t, first, second) {
		t.Error("trials that are not known have two answers")
	}
	for _, a := range first.GetParameterAssignments() {
		if seen[fmt.Sprint(&api.TrialSpec_ParameterAssignments{Assignments: a.GetAssignments()})] {
			t.Errorf("%v comes twice", values(a))
		}
	}
}

// Names of trials are unique and name objects of Kubernetes.
func TestNames(t *testing.T) {
	request := &api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 100}
	var names []string
	for _, a := range ask(t, newService(), request).GetParameterAssignments() {
		names = append(names, a.GetTrialName())
		if len(a.GetLabels()) != 1 || a.GetLabels()["goptuna-fm/number"] != strconv.Itoa(len(names)-1) {
			t.Errorf("trial %d has labels %v", len(names)-1, a.GetLabels())
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != 100 {
		t.Error("names come twice")
	}
	other := set(newExperiment(mixed()...), "random_state", "1")
	if got := ask(t, newService(), &api.GetSuggestionsRequest{Experiment: other, CurrentRequestNumber: 1}).GetParameterAssignments()[0].GetTrialName(); slices.Contains(names, got) {
		t.Errorf("%s is a trial of other values, too", got)
	}
	request.Experiment.Name = "a-name-of-as-many-letters-as-katib-takes"
	request.TotalRequestNumber = 99000
	for _, a := range ask(t, newService(), request).GetParameterAssignments() {
		if len(a.GetTrialName()) > 52 || len(a.GetTrialName()) < 50 {
			t.Errorf("%s has %d characters", a.GetTrialName(), len(a.GetTrialName()))
		}
	}
	// The controller names trials where we cannot.
	for _, name := range []string{"", "Capital", "under_score", "a-name-with-one-letter-more-than-katib-tk"} {
		request.Experiment.Name, request.TotalRequestNumber = name, 0
		if got := ask(t, newService(), request).GetParameterAssignments()[0].GetTrialName(); got != "" {
			t.Errorf("experiment %q has a trial %q", name, got)
		}
	}
}

const leftOutTrials = 16

// leftOut runs an experiment of 40 configurations on which trials with a < 5 have no
// metrics, and are left out by the controller; without them, all others seem worse
// the farther they are from there. It returns how many configurations are
// distinct, and how many have no metrics.
func leftOut(t *testing.T, seed int, change func(e *api.Experiment)) (distinct, withoutMetrics int) {
	t.Helper()
	e := set(newExperiment(
		parameter("a", api.ParameterType_INT, "1", "10", "", 0),
		parameter("b", api.ParameterType_CATEGORICAL, "", "", "", 0, "w", "x", "y", "z"),
	), "n_startup_trials", "4")
	set(e, "random_state", strconv.Itoa(seed))
	own := e.Spec.Algorithm.AlgorithmSettings
	seen := map[string]bool{}
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 1}
	for n := range leftOutTrials {
		request.TotalRequestNumber = int32(n) + 1
		reply := ask(t, newService(), request)
		a := reply.GetParameterAssignments()[0]
		seen[key(a)] = true
		if v := values(a)["a"]; v < "5" && v != "10" {
			withoutMetrics++
		} else {
			request.Trials = append(request.Trials, newTrial(a, api.TrialStatus_SUCCEEDED, values(a)["a"], n))
		}
		e.Spec.Algorithm.AlgorithmSettings = append(slices.Clone(own), reply.GetAlgorithm().GetAlgorithmSettings()...)
		change(e)
	}
	return len(seen), withoutMetrics
}

// The controller leaves out trials whose metrics are unavailable. They are
// remembered in the setting that it keeps, and do not come again; where they
// lie, fewer are suggested than if they might have been stopped early, and have
// metrics later.
func TestTrialsLeftOut(t *testing.T) {
	failed, stopped, repeated := 0, 0, 0
	for seed := range 5 {
		distinct, n := leftOut(t, seed, func(*api.Experiment) {})
		failed += n
		early, n := leftOut(t, seed, func(e *api.Experiment) { e.Spec.EarlyStopping = &api.EarlyStoppingSpec{AlgorithmName: "medianstop"} })
		stopped += n
		if distinct != leftOutTrials || early != leftOutTrials {
			t.Errorf("%d trials have %d configurations, or %d if they were stopped early", leftOutTrials, distinct, early)
		}
		without, _ := leftOut(t, seed, func(e *api.Experiment) { e.Spec.Algorithm.AlgorithmSettings = e.Spec.Algorithm.AlgorithmSettings[:2] })
		repeated += leftOutTrials - without
	}
	if failed >= stopped {
		t.Errorf("%d trials lie where there are no metrics, %d if these were stopped early", failed, stopped)
	}
	if repeated == 0 {
		t.Error("without the setting no configuration comes twice: the test shows nothing")
	}
}

// When the number of parallel trials is reduced, the controller deletes the latest
// trials and counts them no more. Their values may come again.
func TestDeletedTrials(t *testing.T) {
	e := newExperiment(mixed()...)
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 5, TotalRequestNumber: 5}
	reply := ask(t, newService(), request)
	for i, a := range reply.GetParameterAssignments()[:2] {
		request.Trials = append(request.Trials, newTrial(a, api.TrialStatus_SUCCEEDED, "1", i))
	}
	request.CurrentRequestNumber, request.TotalRequestNumber = 2, 4
	e.Spec.Algorithm.AlgorithmSettings = nil
	want := ask(t, newService(), request)
	e.Spec.Algorithm.AlgorithmSettings = reply.GetAlgorithm().GetAlgorithmSettings()
	if !equal(t, ask(t, newService(), request), want) {
		t.Error("trials that were deleted change the answer")
	}
	request.TotalRequestNumber = 7
	if equal(t, ask(t, newService(), request), want) {
		t.Error("trials that are left out do not change the answer")
	}
}

// A setting that is not ours, or not intact, is no reason to fail.
func TestBrokenState(t *testing.T) {
	for _, text := range []string{
		"", "{", "null", `{"open":{"-1":["x"],"7":["a","b"],"9":null}}`, `{"fit":{"o":-5}}`,
		`{"fit":{"o":20,"n":1e300,"s":1e-300,"y":"nonsense","g":{"o":900,"g":{}}}}`,
		`{"fit":{"o":3,"n":-1,"s":0,"t":{"lr":0},"b":{"optimizer":-7}}}`,
	} {
		request := history(t)
		request.Experiment.Spec.Algorithm.AlgorithmSettings = nil
		set(request.Experiment, "fm.state", text)
		ask(t, newService(), request)
		if s := validate(request.Experiment); s.Code() != 0 {
			t.Errorf("%q: %s", text, s.Message())
		}
	}
}
