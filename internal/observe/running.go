package observe

import (
	"encoding/json"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
)

const (
	// runningFactor and minRunning bound how long a running trial counts: so many
	// times the longest finished one, and never less than a minute.
	runningFactor = 5
	minRunning    = time.Minute
)

// RunningLimit returns how long a running trial counts where the user does not say.
func RunningLimit(h *history.History) time.Duration {
	return runningLimit(h.Finished, newCreations(h, goptuna.FrozenTrial{}), 0)
}

// runningLimit returns how long a running trial is taken to be evaluated. The
// worker of one that takes much longer than any before is gone: Goptuna leaves
// such trials running for ever. As long as all have failed nothing is known: many fail at once.
func runningLimit(finished []history.Trial, created creations, timeout time.Duration) time.Duration {
	if timeout > 0 {
		return timeout
	}
	var longest time.Duration
	known := false
	for _, t := range finished {
		if !t.DatetimeStart.IsZero() { // imported trials may have no dates
			took := t.DatetimeComplete.Sub(created.began(t, t.DatetimeComplete))
			longest, known = max(longest, took), known || took > 0 && !t.Failed()
		}
	}
	if !known {
		return math.MaxInt64
	}
	return max(minRunning, runningFactor*min(longest, math.MaxInt64/runningFactor))
}

// creations are the times at which trials were created to run that were not enqueued, in
// ascending order.
type creations []time.Time

func newCreations(h *history.History, trial goptuna.FrozenTrial) creations {
	var created creations
	for _, t := range slices.Concat(h.Finished, h.Running, []history.Trial{{FrozenTrial: trial}}) {
		// One that took no time was added: no worker asked for it while others waited.
		if !isEnqueued(t.SystemAttrs) && !t.DatetimeStart.Equal(t.DatetimeComplete) {
			created = append(created, t.DatetimeStart)
		}
	}
	slices.SortFunc(created, time.Time.Compare)
	return created
}

// began returns when a trial began, by the given time. The start of an enqueued one
// is when it was enqueued; it began before the next trial was created, because what
// waits goes first.
func (c creations) began(t history.Trial, by time.Time) time.Time {
	if !isEnqueued(t.SystemAttrs) {
		return t.DatetimeStart
	}
	if i := sort.Search(len(c), func(i int) bool { return c[i].After(t.DatetimeStart) }); i < len(c) && c[i].Before(by) {
		return c[i]
	}
	return by
}

// setRunning sets the running trials that count, and what they evaluate.
func (p *Problem) setRunning(trial goptuna.FrozenTrial, timeout time.Duration) {
	created := newCreations(p.history, trial)
	limit := runningLimit(p.history.Finished, created, timeout)
	for _, r := range p.history.Running {
		// To the start of this trial, not to now: a suggestion depends on the
		// storage alone.
		if trial.DatetimeStart.Sub(created.began(r, trial.DatetimeStart)) > limit {
			p.lost[r.ID] = true
			continue
		}
		planned := plan.Decode(r.SystemAttrs)
		p.plans = append(p.plans, planned)
		if x, ok := p.Claimed(planned, r.SystemAttrs); ok {
			p.Tried.Plan(x)
			p.Pending = append(p.Pending, x)
		}
	}
}

// Lost reports whether the worker of a running trial is taken to be dead: what it was to
// evaluate may come again.
func (p *Problem) Lost(trialID int) bool { return p.lost[trialID] }

// LostTrials returns the numbers of these trials, in ascending order.
func (p *Problem) LostTrials() (numbers []int) {
	for _, r := range p.history.Running {
		if p.lost[r.ID] {
			numbers = append(numbers, r.Number)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Claimed returns the point that another trial evaluates, and false when it is not
// known: that of its plan, or of the values that it was enqueued with. Goptuna gives
// it these by itself, and where they are all that it asks for there is no plan.
func (p *Problem) Claimed(of *plan.Plan, attrs map[string]string) (fmkernel.Point, bool) {
	if len(of.Values) > 0 || !isEnqueued(attrs) {
		return p.Planned(of)
	}
	values, err := Enqueued(attrs)
	if err != nil {
		return fmkernel.Point{}, false
	}
	values = p.named(values)
	for _, param := range p.Space.Params() {
		if value, ok := values[param.Name]; ok && !param.Contains(value) {
			return fmkernel.Point{}, false
		}
	}
	return p.Point(values)
}

// Planned returns the point of a plan, and false when it does not cover the space.
func (p *Problem) Planned(of *plan.Plan) (fmkernel.Point, bool) {
	values := map[string]float64{}
	for _, param := range p.Space.Params() {
		if value, ok := of.InSpace(param); ok {
			values[param.Name] = value
		}
	}
	return p.Point(values)
}

// FixedAttr is Goptuna's system attribute of an enqueued trial, which has its values.
const FixedAttr = "fixed_params"

func isEnqueued(attrs map[string]string) bool { return attrs[FixedAttr] != "" }

// Enqueued returns the values that a trial was enqueued with, none if it was not.
func Enqueued(attrs map[string]string) (map[string]float64, error) {
	values := map[string]float64{}
	if !isEnqueued(attrs) {
		return values, nil
	}
	err := json.Unmarshal([]byte(attrs[FixedAttr]), &values)
	return values, err
}
