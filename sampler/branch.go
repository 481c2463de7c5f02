package sampler

import (
	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/history"
	"github.com/goptuna-fm/goptuna-fm/internal/space"
)

const (
	// branchHistory bounds the trials that branches are learned from, the most
	// recent ones.
	branchHistory = 1000
	// minBranchTrials is how many trials each branch gets at least, and fairShare
	// the part of its even share of all trials. In one trial of fairPeriod the
	// branch that lacks most has its turn.
	minBranchTrials = 2
	fairShare       = 0.5
	fairPeriod      = 2
	// branchFailures is how many trials may fail in a branch where none has
	// succeeded yet.
	branchFailures = 3
)

// branch is a branch of the space, and what came of it.
type branch struct {
	space.Branch
	failures int // trials that failed where none has succeeded
}

// recent returns the last branchHistory elements.
func recent[T any](s []T) []T { return s[max(0, len(s)-branchHistory):] }

// encodeFailed takes note of a trial without a value. It may have ended before
// it asked for all that others ask for: it counts as a configuration where
// others have the same parameters. Where nothing is known of a branch but
// failures, it is one of these.
func (t *task) encodeFailed(f history.Trial) {
	x, bad := t.space.Encode(space.Values{Internal: f.InternalParams, Distributions: f.Distributions})
	for i := range t.branches {
		b := &t.branches[i]
		switch {
		case b.Trials > 0 && bad == nil && t.space.Contains(b.Branch, x):
			t.used[t.space.Key(x)] = true
			t.censored, t.ended = append(t.censored, x), append(t.ended, f)
			return
		case b.Trials == 0 && t.leadsInto(*b, f.InternalParams, f.Distributions):
			b.failures++
			return
		}
	}
}

// leadsInto reports whether no value rules out the branch.
func (t *task) leadsInto(b branch, values map[string]float64, distributions map[string]any) bool {
	for _, p := range t.space.Params() {
		if value, ok := values[p.Name]; ok {
			if u, ok := p.EncodeFrom(value, distributions[p.Name]); !ok || !t.space.Allows(b.Branch, p, u) {
				return false
			}
		}
	}
	return true
}

// narrow keeps the branches that the trial can still take: those that nothing
// decided rules out, and of these the ones that have most of what was asked for
// or enqueued. Where none has all, the trial goes where none went before.
func (t *task) narrow() {
	var open []branch
	most := -1
	for _, b := range t.branches {
		if !t.leadsInto(b, t.fixed, t.distributions()) {
			continue
		}
		n := 0
		for _, p := range t.space.Params() {
			_, fixed := t.fixed[p.Name]
			if (fixed || t.asked[p.Name]) && t.space.BranchHas(b.Branch, p) {
				n++
			}
		}
		if n > most {
			open, most = nil, n
		}
		if n == most {
			open = append(open, b)
		}
	}
	if len(open) == 0 {
		open = []branch{{Branch: t.space.Root()}}
	}
	for i := range open {
		for _, p := range t.space.Params() {
			if t.asked[p.Name] {
				open[i].Branch = t.space.With(open[i].Branch, p)
			}
		}
	}
	t.branches = open
	t.avoidFailing()
}

// avoidFailing leaves out branches where every trial has failed, while others
// remain.
func (t *task) avoidFailing() {
	var rest []branch
	for _, b := range t.branches {
		if b.failures < branchFailures {
			rest = append(rest, b)
		}
	}
	if len(rest) > 0 {
		t.branches = rest
	}
}

// open reports whether anything in the branch is still to be decided.
func (t *task) open(b branch) bool {
	for _, p := range t.space.Params() {
		if _, fixed := t.fixed[p.Name]; !fixed && t.space.BranchHas(b.Branch, p) {
			return true
		}
	}
	return false
}

// turn returns the branches that the acquisition function chooses from: all, or
// in one trial of fairPeriod the one that was taken least, while it lags behind
// its share. Nobody can expect anything of what follows a choice that was never
// made, and where few trials of many parameters were bad, the best of a branch is
// not known.
func (t *task) turn() []branch {
	if len(t.branches) < 2 || t.trial.Number%fairPeriod != 0 {
		return t.branches
	}
	share := max(minBranchTrials, int(fairShare*float64(t.trial.Number)/float64(len(t.branches))))
	least := -1
	for i, b := range t.branches {
		n := b.Trials + b.failures
		for _, x := range t.pending {
			if t.space.Contains(b.Branch, x) {
				n++
			}
		}
		if n < share && !t.domain(b).Exhausted() {
			least, share = i, n
		}
	}
	if least < 0 {
		return t.branches
	}
	return t.branches[least : least+1]
}

// branchOf returns the branch that a point lies in.
func (t *task) branchOf(x fmkernel.Point) (b branch, ok bool) {
	for _, b := range t.branches {
		if t.space.Contains(b.Branch, x) {
			return b, true
		}
	}
	return b, false
}

// in returns the values, those that are fixed in their place, of the parameters
// that the branch has.
func (t *task) in(b branch, values map[string]float64) map[string]float64 {
	present := make(map[string]float64, len(values))
	for _, p := range t.space.Params() {
		if !t.space.BranchHas(b.Branch, p) {
			continue
		}
		if value, ok := t.fixed[p.Name]; ok {
			present[p.Name] = value
		} else if value, ok := values[p.Name]; ok {
			present[p.Name] = value
		}
	}
	return present
}

// values returns the values of the parameters that are present at x, those that
// are fixed as they were given.
func (t *task) values(x fmkernel.Point) map[string]float64 {
	values := t.space.Decode(x)
	for name := range values {
		if value, ok := t.fixed[name]; ok {
			values[name] = value
		}
	}
	return values
}

// point returns the point of values of the trial, and false when they are not
// all that a configuration has.
func (t *task) point(values map[string]float64) (fmkernel.Point, bool) {
	x, bad := t.space.Encode(space.Values{Internal: values, Distributions: t.distributions()})
	return x, bad == nil
}

// distributions returns the present distribution of every parameter.
func (t *task) distributions() map[string]any {
	distributions := make(map[string]any, len(t.space.Params()))
	for _, p := range t.space.Params() {
		distributions[p.Name] = p.Distribution
	}
	return distributions
}
