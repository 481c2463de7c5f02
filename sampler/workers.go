package sampler

import (
	"math"
	"time"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// runningFactor and minRunning bound how long a running trial counts: so
	// many times the longest finished one, and never less than a minute.
	runningFactor = 5
	minRunning    = time.Minute
)

// runningLimit returns how long a running trial is taken to be evaluated. The
// worker of one that takes much longer than any before is gone: Goptuna leaves
// such trials running for ever.
func (t *task) runningLimit() time.Duration {
	if t.runningTimeout > 0 {
		return t.runningTimeout
	}
	var longest time.Duration
	for _, f := range t.Finished {
		longest = max(longest, f.DatetimeComplete.Sub(f.DatetimeStart))
	}
	if longest == 0 {
		return math.MaxInt64
	}
	return max(minRunning, runningFactor*longest)
}

// taken reports whether another process has planned the same configuration
// meanwhile, and marks it as used. Both store first and look then, at every plan
// that may have been made since the history was read, so that one of two sees the
// other.
func (t *task) taken(p *plan) (bool, error) {
	own, ok := t.planned(p)
	if !ok || t.used[t.space.Key(own)] {
		return false, nil // fixed by the user, or nothing else is left
	}
	if b, ok := t.branchOf(own); !ok || b.Trials == 0 {
		return false, nil // no configuration yet
	}
	later, err := t.Later(t.study, t.trial.ID)
	if err != nil {
		return false, err
	}
	taken := false
	for _, attrs := range later {
		x, ok := t.planned(decodePlan(attrs))
		if !ok {
			continue
		}
		key := t.space.Key(x)
		taken = taken || key == t.space.Key(own)
		t.used[key] = true
	}
	return taken, nil
}

// planned returns the point of a plan, and false when it does not cover the
// space.
func (t *task) planned(p *plan) (fmkernel.Point, bool) {
	values := space.Values{Internal: map[string]float64{}, Distributions: map[string]any{}}
	for _, param := range t.space.Params() {
		if planned, ok := p.Values[param.Name]; ok && planned.Distribution == t.prints[param.Name] {
			values.Internal[param.Name], values.Distributions[param.Name] = planned.Value, param.Distribution
		}
	}
	x, bad := t.space.Encode(values)
	return x, bad == nil
}
