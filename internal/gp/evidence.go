package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// LogEvidence returns the logarithm of the marginal likelihood of targets y at
// the points of c, maximised over their mean and over a common factor of K, up
// to a constant: -n/2·log((y - m)ᵀK⁻¹(y - m)/n). What K says about how targets
// vary together counts, their origin and unit do not. It panics when len(y) is
// not the number of points.
func (c *Covariance) LogEvidence(y []float64) float64 {
	n := len(c.xs)
	if len(y) != n {
		panic(badTargets)
	}
	ones, weights := make([]float64, n), make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	c.chol.SolveVecTo(ones, ones)
	c.chol.SolveVecTo(weights, y)
	mean := floats.Sum(weights) / floats.Sum(ones)
	square := floats.Dot(weights, y) - mean*floats.Sum(weights)
	return -0.5 * float64(n) * math.Log(math.Max(square/float64(n), math.SmallestNonzeroFloat64))
}

// LogPredictive returns the logarithm, in nats, of the density of the targets y at
// the points of c from number n on, given those before and the mean of Hyper, up to
// a constant: how well the hyperparameters predict what they have not seen. It panics
// when len(y) is not the number of points.
func (c *Covariance) LogPredictive(y []float64, n int) float64 {
	if len(y) != len(c.xs) {
		panic(badTargets)
	}
	z := slices.Clone(y)
	floats.AddConst(-c.hyper.Mean, z)
	c.chol.ForwardVecTo(z, z)
	var sum float64
	l, stride := c.chol.L(), c.chol.Stride()
	for i := n; i < len(z); i++ {
		sum -= 0.5*z[i]*z[i] + math.Log(l[i*stride+i])
	}
	return sum
}
