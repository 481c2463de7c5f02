package insight

import (
	"cmp"
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// caution is by how many standard deviations of its prediction a configuration is
// taken to be worse, where one is recommended.
const caution = 2

// searchLeastBound returns the configuration with the least upper confidence bound,
// of those that a trial may have.
func (m *Model) searchLeastBound() fmkernel.Point {
	bound := m.bound()
	values := make([]float64, len(m.surrogate.X))
	bound.ValueBatch(values, m.surrogate.X)
	at, most := m.surrogate.X[m.bestTrial()], math.Inf(-1)
	for i, x := range m.surrogate.X {
		if _, ok := m.regionOf(x); ok && values[i] > most {
			at, most = x, values[i]
		}
	}
	if x, value, ok := m.maximize(bound, "insight: recommendation", true); ok && value > most {
		return x
	}
	return at
}

// bound returns the negative of the upper confidence bound, the sum of those of two
// models: of all observations, and of the better half of them as the first has it.
// The second knows how the objective behaves near its best values, the first keeps
// it from being sure where it has no data. The default transform, under which both
// are, leaves noise alone there; one that has more evidence may stretch it.
func (m *Model) bound() acquisition.Func {
	order := make([]int, len(m.surrogate.X))
	for i := range order {
		order[i] = i
	}
	whole, err := m.surrogate.Refitted(order)
	if err != nil {
		return acquisition.Bound(m.observed.Predictor(), caution)
	}
	fitted := make([]float64, len(order))
	whole.FittedTo(fitted)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fitted[a], fitted[b]) })
	better := slices.Sorted(slices.Values(order[:(len(order)+1)/2]))
	half, err := m.surrogate.Refitted(better)
	if err != nil {
		return acquisition.Bound(whole.Predictor(), caution)
	}
	return acquisition.Product{ // of logarithms: the sum
		acquisition.Bound(whole.Predictor(), caution), acquisition.Bound(half.Predictor(), caution),
	}
}
