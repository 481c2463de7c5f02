package gp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// LogPredictive returns the logarithm, in nats, of the density of the targets y at
// the points of c from number n on, given those before and the mean of Hyper, up to
// a constant: how well the hyperparameters predict what they have not seen. It panics when len(y) is not the
// number of points.
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
