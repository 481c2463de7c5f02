package suggestion_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// These are what Katib's tests of its own services check, at 33c8ff4, for this
// one: each test names those that it stands for. What is about an algorithm of
// theirs (gamma of TPE, sigma of CMA-ES, combinations of a grid) is not here.

// katibSpace holds the parameters of test_hyperopt_service.py and
// test_optuna_service.py.
func katibSpace() []*api.ParameterSpec {
	const (
		INT, DOUBLE                            = api.ParameterType_INT, api.ParameterType_DOUBLE
		none                                   = api.Distribution_DISTRIBUTION_UNSPECIFIED
		uniform, logUniform, normal, logNormal = api.Distribution_UNIFORM, api.Distribution_LOG_UNIFORM, api.Distribution_NORMAL, api.Distribution_LOG_NORMAL
	)
	return []*api.ParameterSpec{
		parameter("param-1", INT, "1", "5", "", none),
		parameter("param-2", api.ParameterType_CATEGORICAL, "", "", "", none, "cat1", "cat2", "cat3"),
		parameter("param-3", api.ParameterType_DISCRETE, "", "", "", none, "3", "2", "6"),
		parameter("param-4", DOUBLE, "1", "5", "", none),
		parameter("param-5", DOUBLE, "1", "5", "0.5", logUniform),
		parameter("param-6", DOUBLE, "1", "5", "", logUniform),
		parameter("param-7", DOUBLE, "5", "10", "0.8", uniform),
		parameter("param-8", DOUBLE, "5", "10", "", uniform),
		parameter("param-9", DOUBLE, "5", "10", "0.8", normal),
		parameter("param-10", DOUBLE, "5", "10", "", normal),
		parameter("param-11", DOUBLE, "5", "10", "0.8", logNormal),
		parameter("param-12", DOUBLE, "5", "10", "", logNormal),
		parameter("param-13", INT, "1", "5", "", uniform),
		parameter("param-14", INT, "1", "5", "0.8", uniform),
		parameter("param-15", INT, "5", "10", "", logUniform),
		parameter("param-16", INT, "5", "10", "0.01", logUniform),
		parameter("param-17", INT, "5", "100", "", normal),
		parameter("param-18", INT, "5", "100", "0.01", normal),
		parameter("param-19", INT, "32", "64", "", logNormal),
		parameter("param-20", INT, "32", "64", "0.01", logNormal),
		parameter("param-21", DOUBLE, "32", "64", "0.01", none),
		parameter("param-22", INT, "32", "64", "0.01", none),
		parameter("param-23", DOUBLE, "1", "5", "1", none),
		parameter("param-24", INT, "1", "5", "2", uniform),
		parameter("param-25", INT, "1", "5", "2", logUniform),
		parameter("param-26", DOUBLE, "1", "11", "2.5", logUniform),
	}
}

// test_skopt_service.py and test_hyperopt_service.py, test_get_suggestion: trials
// of other values, or without the metric, are no reason to fail.
func TestGetSuggestion(t *testing.T) {
	foreign := func(name, metric string) *api.Trial {
		return &api.Trial{
			Name: name,
			Spec: &api.TrialSpec{
				Objective: &api.ObjectiveSpec{Type: api.ObjectiveType_MAXIMIZE, ObjectiveMetricName: "metric-2", Goal: 0.9},
				ParameterAssignments: &api.TrialSpec_ParameterAssignments{Assignments: []*api.ParameterAssignment{
					{Name: "param-1", Value: "2"}, {Name: "param-2", Value: "cat1"}, {Name: "param-3", Value: "2"}, {Name: "param-4", Value: "3.44"},
				}},
			},
			Status: &api.TrialStatus{Condition: api.TrialStatus_SUCCEEDED, Observation: &api.Observation{Metrics: []*api.Metric{
				{Name: "metric=1", Value: metric}, {Name: "metric=2", Value: metric},
			}}},
		}
	}
	for name, space := range map[string][]*api.ParameterSpec{"skopt": katibSpace()[:4], "hyperopt": katibSpace()} {
		e := set(newExperiment(space...), "random_state", "10")
		e.Spec.Objective = &api.ObjectiveSpec{Type: api.ObjectiveType_MAXIMIZE, Goal: 0.9}
		reply := ask(t, newService(), &api.GetSuggestionsRequest{
			Experiment: e, Trials: []*api.Trial{foreign("test-asfjh", "435"), foreign("test-234hs", "123")}, CurrentRequestNumber: 2,
		})
		for _, a := range reply.GetParameterAssignments() {
			checkAssignments(t, name, space, a)
		}
	}
}

// test_optuna_service.py, test_get_suggestion: trials with the values that were
// suggested are recognised, also by the metric that they name themselves.
// TestSuggestionService_GetSuggestions of the Goptuna service: each suggestion has
// a value for each parameter.
func TestGetSuggestionTwice(t *testing.T) {
	e := set(set(newExperiment(katibSpace()...), "random_state", "71"), "n_startup_trials", "20")
	e.Spec.Objective = &api.ObjectiveSpec{Type: api.ObjectiveType_MAXIMIZE, Goal: 0.9}
	s := newService()
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 2}
	for i, a := range ask(t, s, request).GetParameterAssignments() {
		checkAssignments(t, "first", katibSpace(), a)
		trial := newTrial(a, api.TrialStatus_SUCCEEDED, []string{"5643", "3028"}[i], 1)
		trial.Name = []string{"test-asfjh", "test-234hs"}[i]
		request.Trials = append(request.Trials, trial)
	}
	for _, a := range ask(t, s, request).GetParameterAssignments() {
		checkAssignments(t, "second", katibSpace(), a)
	}
}

func checkAssignments(t *testing.T, name string, space []*api.ParameterSpec, a *api.GetSuggestionsReply_ParameterAssignments) {
	t.Helper()
	if len(a.GetAssignments()) != len(space) {
		t.Fatalf("%s: %d values of %d parameters", name, len(a.GetAssignments()), len(space))
	}
	for i, p := range space {
		if got := a.GetAssignments()[i]; got.GetName() != p.GetName() || !isValue(p, got.GetValue()) {
			t.Errorf("%s: %s = %q is no value of %v", name, got.GetName(), got.GetValue(), p.GetFeasibleSpace())
		}
	}
}

// test_validate_algorithm_settings of test_skopt_service.py,
// test_hyperopt_service.py and test_optuna_service.py: only the algorithm is
// given.
func TestValidateAlgorithmSettings(t *testing.T) {
	for _, test := range []struct {
		algorithm, setting, value string
		want                      string // in the message, "" means OK
	}{
		{"fm", "random_state", "10", ""},
		{"bayesianoptimization", "random_state", "10", ""},
		{"fm", "n_startup_trials", "5", ""},
		{"unknown", "random_state", "10", "unknown algorithm name unknown"},
		{"", "random_state", "10", "unknown algorithm name"},
		{"bayesianoptimization", "unknown_conf", "1111", "unknown setting unknown_conf for algorithm bayesianoptimization"},
		{"fm", "unknown_conf", "1111", "unknown setting unknown_conf for algorithm fm"},
		{"bayesianoptimization", "base_estimator", "GP", ""},
		{"bayesianoptimization", "base_estimator", "unknown estimator", `setting base_estimator is "unknown estimator"`},
		{"bayesianoptimization", "n_initial_points", "-1", "at least 1"},
		{"bayesianoptimization", "n_initial_points", "8", ""},
		{"bayesianoptimization", "acq_func", "unknown", "expected improvement"},
		{"bayesianoptimization", "acq_optimizer", "unknown", "one optimizer"},
		{"bayesianoptimization", "random_state", "-1", "at least 0"},
		{"fm", "random_state", "-1", "at least 0"},
		{"fm", "random_state", "aaa", "whole number"},
		{"fm", "n_startup_trials", "-1", "at least 1"},
		{"fm", "n_startup_trials", "0", "at least 1"},
		{"fm", "n_model_trials", "0", "at least 1"},
		{"fm", "n_model_trials", "500", ""},
		{"fm", "deterministic", "True", ""},
		{"fm", "deterministic", "perhaps", "true or false"},
		{"fm", "kernel", "moddif", ""},
		{"fm", "kernel", "rbf", "modlap"},
	} {
		e := &api.Experiment{Name: "test", Spec: &api.ExperimentSpec{Algorithm: &api.AlgorithmSpec{
			AlgorithmName: test.algorithm, AlgorithmSettings: []*api.AlgorithmSetting{{Name: test.setting, Value: test.value}},
		}}}
		t.Run(test.algorithm+" "+test.setting+" "+test.value, func(t *testing.T) {
			if s := validate(e); test.want != "" {
				wantInvalid(t, s, test.want)
			} else if s.Code() != codes.OK {
				t.Error(s.Message())
			}
		})
	}
}

// test_unsupported_distribution_raises of test_optuna_service.py: no distribution
// is dropped without an error. All of Katib's are supported; one of a later
// version is refused.
func TestUnknownDistribution(t *testing.T) {
	e := newExperiment(parameter("x", api.ParameterType_DOUBLE, "0.1", "0.9", "", 17))
	wantInvalid(t, validate(e), "unknown distribution")
	_, err := newService().GetSuggestions(context.Background(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 1})
	wantInvalid(t, status.Convert(err), "unknown distribution")
}

// Test_toGoptunaDirection of the Goptuna service.
func TestDirection(t *testing.T) {
	for _, direction := range []api.ObjectiveType{api.ObjectiveType_MINIMIZE, api.ObjectiveType_MAXIMIZE} {
		best := optimize(t, direction)
		if best > 0.5 {
			t.Errorf("%v: the best value is %v away from the optimum", direction, best)
		}
	}
	e := newExperiment(mixed()...)
	e.Spec.Objective.Type = api.ObjectiveType_UNKNOWN
	wantInvalid(t, validate(e), "minimize or maximize")
}
