package suggestion_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// seeds adds requests to start from.
func seeds(f *testing.F) {
	add := func(m proto.Message) {
		data, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	add(&api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 2})
	add(&api.GetSuggestionsRequest{Experiment: newExperiment(katibSpace()...), CurrentRequestNumber: 1, TotalRequestNumber: 12})
	e := newExperiment(katibSpace()[1:5]...)
	for name, value := range map[string]string{
		"random_state": "1", "n_startup_trials": "2", "kernel": "addlap", "deterministic": "true",
		"graph.param-2": "0 1 0; 1 0 1; 0 1 0", "fm.state": `{"fit":{"o":3,"n":0.1,"s":1,"t":{"param-4":0.3},"b":{"param-2":1}},"open":{"2":["cat1","3","2.5","1.5"]}}`,
	} {
		set(e, name, value)
	}
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 2, TotalRequestNumber: 14}
	reply, err := newService().GetSuggestions(context.Background(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 12})
	if err != nil {
		f.Fatal(err)
	}
	for i, a := range reply.GetParameterAssignments() {
		request.Trials = append(request.Trials, newTrial(a, api.TrialStatus_TrialConditionType(i%8), "0.5", i))
	}
	for _, trial := range request.Trials[:6] {
		trial.Status.Condition = api.TrialStatus_SUCCEEDED
	}
	add(request)
}

// FuzzGetSuggestions checks that any message that is a request is refused by
// INVALID_ARGUMENT, or has an answer of as many suggestions as it wants, each
// with a value for each parameter, that is refused by nothing when it comes
// back. The same request has the same answer.
func FuzzGetSuggestions(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		request := &api.GetSuggestionsRequest{}
		if proto.Unmarshal(data, request) != nil {
			return
		}
		if request.CurrentRequestNumber > 5 || request.TotalRequestNumber > 200 { // takes long, and finds nothing else
			request.CurrentRequestNumber %= 5
			request.TotalRequestNumber %= 200
		}
		reply, ok := answer(t, request)
		if !ok {
			return
		}
		parameters := request.GetExperiment().GetSpec().GetParameterSpecs().GetParameters()
		if got := len(reply.GetParameterAssignments()); got != int(request.GetCurrentRequestNumber()) {
			t.Fatalf("%d suggestions, %d wanted", got, request.GetCurrentRequestNumber())
		}
		for i, a := range reply.GetParameterAssignments() {
			if len(a.GetAssignments()) != len(parameters) {
				t.Fatalf("%d values for %d parameters", len(a.GetAssignments()), len(parameters))
			}
			request.Trials = append(request.Trials, newTrial(a, api.TrialStatus_SUCCEEDED, "1", i))
		}
		request.Experiment.Spec.Algorithm.AlgorithmSettings = append(request.Experiment.Spec.Algorithm.AlgorithmSettings, reply.GetAlgorithm().GetAlgorithmSettings()...)
		first, ok := answer(t, request)
		if !ok {
			t.Fatal("refused the second time")
		}
		if second, _ := answer(t, request); !equal(t, first, second) {
			t.Fatal("two answers to one request")
		}
	})
}

// answer returns the answer to a request, and false for INVALID_ARGUMENT.
func answer(t *testing.T, request *api.GetSuggestionsRequest) (*api.GetSuggestionsReply, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	reply, err := newService().GetSuggestions(ctx, request)
	if code := status.Code(err); code != codes.OK && code != codes.InvalidArgument {
		t.Fatalf("%v: %v", code, err)
	}
	return reply, err == nil
}

// FuzzValidateAlgorithmSettings checks that what is accepted has suggestions, once
// it has parameters and an objective.
func FuzzValidateAlgorithmSettings(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		request := &api.GetSuggestionsRequest{}
		if proto.Unmarshal(data, request) != nil {
			return
		}
		s := validate(request.GetExperiment())
		if s.Code() != codes.OK && s.Code() != codes.InvalidArgument {
			t.Fatal(s.Err())
		}
		e := request.GetExperiment()
		if s.Code() == codes.OK && e.GetSpec().GetObjective() != nil && len(e.GetSpec().GetParameterSpecs().GetParameters()) > 0 {
			if _, ok := answer(t, &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 1}); !ok {
				t.Fatal("accepted, and refused later")
			}
		}
	})
}
