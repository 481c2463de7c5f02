package suggestion_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
	"github.com/goptuna-fm/goptuna-fm/_examples/katib/suggestion"
)

func newService() *suggestion.Service {
	return &suggestion.Service{Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// parameter returns a parameter of that type; what does not belong to the type is empty.
func parameter(name string, kind api.ParameterType, low, high, step string, d api.Distribution, list ...string) *api.ParameterSpec {
	return &api.ParameterSpec{Name: name, ParameterType: kind, FeasibleSpace: &api.FeasibleSpace{Min: low, Max: high, Step: step, Distribution: d, List: list}}
}

func newExperiment(parameters ...*api.ParameterSpec) *api.Experiment {
	return &api.Experiment{Name: "test", Spec: &api.ExperimentSpec{
		Algorithm:      &api.AlgorithmSpec{AlgorithmName: "fm"},
		Objective:      &api.ObjectiveSpec{Type: api.ObjectiveType_MINIMIZE, ObjectiveMetricName: "loss"},
		ParameterSpecs: &api.ExperimentSpec_ParameterSpecs{Parameters: parameters},
	}}
}

func set(e *api.Experiment, name, value string) *api.Experiment {
	e.Spec.Algorithm.AlgorithmSettings = append(e.Spec.Algorithm.AlgorithmSettings, &api.AlgorithmSetting{Name: name, Value: value})
	return e
}

// mixed is a small space of all types.
func mixed() []*api.ParameterSpec {
	return []*api.ParameterSpec{
		parameter("lr", api.ParameterType_DOUBLE, "1e-5", "1", "", api.Distribution_LOG_UNIFORM),
		parameter("momentum", api.ParameterType_DOUBLE, "0", "0.99", "", api.Distribution_UNIFORM),
		parameter("layers", api.ParameterType_INT, "1", "8", "", api.Distribution_DISTRIBUTION_UNSPECIFIED),
		parameter("batch", api.ParameterType_DISCRETE, "", "", "", 0, "16", "32", "64", "128"),
		parameter("optimizer", api.ParameterType_CATEGORICAL, "", "", "", 0, "sgd", "adam", "rmsprop"),
	}
}

// ask returns the suggestions of a request, which must be as many as it wants.
func ask(t testing.TB, s *suggestion.Service, request *api.GetSuggestionsRequest) *api.GetSuggestionsReply {
	t.Helper()
	reply, err := s.GetSuggestions(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(reply.GetParameterAssignments()); got != int(request.GetCurrentRequestNumber()) {
		t.Fatalf("%d suggestions, %d wanted", got, request.GetCurrentRequestNumber())
	}
	return reply
}

// values returns the values of a suggestion by parameter.
func values(a *api.GetSuggestionsReply_ParameterAssignments) map[string]string {
	m := map[string]string{}
	for _, v := range a.GetAssignments() {
		m[v.GetName()] = v.GetValue()
	}
	return m
}

// newTrial returns a trial of a suggestion. A value of "" means that it has none.
func newTrial(a *api.GetSuggestionsReply_ParameterAssignments, condition api.TrialStatus_TrialConditionType, value string, second int) *api.Trial {
	at := func(s int) string {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s) * time.Second).Format(time.RFC3339)
	}
	t := &api.Trial{
		Name: a.GetTrialName(),
		Spec: &api.TrialSpec{
			Objective:            &api.ObjectiveSpec{ObjectiveMetricName: "loss"},
			ParameterAssignments: &api.TrialSpec_ParameterAssignments{Assignments: a.GetAssignments()},
		},
		Status: &api.TrialStatus{Condition: condition, StartTime: at(second), CompletionTime: at(second + 1)},
	}
	if value != "" {
		t.Status.Observation = &api.Observation{Metrics: []*api.Metric{{Name: "other", Value: "7"}, {Name: "loss", Value: value}}}
	}
	return t
}

// equal reports whether two messages are the same bytes.
func equal(t testing.TB, a, b proto.Message) bool {
	t.Helper()
	marshal := func(m proto.Message) string {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return marshal(a) == marshal(b)
}

// key returns a text that tells configurations apart.
func key(a *api.GetSuggestionsReply_ParameterAssignments) string { return fmt.Sprint(values(a)) }

func validate(e *api.Experiment) *status.Status {
	_, err := newService().ValidateAlgorithmSettings(context.Background(), &api.ValidateAlgorithmSettingsRequest{Experiment: e})
	return status.Convert(err)
}

func wantInvalid(t *testing.T, s *status.Status, text string) {
	t.Helper()
	if s.Code() != codes.InvalidArgument {
		t.Errorf("%v, want INVALID_ARGUMENT", s.Code())
	}
	if text != "" && !strings.Contains(s.Message(), text) {
		t.Errorf("message %q, want %q in it", s.Message(), text)
	}
}
