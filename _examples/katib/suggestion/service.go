package suggestion

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// maxWanted bounds the suggestions of one request: the controller waits a minute.
const maxWanted = 1000

// Service implements Katib's suggestion service. It is safe for concurrent use.
type Service struct {
	api.UnimplementedSuggestionServer

	// Log gets what goes wrong and is handled. It must be set.
	Log *slog.Logger
	// Record, where it is set, copies experiments to a database.
	Record *Recorder

	mu sync.Mutex // one suggestion at a time, to bound the memory
}

// GetSuggestions answers with as many suggestions as the request wants. They are a
// function of the request. The error is INVALID_ARGUMENT for a request that has
// no answer.
func (s *Service) GetSuggestions(ctx context.Context, request *api.GetSuggestionsRequest) (*api.GetSuggestionsReply, error) {
	x, h, err := read(request)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if h.unread > 0 {
		s.Log.Warn("trials whose values are not the experiment's are left out", "experiment", x.name, "trials", h.unread)
	}
	wanted := int(request.GetCurrentRequestNumber())
	s.mu.Lock()
	defer s.mu.Unlock()
	study, err := newStudy(x, h.trials, wanted, parseState(x.state).Fit, s.Record != nil, s.Log)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	for n := range wanted {
		if err := ctx.Err(); err != nil {
			return nil, status.FromContextError(err).Err()
		}
		t, err := study.suggest(h.next + n)
		if err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		h.trials = append(h.trials, t)
	}
	if s.Record != nil {
		isFirst := len(request.GetTrials()) == 0 && int(request.GetTotalRequestNumber()) <= wanted
		if err := s.Record.write(study, h.trials, isFirst); err != nil {
			s.Log.Error("the experiment was not recorded", "experiment", x.name, "error", err)
		}
	}
	return reply(request, study, h.trials, wanted), nil
}

// read reads a request. Errors are for the user.
func read(request *api.GetSuggestionsRequest) (*experiment, history, error) {
	x, err := readExperiment(request.GetExperiment())
	if err == nil {
		err = x.complete()
	}
	if err != nil {
		return nil, history{}, err
	}
	wanted := int(request.GetCurrentRequestNumber())
	if wanted < 0 || wanted > maxWanted {
		return nil, history{}, fmt.Errorf("%d suggestions are wanted: at most %d are possible", wanted, maxWanted)
	}
	h := x.readTrials(request)
	if h.next+wanted > maxNumber {
		return nil, history{}, fmt.Errorf("the experiment has %d trials: at most %d are possible", h.next+wanted, maxNumber)
	}
	return x, h, nil
}

// ValidateAlgorithmSettings answers INVALID_ARGUMENT, with a sentence, for an
// experiment that cannot be tuned.
func (s *Service) ValidateAlgorithmSettings(_ context.Context, request *api.ValidateAlgorithmSettingsRequest) (*api.ValidateAlgorithmSettingsReply, error) {
	if _, err := readExperiment(request.GetExperiment()); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return &api.ValidateAlgorithmSettingsReply{}, nil
}

// reply returns the answer: the last trials, as many as are wanted, and what the
// next request is to say of all of them.
func reply(request *api.GetSuggestionsRequest, s *study, trials []trial, wanted int) *api.GetSuggestionsReply {
	r := &api.GetSuggestionsReply{}
	for _, t := range trials[len(trials)-wanted:] {
		a := &api.GetSuggestionsReply_ParameterAssignments{
			TrialName: t.name, Labels: map[string]string{numberLabel: strconv.Itoa(t.number)},
		}
		for i, text := range s.texts(t.numbers) {
			a.Assignments = append(a.Assignments, &api.ParameterAssignment{Name: s.params[i].name, Value: text})
		}
		r.ParameterAssignments = append(r.ParameterAssignments, a)
	}
	after := state{Fit: s.fit, Open: map[int][]string{}}
	for _, t := range trials {
		if !t.state.IsFinished() || t.unseen {
			after.Open[t.number] = s.texts(t.numbers)
		}
	}
	r.Algorithm = &api.AlgorithmSpec{
		AlgorithmName:     request.GetExperiment().GetSpec().GetAlgorithm().GetAlgorithmName(),
		AlgorithmSettings: []*api.AlgorithmSetting{{Name: stateSetting, Value: after.String()}},
	}
	return r
}
