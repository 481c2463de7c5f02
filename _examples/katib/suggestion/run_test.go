package suggestion_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// isValue reports whether a text is a value of a parameter, read as Katib's users
// read it.
func isValue(p *api.ParameterSpec, text string) bool {
	space := p.GetFeasibleSpace()
	if len(space.GetList()) > 0 {
		return slices.Contains(space.GetList(), text)
	}
	rat := func(text string) *big.Rat {
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			return new(big.Rat)
		}
		return r
	}
	x, low, high := rat(text), rat(space.GetMin()), rat(space.GetMax())
	if _, err := strconv.ParseFloat(text, 64); err != nil || x.Cmp(low) < 0 || x.Cmp(high) > 0 {
		return false
	}
	step := rat(space.GetStep())
	if p.GetParameterType() == api.ParameterType_INT {
		if _, err := strconv.Atoi(text); err != nil {
			return false
		}
		if !step.IsInt() || step.Sign() == 0 {
			step = big.NewRat(1, 1)
		}
	}
	if step.Sign() == 0 {
		return true
	}
	x.Sub(x, low)
	return x.Quo(x, step).IsInt()
}

// optimize runs 30 trials on x² + (k - 3)², or its negative, and returns the
// distance of the best value from the optimum.
func optimize(t *testing.T, direction api.ObjectiveType) float64 {
	t.Helper()
	e := newExperiment(
		parameter("x", api.ParameterType_DOUBLE, "-5", "5", "", api.Distribution_UNIFORM),
		parameter("k", api.ParameterType_INT, "0", "9", "", api.Distribution_UNIFORM),
	)
	e.Spec.Objective.Type = direction
	best := math.Inf(1)
	run(t, e, 30, func(v map[string]string) string {
		x, err := strconv.ParseFloat(v["x"], 64)
		if err != nil {
			t.Fatal(err)
		}
		k, err := strconv.Atoi(v["k"])
		if err != nil {
			t.Fatal(err)
		}
		distance := x*x + float64((k-3)*(k-3))
		best = min(best, distance)
		if direction == api.ObjectiveType_MAXIMIZE {
			return fmt.Sprint(-distance)
		}
		return fmt.Sprint(distance)
	})
	return best
}

// run runs an experiment three trials at a time, as the controller does, and
// returns its trials. An objective of "" is a trial that fails.
func run(t *testing.T, e *api.Experiment, trials int, objective func(values map[string]string) string) []*api.Trial {
	t.Helper()
	request := &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 3}
	own := e.Spec.Algorithm.AlgorithmSettings
	for len(request.Trials) < trials {
		request.TotalRequestNumber = int32(len(request.Trials)) + request.CurrentRequestNumber
		reply := ask(t, newService(), request)
		for _, a := range reply.GetParameterAssignments() {
			value, condition := objective(values(a)), api.TrialStatus_SUCCEEDED
			if value == "" {
				condition = api.TrialStatus_FAILED
			}
			request.Trials = append(request.Trials, newTrial(a, condition, value, 2*len(request.Trials)))
		}
		e.Spec.Algorithm.AlgorithmSettings = append(slices.Clone(own), reply.GetAlgorithm().GetAlgorithmSettings()...)
	}
	return request.Trials
}
