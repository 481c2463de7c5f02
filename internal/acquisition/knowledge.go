package acquisition

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// outcomes is the number of quantiles that stand for what a trial may measure.
const outcomes = 63

// KnowledgeGradient returns by how much the least of several posterior means is
// expected to fall when the latent function at point k is measured with noise of
// that variance; the lower triangle of cov, m×m, is their covariance (Frazier,
// Powell and Dayanik, The knowledge-gradient policy for correlated normal beliefs,
// 2009).
func KnowledgeGradient(means, cov []float64, k int, noise float64) float64 {
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
