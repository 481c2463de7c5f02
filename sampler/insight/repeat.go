package insight

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// rivals is the number of observed configurations, those with the best predictions,
// that a trial may turn out to be worse than.
const rivals = 20

// worthRepeating reports whether a trial at x gains more knowledge than one where
// the expected improvement is largest, and enough to go on: by how much each is
// expected to lower the best prediction of these two and the rivals.
func (m *Model) worthRepeating(x fmkernel.Point) bool {
	xs := []fmkernel.Point{x}
	elsewhere := m.promising()
	if !elsewhere.none {
		xs = append(xs, elsewhere.x)
	}
	order, _ := m.order()
	for _, i := range order[:min(rivals, len(order))] {
		xs = append(xs, m.surrogate.X[i])
	}
	means, cov := m.observed.Predictor().Joint(xs)
	gain := acquisition.KnowledgeGradient(means, cov, 0, m.noise())
	if !elsewhere.none && gain <= acquisition.KnowledgeGradient(means, cov, 1, m.noise()) {
		return false
	}
	least := slices.Min(means)
	return m.grade(least)-m.grade(least-gain) > gainLimit/advisedTrials*m.spread()
}
