package insight

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
	"github.com/goptuna-fm/goptuna-fm/internal/surrogate"
)

const (
	// caution is by how many standard deviations of its prediction a configuration is
	// taken to be worse, where one is recommended.
	caution = 2
	// feasibleRecommended is the probability to be feasible that a configuration must have
	// which no trial had.
	feasibleRecommended = 0.9
)

// computeLeastBound returns the configuration with the least upper confidence bound,
// of those that a trial may have: an observed one, or another. Where none is feasible with the
// probability that it must have, it is the feasible observation that comes nearest to that.
func (m *Model) computeLeastBound() fmkernel.Point {
	beliefs := m.cautious()
	feasible, within := m.surrogate.Feasible(), m.surrogate.Within()
	var xs []fmkernel.Point
	likeliest, most := m.surrogate.X[m.bestTrial()], 0.0
	for _, i := range m.surrogate.Observed(m.possible) {
		x := m.surrogate.X[i]
		if m.isFeasibleAgain(x) {
			xs = append(xs, x)
		}
		if probability := within(x); probability > most {
			likeliest, most = x, probability
		}
	}
	var bound acquisition.Product // of logarithms: the sum
	for _, b := range beliefs {
		bound = append(bound, acquisition.Bound(b.model.Predictor(), caution))
	}
	unlikely := func(x fmkernel.Point) bool { return feasible(x) < feasibleRecommended }
	if x, _, ok := m.maximize(bound, "insight: recommendation", unlikely); ok && !slices.ContainsFunc(xs, m.printsAs(x)) {
		xs = append(xs, x)
	}
	if len(xs) == 0 {
		return likeliest
	}
	return xs[floats.MinIdx(m.upperBounds(beliefs, caution, xs))]
}

// isFeasibleAgain reports whether another trial with the configuration of a feasible one would
// be within the constraints, too, as one that is recommended must: near a limit, with noise, a
// trial may have been lucky. One that has a value has not failed, however many do by chance.
func (m *Model) isFeasibleAgain(x fmkernel.Point) bool {
	return m.surrogate.Within()(x) >= feasibleAgain
}

// cautious returns two beliefs: of all observations, and of the better half of them as
// the first has it. The second knows how the objective behaves near its best values,
// the first keeps it from being sure where it has no data. The default transform, under
// which both are, leaves noise alone there; one that has more evidence may stretch it.
func (m *Model) cautious() []belief {
	all := make([]int, m.Trials())
	for i := range all {
		all[i] = i
	}
	whole, targets, err := m.surrogate.Refitted(all)
	if err != nil {
		return []belief{m.belief()}
	}
	fitted := make([]float64, len(targets))
	whole.FittedTo(fitted)
	better := surrogate.Ascending(fitted)[:(len(fitted)+1)/2]
	slices.Sort(better)
	half, _, err := m.surrogate.Refitted(better)
	if err != nil {
		return []belief{{whole, targets, evenly}}
	}
	return []belief{{whole, targets, evenly}, {half, targets, evenly}}
}
