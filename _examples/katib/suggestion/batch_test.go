package suggestion_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// The suggestions of a request are distinct, at the start and later on, and take
// less than the minute that the controller waits.
func TestBatches(t *testing.T) {
	for _, wanted := range []int32{3, 20, 100} {
		if wanted == 100 && testing.Short() {
			continue
		}
		request := history(t)
		request.CurrentRequestNumber = wanted
		seen := map[string]bool{}
		for _, trial := range request.Trials {
			seen[fmt.Sprint(trial.Spec.ParameterAssignments.Assignments)] = true
		}
		before := len(seen)
		start := time.Now()
		for _, a := range ask(t, newService(), request).GetParameterAssignments() {
			seen[fmt.Sprint(a.Assignments)] = true
		}
		if got := len(seen) - before; got != int(wanted) {
			t.Errorf("%d of %d suggestions are new", got, wanted)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%d suggestions took %v", wanted, took)
		}
		first := &api.GetSuggestionsRequest{Experiment: newExperiment(mixed()...), CurrentRequestNumber: wanted}
		seen = map[string]bool{}
		for _, a := range ask(t, newService(), first).GetParameterAssignments() {
			seen[key(a)] = true
		}
		if len(seen) != int(wanted) {
			t.Errorf("%d of the first %d suggestions are distinct", len(seen), wanted)
		}
	}
}

// A batch does not look at one place only: of ten suggestions, some are around the
// optimum, and some are not.
func TestBatchSpreads(t *testing.T) {
	e := newExperiment(parameter("x", api.ParameterType_DOUBLE, "0", "1", "", 0), parameter("y", api.ParameterType_DOUBLE, "0", "1", "", 0))
	number := func(v map[string]string, name string) float64 {
		x, err := strconv.ParseFloat(v[name], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	trials := run(t, e, 12, func(v map[string]string) string {
		x, y := number(v, "x")-0.3, number(v, "y")-0.6
		return fmt.Sprint(x*x + y*y)
	})
	near := 0
	request := &api.GetSuggestionsRequest{Experiment: e, Trials: trials, CurrentRequestNumber: 10, TotalRequestNumber: 22}
	for _, a := range ask(t, newService(), request).GetParameterAssignments() {
		x, y := number(values(a), "x"), number(values(a), "y")
		if math.Hypot(x-0.3, y-0.6) < 0.1 {
			near++
		}
	}
	if near == 0 || near > 8 {
		t.Errorf("%d of 10 suggestions are near the optimum", near)
	}
}

// While there are configurations without a trial, none comes twice; after that the
// request still gets as many as it wants. On grids that Goptuna does not have, too.
func TestExhaustedSpaces(t *testing.T) {
	for name, space := range map[string][]*api.ParameterSpec{
		"uniform":     {parameter("k", api.ParameterType_INT, "1", "3", "", 0), parameter("c", api.ParameterType_CATEGORICAL, "", "", "", 0, "a", "b")},
		"log-uniform": {parameter("k", api.ParameterType_INT, "1", "3", "", api.Distribution_LOG_UNIFORM), parameter("c", api.ParameterType_CATEGORICAL, "", "", "", 0, "a", "b")},
		"normal":      {parameter("k", api.ParameterType_INT, "1", "6", "", api.Distribution_NORMAL)},
		"one value":   {parameter("k", api.ParameterType_INT, "1", "6", "", 0), parameter("x", api.ParameterType_DOUBLE, "2", "2", "", api.Distribution_NORMAL)},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExperiment(space...)
			set(e, "n_startup_trials", "4")
			atOnce := map[string]bool{}
			for _, a := range ask(t, newService(), &api.GetSuggestionsRequest{Experiment: e, CurrentRequestNumber: 6}).GetParameterAssignments() {
				atOnce[key(a)] = true
			}
			if len(atOnce) != 6 {
				t.Errorf("6 suggestions at once have %d configurations", len(atOnce))
			}
			seen := map[string]bool{}
			for n, trial := range run(t, e, 9, func(v map[string]string) string { return fmt.Sprint(len(v["c"]), v["k"])[2:] }) {
				seen[fmt.Sprint(trial.Spec.ParameterAssignments)] = true
				if n < 6 && len(seen) != n+1 {
					t.Errorf("trial %d repeats a configuration", n)
				}
			}
			if len(seen) != 6 {
				t.Errorf("%d of 6 configurations", len(seen))
			}
		})
	}
}
