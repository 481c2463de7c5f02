package problems

import "math"

// GMixed is Sobol's G-function Π_i (|4u_i - 2| + a_i)/(1 + a_i) in six
// dimensions: u1 to u3 continuous in [0, 1], u4 to u6 nominal with five levels
// in a scrambled order. The optimum has u = (1/2, ..., 1/2). Purely
// multiplicative: a product kernel's home ground.
func GMixed() *Problem {
	a := [6]float64{0.5, 1, 3, 0.2, 1, 2}
	levels := [5]float64{0.5, 0.1, 0.9, 0.3, 0.7}
	return &Problem{
		Name:    "G-mixed",
		Optimum: 1.0 / 144, // Π a_i/(1+a_i)
		Params: append(
			repeat("u", 3, func(name string) Param { return Float(name, 0, 1) }),
			repeat("h", 3, func(name string) Param { return nominal(name, 5) })...),
		BestC: []float64{0.5, 0.5, 0.5},
		BestV: []int{0, 0, 0},
		eval: func(c []float64, v []int) float64 {
			product := 1.0
			for i := range a {
				u := 0.0
				if i < len(c) {
					u = c[i]
				} else {
					u = levels[v[i-len(c)]]
				}
				product *= (math.Abs(4*u-2) + a[i]) / (1 + a[i])
			}
			return product
		},
	}
}
