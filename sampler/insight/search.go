package insight

import (
	"cmp"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/observe"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

// computeOrder returns the observations that would probably be feasible again by their predicted
// values, the best first, and the predictions of all: targets carry noise.
func (m *Model) computeOrder() (order []int, fitted []float64) {
	fitted = make([]float64, len(m.surrogate.X))
	m.observed.FittedTo(fitted)
	order = m.surrogate.Observed(func(fmkernel.Point) bool { return true })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(fitted[i], fitted[j]) })
	return order, fitted
}

// possible reports whether a trial may have the configuration x.
func (m *Model) possible(x fmkernel.Point) bool {
	return slices.ContainsFunc(m.regions, func(r observe.Region) bool { return r.MayHave(x) })
}

// maximize returns the configuration with the largest value of a function of those
// that a trial may have, without those that are excluded.
func (m *Model) maximize(f acquisition.Func, purpose string, excluded func(fmkernel.Point) bool) (x fmkernel.Point, value float64, ok bool) {
	order, _ := m.order()
	var doms []*acquisition.Domain
	for _, r := range observe.Parts(m.regions) {
		dom := r.Domain()
		dom.Excluded = func(x fmkernel.Point) bool { return excluded(x) || !m.problem.Space.FitsForms(x) }
		for _, i := range order {
			if r.Contains(m.surrogate.X[i]) {
				dom.Incumbents = append(dom.Incumbents, m.surrogate.X[i])
			}
		}
		doms = append(doms, dom)
	}
	c, ok := acquisition.Maximize(f, doms, m.random.Rand(purpose), acquisition.Settings{})
	return c.X, c.Value, ok
}

// Improvement returns the configuration, of those that no trial had, with the largest
// expected improvement, and that, in units of the objective: what the next trial is
// expected to gain there. ok is false where every configuration was tried.
func (m *Model) Improvement() (params map[string]any, gain float64, ok bool) {
	p := m.promising()
	if p.none {
		return nil, 0, false
	}
	order, fitted := m.order()
	best := fitted[order[0]]
	return m.params(p.x), math.Abs(m.value(best) - m.value(best-math.Exp(p.logEI))), true
}

// promise is the configuration, of those that were not tried, with the largest
// expected improvement, and the logarithm of that, in units of targets; none where
// every configuration was tried.
type promise struct {
	x     fmkernel.Point
	logEI float64
	none  bool
}

func (m *Model) computePromising() promise {
	ref := surrogate.Reference{Points: m.problem.Promised(), Observed: m.surrogate.Observed(m.possible)}
	if len(ref.Observed)+len(ref.Points) == 0 {
		ref.Observed, _ = m.order()
	}
	x, logEI, ok := m.maximize(m.surrogate.Improvement(ref, 0)(), "insight: improvement", m.problem.Tried.Covers)
	return promise{x, logEI, !ok}
}
