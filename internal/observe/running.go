package observe

import (
	"math"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/plan"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// runningFactor and minRunning bound how long a running trial counts: so many
	// times the longest finished one, and never less than a minute.
	runningFactor = 5
	minRunning    = time.Minute
)

// runningLimit returns how long a running trial is taken to be evaluated. The
// worker of one that takes much longer than any before is gone: Goptuna leaves
// such trials running for ever.
func runningLimit(finished []history.Trial, timeout time.Duration) time.Duration {
	if timeout > 0 {
		return timeout
	}
	var longest time.Duration
	for _, t := range finished {
		if !t.DatetimeStart.IsZero() { // imported trials may have no dates
			longest = max(longest, t.DatetimeComplete.Sub(t.DatetimeStart))
		}
	}
	if longest == 0 {
		return math.MaxInt64
	}
	return max(minRunning, runningFactor*longest)
}

// setRunning sets the running trials that count, and what they evaluate.
func (p *Problem) setRunning(trial goptuna.FrozenTrial, timeout time.Duration) {
	limit := runningLimit(p.history.Finished, timeout)
	for _, r := range p.history.Running {
		// To the start of this trial, not to now: a suggestion depends on the
		// storage alone.
		if trial.DatetimeStart.Sub(r.DatetimeStart) > limit {
			continue
		}
		other := running{r, plan.Decode(r.SystemAttrs)}
		p.running = append(p.running, other)
		if x, ok := p.Planned(other.plan); ok {
			p.Tried.Plan(x)
			p.Pending = append(p.Pending, x)
		}
	}
}

// Planned returns the point of a plan, and false when it does not cover the space.
func (p *Problem) Planned(of *plan.Plan) (fmkernel.Point, bool) {
	values := space.Values{Internal: map[string]float64{}, Distributions: map[string]any{}}
	for _, param := range p.Space.Params() {
		if planned, ok := of.Values[param.Name]; ok && planned.Distribution == param.Fingerprint {
			values.Internal[param.Name], values.Distributions[param.Name] = planned.Value, param.Distribution
		}
	}
	x, bad := p.Space.Encode(values)
	return x, bad == nil
}
