package suggestion_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// atMost returns how many of so many suggestions have at most the given k, after
// trials of k = 0, ..., 39 with the condition and value that outcome returns.
func atMost(t *testing.T, limit, wanted int, outcome func(k int) (api.TrialStatus_TrialConditionType, string)) int {
	t.Helper()
	e := newExperiment(parameter("k", api.ParameterType_INT, "0", "99", "", 0), parameter("x", api.ParameterType_DOUBLE, "0", "1", "", 0))
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: int32(wanted)}
	for k := 0; k < 100; k += 3 {
		a := &api.GetSuggestionsReply_ParameterAssignments{TrialName: fmt.Sprintf("test-%d-aaaaa", k/3), Assignments: []*api.ParameterAssignment{
			{Name: "k", Value: strconv.Itoa(k)}, {Name: "x", Value: fmt.Sprint(float64(k*37%100) / 100)},
		}}
		condition, value := outcome(k)
		request.Trials = append(request.Trials, newTrial(a, condition, value, 2*k))
	}
	n := 0
	for _, a := range ask(t, newService(), request).GetParameterAssignments() {
		k, err := strconv.Atoi(values(a)["k"])
		if err != nil {
			t.Fatal(err)
		}
		if k <= limit {
			n++
		}
	}
	return n
}

// Where trials end without a value, and where the objective would be best if
// they had one, is avoided; trials that were killed, or of which nothing is known,
// say nothing.
func TestConditions(t *testing.T) {
	const limit, wanted = 45, 24
	always := func(value string) func(k int) string { return func(int) string { return value } }
	outcome := func(condition api.TrialStatus_TrialConditionType, value func(k int) string) func(k int) (api.TrialStatus_TrialConditionType, string) {
		return func(k int) (api.TrialStatus_TrialConditionType, string) {
			if k <= limit {
				return condition, value(k)
			}
			return api.TrialStatus_SUCCEEDED, strconv.Itoa(k) // the smaller, the better
		}
	}
	for _, test := range []struct {
		name      string
		condition api.TrialStatus_TrialConditionType
		value     func(k int) string
		avoided   bool
	}{
		{"failed", api.TrialStatus_FAILED, always(""), true},
		{"failed with a metric", api.TrialStatus_FAILED, always("-5"), true},
		{"without metrics", api.TrialStatus_METRICSUNAVAILABLE, always(""), true},
		{"succeeded without the metric", api.TrialStatus_SUCCEEDED, always(""), true},
		{"not a number", api.TrialStatus_SUCCEEDED, always("NaN"), true},
		{"unavailable", api.TrialStatus_SUCCEEDED, always("unavailable"), true},
		{"infinite", api.TrialStatus_SUCCEEDED, always("-inf"), true},
		{"killed", api.TrialStatus_KILLED, always(""), false},
		{"unknown", api.TrialStatus_UNKNOWN, always(""), false},
		{"of a later version", 99, always(""), false},
		{"bad", api.TrialStatus_SUCCEEDED, always("500"), true},
		{"good", api.TrialStatus_SUCCEEDED, func(k int) string { return strconv.Itoa(k - 100) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := atMost(t, limit-5, wanted, outcome(test.condition, test.value))
			if avoided := n <= wanted*3/4; avoided != test.avoided {
				t.Errorf("%d of %d suggestions lie there", n, wanted)
			}
		})
	}
}

// A trial that medianstop ended was not good: fewer suggestions lie there than if
// nothing were known.
func TestEarlyStopped(t *testing.T) {
	stopped := func(condition api.TrialStatus_TrialConditionType) int {
		return atMost(t, 45, 12, func(k int) (api.TrialStatus_TrialConditionType, string) {
			if k <= 45 {
				return condition, "0"
			}
			return api.TrialStatus_SUCCEEDED, strconv.Itoa(k)
		})
	}
	if with, without := stopped(api.TrialStatus_EARLYSTOPPED), stopped(api.TrialStatus_UNKNOWN); with >= without {
		t.Errorf("%d of 12 suggestions lie where trials were stopped, %d where nothing is known", with, without)
	}
}

// Running trials are being evaluated, whether they have started or not: the next
// suggestions are others than if nothing were known of them.
func TestRunningTrials(t *testing.T) {
	reply := func(condition api.TrialStatus_TrialConditionType, start string) *api.GetSuggestionsReply {
		request := history(t)
		for _, trial := range request.Trials[22:] {
			trial.Status = &api.TrialStatus{Condition: condition, StartTime: start}
		}
		r := ask(t, newService(), request)
		r.Algorithm = nil
		return r
	}
	running := reply(api.TrialStatus_RUNNING, "2026-01-01T00:01:00Z")
	if !equal(t, reply(api.TrialStatus_CREATED, ""), running) {
		t.Error("trials that have not started count for something else than those that have")
	}
	if equal(t, reply(api.TrialStatus_UNKNOWN, ""), running) {
		t.Error("trials of which nothing is known count as running")
	}
}
