package suggestion

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"google.golang.org/protobuf/proto"

	"github.com/goptuna-fm/goptuna-fm/_examples/katib/api"
)

// trial is a trial that the service knows of.
type trial struct {
	number  int
	name    string
	numbers map[string]float64 // the values, by parameter
	state   goptuna.TrialState
	value   float64 // of one that is complete
	// ignored says that the trial ended for reasons of its own: nothing follows for
	// the objective, and its values may be suggested again.
	ignored    bool
	unseen     bool // whether it is not part of the request
	start, end time.Time
}

// history is the trials of a request.
type history struct {
	trials []trial // by number
	next   int     // number of the next one
	unread int     // trials whose values are not the experiment's
}

// readTrials reads the trials of a request, and those that the controller leaves
// out although they were suggested.
func (x *experiment) readTrials(request *api.GetSuggestionsRequest) history {
	var h history
	received := int(request.GetTotalRequestNumber()) - int(request.GetCurrentRequestNumber())
	h.next = max(received, 0)
	for i, number := range numbers(request.GetTrials()) {
		h.next = max(h.next, number+1)
		t, ok := x.readTrial(request.GetTrials()[i])
		if !ok {
			h.unread++
			continue
		}
		t.number = number
		h.trials = append(h.trials, t)
	}
	h.trials = append(h.trials, x.unseen(h)...)
	slices.SortFunc(h.trials, func(a, b trial) int { return cmp.Compare(a.number, b.number) })
	return h
}

// numbers returns a number for each trial. Those that the service did not name
// get those that are free, in the order in which they started.
func numbers(trials []*api.Trial) []int {
	all := make([]int, len(trials))
	taken := map[int]bool{}
	var others []int
	order := make([]int, len(trials))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compareTrials(trials[i], trials[j]) })
	for _, i := range order {
		number, ok := trialNumber(trials[i])
		if ok && !taken[number] {
			all[i], taken[number] = number, true
		} else {
			others = append(others, i)
		}
	}
	next := 0
	for _, i := range others {
		for taken[next] {
			next++
		}
		all[i], taken[next] = next, true
	}
	return all
}

// compareTrials orders trials by their start, those that have not started last,
// whatever the order in which the controller lists them.
func compareTrials(a, b *api.Trial) int {
	startOf := func(t *api.Trial) string { return cmp.Or(t.GetStatus().GetStartTime(), "~") }
	if c := cmp.Or(cmp.Compare(startOf(a), startOf(b)), cmp.Compare(a.GetName(), b.GetName())); c != 0 {
		return c
	}
	return cmp.Compare(content(a), content(b))
}

// content returns the bytes of a trial, to order those that have no name.
func content(t *api.Trial) string {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(t)
	if err != nil {
		panic("suggestion: " + err.Error()) // it came as a message
	}
	return string(data)
}

// readTrial reads all of a trial but its number, and returns false when its values
// are not the experiment's.
func (x *experiment) readTrial(t *api.Trial) (r trial, ok bool) {
	texts := map[string]string{}
	for _, a := range t.GetSpec().GetParameterAssignments().GetAssignments() {
		texts[a.GetName()] = a.GetValue()
	}
	if r.numbers, ok = x.parse(texts); !ok {
		return r, false
	}
	r.name = t.GetName()
	r.start, r.end = parseTime(t.GetStatus().GetStartTime()), parseTime(t.GetStatus().GetCompletionTime())
	value, observed := x.objective(t)
	switch t.GetStatus().GetCondition() {
	case api.TrialStatus_SUCCEEDED:
		r.state = goptuna.TrialStateFail
		if observed {
			r.state, r.value = goptuna.TrialStateComplete, value
		}
	case api.TrialStatus_FAILED, api.TrialStatus_METRICSUNAVAILABLE:
		r.state = goptuna.TrialStateFail
	case api.TrialStatus_EARLYSTOPPED:
		r.state, r.value = goptuna.TrialStatePruned, value
	case api.TrialStatus_CREATED, api.TrialStatus_RUNNING:
		r.state = goptuna.TrialStateRunning
	default: // KILLED, UNKNOWN, and what later versions may have
		r.state, r.ignored = goptuna.TrialStatePruned, true
	}
	return r, true
}

// objective returns the value of the metric that is the objective. One that is not
// finite is none: the controller sends metrics as they were printed.
func (x *experiment) objective(t *api.Trial) (value float64, ok bool) {
	metric := cmp.Or(x.metric, t.GetSpec().GetObjective().GetObjectiveMetricName())
	for _, m := range t.GetStatus().GetObservation().GetMetrics() {
		if m.GetName() == metric {
			v, err := strconv.ParseFloat(strings.TrimSpace(m.GetValue()), 64)
			value, ok = v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
		}
	}
	if !ok {
		value = 0
	}
	return value, ok
}

// parseTime reads a time, zero for none.
func parseTime(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t.UTC()
}
