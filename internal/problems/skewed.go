package problems

import (
	"math"
	"math/rand/v2"
)

// skewed returns p under an increasing function of its values; plain undoes it.
func skewed(p *Problem, name string, skew, plain func(y float64) float64) *Problem {
	eval := p.eval
	p.Name = name
	p.eval = func(c []float64, v []int) float64 { return skew(eval(c, v)) }
	p.Optimum = skew(p.Optimum)
	p.plain = plain
	return p
}

// Hartmann6MixedHuge is [Hartmann6Mixed] with values from about 1e-8 to 1e12,
// 10^(12 + 7.8 y).
func Hartmann6MixedHuge() *Problem {
	return skewed(Hartmann6Mixed(), "Hartmann6-mixed-huge",
		func(y float64) float64 { return math.Pow(10, 12+7.8*y) },
		func(y float64) float64 { return (math.Log10(y) - 12) / 7.8 })
}

// Func3CReward is [Func3C] as the negative of a reward that has a heavy tail,
// -exp(-6 y): the best trials are ever further from all others.
func Func3CReward() *Problem {
	return skewed(Func3C(), "Func3C-reward",
		func(y float64) float64 { return -math.Exp(-6 * y) },
		func(y float64) float64 { return -math.Log(-y) / 6 })
}

// Hartmann6MixedPlateau is [Hartmann6Mixed] with one value, -0.3, for all that is
// worse: more than half of the space.
func Hartmann6MixedPlateau() *Problem {
	cut := func(y float64) float64 { return math.Min(y, -0.3) }
	return skewed(Hartmann6Mixed(), "Hartmann6-mixed-plateau", cut, cut)
}

// Func3COutliers is [Func3C] with a value between 1e3 and 1e6 at one point in 20,
// whatever its neighbours have.
func Func3COutliers() *Problem {
	p := Func3C()
	p.Name = "Func3C-outliers"
	p.eval = func(c []float64, v []int) float64 {
		rng := rand.New(rand.NewPCG(pointSeed(c, v), 1))
		if rng.Float64() < 0.05 {
			return math.Pow(10, 3+3*rng.Float64())
		}
		return func3C(c, v)
	}
	return p
}
