package problems

import "math"

// Rosenbrock10Scaled and Hartmann6Mixed are from Daulton, Wan, Eriksson,
// Balandat, Osborne, Bakshy: Bayesian Optimization over Discrete and Mixed
// Spaces via Probabilistic Reparameterization (2022).

// Rosenbrock10Scaled is the Rosenbrock chain in ten dimensions; x1 to x6 are
// ordinal with 4 values from -2.1 to 2.3, x7 to x10 continuous in [-2, 2].
func Rosenbrock10Scaled() *Problem {
	p := &Problem{
		Name:    "Rosenbrock10-scaled",
		Optimum: 10.699106880154309,
		BestC:   []float64{0.7148694131, 0.5233297975, 0.2810634405, 0.0789966550},
		BestV:   []int{2, 2, 2, 2, 2, 2},
	}
	p.Params = append(
		repeat("x", 6, func(name string) Param { return ordinal(name, -2.1, 2.3, 4) }),
		Float("x7", -2, 2), Float("x8", -2, 2), Float("x9", -2, 2), Float("x10", -2, 2))
	p.eval = func(c []float64, v []int) float64 {
		return rosenbrockChain(append(p.ordinalValues(v), c...))
	}
	return p
}

func rosenbrockChain(x []float64) (sum float64) {
	for i := range len(x) - 1 {
		sum += 100*sq(x[i+1]-x[i]*x[i]) + sq(1-x[i])
	}
	return sum
}

// Hartmann6Mixed is the Hartmann function in six dimensions; x1 and x2 are
// ordinal with the values 0, 1/2, 1, x3 and x4 with 0, 1/9, ..., 1, and x5 and
// x6 are continuous in [0, 1]. Without the grids the minimum would be -3.32237.
func Hartmann6Mixed() *Problem {
	p := &Problem{
		Name:    "Hartmann6-mixed",
		Optimum: -2.554764010425325,
		Params: []Param{
			ordinal("x1", 0, 1, 3), ordinal("x2", 0, 1, 3),
			ordinal("x3", 0, 1, 10), ordinal("x4", 0, 1, 10),
			Float("x5", 0, 1), Float("x6", 0, 1),
		},
		BestC: []float64{0.3121930229, 0.6557378999},
		BestV: []int{0, 0, 4, 2},
	}
	p.eval = func(c []float64, v []int) float64 {
		return hartmann6(append(p.ordinalValues(v), c...))
	}
	return p
}

// hartmann6 has the constants of Dixon and Szegő, Towards Global Optimisation 2
// (1978).
func hartmann6(x []float64) float64 {
	weight := [4]float64{1, 1.2, 3, 3.2}
	scale := [4][6]float64{
		{10, 3, 17, 3.5, 1.7, 8},
		{0.05, 10, 17, 0.1, 8, 14},
		{3, 3.5, 1.7, 10, 17, 8},
		{17, 8, 0.05, 10, 0.1, 14},
	}
	centre := [4][6]float64{
		{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
		{0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
		{0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
		{0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381},
	}
	var sum float64
	for i, w := range weight {
		var d2 float64
		for j, xj := range x {
			d2 += scale[i][j] * sq(xj-centre[i][j])
		}
		sum -= w * math.Exp(-d2)
	}
	return sum
}

// ordinalValues returns the grid values of the levels v of a problem whose
// first len(v) parameters are the ordinal ones.
func (p *Problem) ordinalValues(v []int) []float64 {
	x := make([]float64, len(v), len(p.Params))
	for i, level := range v {
		x[i] = p.Params[i].value(level)
	}
	return x
}
