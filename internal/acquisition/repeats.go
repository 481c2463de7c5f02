package acquisition

import (
	"math"

	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
)

const (
	// The prior of level and slope is normal: far from all observations one value in
	// twenty repeats, and nobody knows how that changes beside them.
	levelMean, levelSD = -3.0, 2.0
	slopeMean, slopeSD = 1.0, 1.0
	maxLevel, maxSlope = 20.0, 10.0
	// leastVariance is the least variance, in units of the scale, that is told from none.
	leastVariance = 1e-10
)

// Repeats says how likely a trial is to measure exactly what another has measured: a
// logistic function of z, the logarithm of the latent variance at a point in units of
// Scale, with P(repeat) = 1/(1 + exp(Slope·z - Level)). The variance is small beside
// observations. A zero Scale means that nothing repeats.
type Repeats struct{ Level, Slope, Scale float64 }

// FitRepeats returns the most probable level and slope, given latent variances at
// observations, each left out, and which of them repeat others.
func FitRepeats(variances []float64, repeated []bool, scale float64) Repeats {
	r := Repeats{Scale: scale}
	// The negative logarithm of the posterior density.
	density := func(grad, at []float64) float64 {
		r.Level, r.Slope = at[0], at[1]
		level, slope := (r.Level-levelMean)/levelSD, (r.Slope-slopeMean)/slopeSD
		sum := (level*level + slope*slope) / 2
		grad[0], grad[1] = level/levelSD, slope/slopeSD
		for i, variance := range variances {
			variance = math.Max(variance, leastVariance*scale)
			repeat, distinct := r.Log(variance)
			loss, d := -distinct, math.Exp(repeat) // and its derivative by the log-odds
			if repeated[i] {
				loss, d = -repeat, d-1
			}
			sum += loss
			grad[0] += d
			grad[1] -= d * math.Log(variance/scale)
		}
		return sum
	}
	found := boxmin.Minimize(density, []float64{levelMean, slopeMean}, []float64{-maxLevel, 0}, []float64{maxLevel, maxSlope}, boxmin.Settings{})
	return Repeats{Level: found.X[0], Slope: found.X[1], Scale: scale}
}

// Log returns the logarithms of the probabilities of a repeat, and of another value,
// where the latent variance is so much.
func (r Repeats) Log(variance float64) (repeat, distinct float64) {
	logOdds := r.Level - r.Slope*math.Log(variance/r.Scale)
	return -log1pexp(-logOdds), -log1pexp(logOdds)
}

// log1pexp returns log(1 + exp(x)).
func log1pexp(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// distinct returns the logarithm of the probability of another value, and its
// derivative with respect to the variance.
func (r Repeats) distinct(variance float64) (value, dVariance float64) {
	if r.Scale == 0 {
		return 0, 0
	}
	repeat, value := r.Log(variance)
	return value, math.Exp(repeat) * r.Slope / variance
}

// DistinctEI returns the logarithm of the expected improvement below best, times the
// probability that the value is none that was observed.
func DistinctEI(post Posterior, best float64, repeats Repeats) Func {
	return &score{
		posterior: post,
		value: func(mean, variance float64) float64 {
			distinct, _ := repeats.distinct(variance)
			return LogEI(best, mean, variance) + distinct
		},
		gradient: func(mean, variance float64) (value, dMean, dVariance float64) {
			value, dMean, dVariance = LogEIGrad(best, mean, variance)
			distinct, d := repeats.distinct(variance)
			return value + distinct, dMean, dVariance + d
		},
	}
}
