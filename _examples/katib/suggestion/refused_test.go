package suggestion_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// Spaces that cannot be are refused before anything runs, with a sentence that
// names the parameter.
func TestRefusedSpaces(t *testing.T) {
	const double, whole, discrete, categorical = api.ParameterType_DOUBLE, api.ParameterType_INT, api.ParameterType_DISCRETE, api.ParameterType_CATEGORICAL
	for _, test := range []struct {
		parameter *api.ParameterSpec
		want      string
	}{
		{parameter("x", double, "", "1", "", 0), `parameter "x" has min "", which is not a finite number`},
		{parameter("x", double, "0", "high", "", 0), `has max "high"`},
		{parameter("x", double, "0", "inf", "", 0), "not a finite number"},
		{parameter("x", double, "2", "1", "", 0), "min must not exceed max"},
		{parameter("x", double, "0", "1", "", api.Distribution_LOG_UNIFORM), "min must be positive"},
		{parameter("x", double, "-1", "1", "0.1", api.Distribution_LOG_NORMAL), "min must be positive"},
		{parameter("x", double, "0", "1", "-0.1", 0), "use a positive one"},
		{parameter("x", double, "0", "1", "0", 0), "use a positive one"},
		{parameter("x", double, "0", "1", "fine", 0), `has step "fine"`},
		{parameter("x", double, "0", "1", "1e-30", 0), "use a larger step"},
		{parameter("x", double, "-1.7e308", "1.7e308", "", 0), ""},
		{parameter("x", whole, "0.5", "3", "", 0), "use whole numbers"},
		{parameter("x", whole, "0", "3", "1.5", 0), "use a whole number"},
		{parameter("x", double, "-1e308", "1e308", "", api.Distribution_NORMAL), "too large or too small"},
		{parameter("x", double, "-8e307", "8e307", "", api.Distribution_NORMAL), ""},
		{parameter("x", double, "-1e308", "1e308", "1e307", 0), "too large or too small"},
		{parameter("x", double, "1", "1e120", "1e119", api.Distribution_LOG_UNIFORM), "too large or too small"},
		{parameter("x", double, "0", "3e-323", "3e-324", 0), "too large or too small"},
		{parameter("x", double, "0", "1e-89", "1e-99", 0), "too large or too small"},
		{parameter("x", double, "0", "1e-89", "1e-98", 0), ""},
		{parameter("x", whole, "0", "1e15", "", 0), ""},
		{parameter("x", whole, "0", "1e16", "", 0), "use a larger step"},
		{parameter("x", whole, "0", "9223372036854775807", "1000000000000000000", 0), `parameter "x" ranges from 0 to 9223372036854775807: these numbers are too large`},
		{parameter("x", whole, "-9223372036854775808", "0", "1000000000000000000", 0), ""},
		{parameter("x", whole, "0", "1e300", "1e299", 0), "too large or too small"},
		{parameter("x", discrete, "", "", "", 0), "empty list"},
		{parameter("x", discrete, "", "", "", 0, "1", "2", "1.0"), "one number twice"},
		{parameter("x", categorical, "", "", "", 0, "a", "b", "a"), `has "a" twice`},
		{parameter("x", api.ParameterType_UNKNOWN_TYPE, "0", "1", "", 0), "unknown type"},
		{parameter("", double, "0", "1", "", 0), "has no name"},
	} {
		e := newExperiment(test.parameter)
		s := validate(e)
		if test.want == "" {
			if s.Code() != codes.OK {
				t.Errorf("%v: %v", test.parameter, s.Message())
			}
			continue
		}
		wantInvalid(t, s, test.want)
		_, err := newService().GetSuggestions(context.Background(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 1})
		wantInvalid(t, status.Convert(err), test.want)
	}
}

func TestRefusedExperiments(t *testing.T) {
	for name, test := range map[string]struct {
		change func(e *api.Experiment)
		want   string
	}{
		"twice": {func(e *api.Experiment) {
			e.Spec.ParameterSpecs.Parameters = append(e.Spec.ParameterSpecs.Parameters, mixed()[0])
		}, `parameter "lr" is there twice`},
		"architecture": {func(e *api.Experiment) { e.Spec.NasConfig = &api.NasConfig{} }, "architectures"},
		"graph":        {func(e *api.Experiment) { set(e, "graph.optimiser", "path") }, `no parameter "optimiser"`},
		"not square":   {func(e *api.Experiment) { set(e, "graph.optimizer", "0 1; 1 0") }, "3 rows"},
		"short row":    {func(e *api.Experiment) { set(e, "graph.optimizer", "0 1 0; 1 0; 0 1 0") }, "row 2 has 2 entries"},
		"no number":    {func(e *api.Experiment) { set(e, "graph.optimizer", "0 1 0; 1 0 a; 0 1 0") }, `entry "a"`},
		"asymmetric":   {func(e *api.Experiment) { set(e, "graph.optimizer", "0 1 0; 0 0 1; 0 1 0") }, "symmetric"},
		"disconnected": {func(e *api.Experiment) { set(e, "graph.optimizer", "0 1 0; 1 0 0; 0 0 0") }, "connect"},
		"continuous":   {func(e *api.Experiment) { set(e, "graph.lr", "path") }, "categorical, discrete and uniform int"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExperiment(mixed()...)
			test.change(e)
			wantInvalid(t, validate(e), test.want)
		})
	}
}

// What is not an experiment yet has no suggestions.
func TestRefusedRequests(t *testing.T) {
	noObjective := newExperiment(mixed()...)
	noObjective.Spec.Objective = nil
	for name, test := range map[string]struct {
		request *api.GetSuggestionsRequest
		want    string
	}{
		"empty":         {&api.GetSuggestionsRequest{}, "unknown algorithm"},
		"no parameters": {&api.GetSuggestionsRequest{Experiment: newExperiment(), CurrentRequestNumber: 1}, "no parameters"},
		"no objective":  {&api.GetSuggestionsRequest{Experiment: noObjective, CurrentRequestNumber: 1}, "no objective"},
		"negative":      {&api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: -1}, "-1 suggestions"},
		"too many":      {&api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 2000000000}, "at most 1000"},
		"too late":      {&api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 1, TotalRequestNumber: 2000000000}, "at most 99999"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newService().GetSuggestions(context.Background(), test.request)
			wantInvalid(t, status.Convert(err), test.want)
		})
	}
}

// A request that nobody waits for is not answered.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := newService().GetSuggestions(ctx, &api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: 3})
	if code := status.Code(err); code != codes.Canceled {
		t.Errorf("%v, want CANCELLED", code)
	}
}

// A graph is taken by its name, and by its matrix with spaces or commas.
func TestGraphs(t *testing.T) {
	for _, text := range []string{"path", "cycle", "complete", "0 1 0; 1 0 2.5; 0 2.5 0", "0,1,0;1,0,1;0,1,0;"} {
		e := set(newExperiment(mixed()...), "graph.optimizer", text)
		if s := validate(e); s.Code() != codes.OK {
			t.Errorf("%q: %s", text, s.Message())
		}
		ask(t, newService(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 3})
	}
}
