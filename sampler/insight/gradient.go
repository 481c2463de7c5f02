package insight

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
)

const (
	// rivals is the number of observed configurations, those with the best
	// predictions, that a trial may turn out to be worse than.
	rivals = 20
	// outcomes is the number of quantiles that stand for what a trial may measure.
	outcomes = 63
)

// worthRepeating reports whether a trial at x gains more knowledge than one where
// the expected improvement is largest, and enough to go on: by how much each is
// expected to lower the best prediction (the knowledge gradient; Frazier, Powell and
// Dayanik, The knowledge-gradient policy for correlated normal beliefs, 2009), over
// these two and the rivals.
func (m *Model) worthRepeating(x fmkernel.Point) bool {
	xs := []fmkernel.Point{x}
	elsewhere, _, other := m.promising()
	if other {
		xs = append(xs, elsewhere)
	}
	order, _ := m.order()
	for _, i := range order[:min(rivals, len(order))] {
		xs = append(xs, m.surrogate.X[i])
	}
	means, cov := m.observed.Predictor().Joint(xs)
	gain := knowledgeGradient(means, cov, 0, m.noise())
	if other && gain <= knowledgeGradient(means, cov, 1, m.noise()) {
		return false
	}
	least := slices.Min(means)
	return m.graded(m.value(least))-m.graded(m.value(least-gain)) > gainLimit/advisedTrials*m.spread()
}

// knowledgeGradient returns by how much the least mean is expected to fall when the
// latent function at point k is measured with noise. cov is a lower triangle.
func knowledgeGradient(means, cov []float64, k int, noise float64) float64 {
	m := len(means)
	sd := math.Sqrt(cov[k*m+k] + noise)
	expected := 0.0
	after := make([]float64, m)
	for q := range outcomes {
		z := distuv.UnitNormal.Quantile((float64(q) + 0.5) / outcomes)
		for j := range after {
			after[j] = means[j] + z*cov[max(j, k)*m+min(j, k)]/sd
		}
		expected += slices.Min(after) / outcomes
	}
	return slices.Min(means) - expected
}
