package surrogate

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/gp"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/repeats"
)

const (
	// maxRepeats bounds the observations that tell which values repeat.
	maxRepeats = 100
	// idleShare is how often a parameter leaves the value as it is, at least, if it is
	// to count as doing nothing.
	idleShare = 0.75
)

// repeatModel returns which configurations have the same value; nil where that says nothing, as
// of constraints, and where the user decides about the priors. To the process an exact repeat
// is like any value that is near, but it is hardly ever by chance.
func (s Settings) repeatModel(p *observe.Problem) *repeats.Model {
	if s.ReferenceFit || len(p.Y) <= observe.MinStartup || len(p.Constraints()) > 0 {
		return nil
	}
	keep := subset(p.Y, maxRepeats, s.Seed)
	var gs []*graphs.Graph
	for _, param := range p.Space.Graphs() {
		gs = append(gs, param.Graph)
	}
	return repeats.Fit(gs, pick(p.X, keep), pick(p.Y, keep), p.Y[:observe.MinStartup])
}

// repeated returns the observed values that occur more than once; nil where that is chance.
func (s *Surrogate) repeated() map[float64]bool {
	if s.repeatModel == nil {
		return nil
	}
	return repeats.Repeated(s.Y)
}

// idle returns what does nothing.
func idle(m *repeats.Model) (idle gp.Idle) {
	if m != nil {
		idle.C, idle.V = m.Idle(idleShare)
	}
	return idle
}

// distinct returns an acquisition function times the probability that the value is none
// of those that were observed, or will be.
func (s *Surrogate) distinct(f acquisition.Func) acquisition.Func {
	if s.repeatModel == nil {
		return f
	}
	points := slices.Concat(s.X, s.pending)
	return acquisition.Product{f, repeats.Distinct{Model: s.repeatModel, Points: points}}
}
