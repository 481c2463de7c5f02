package problems

import (
	"math"
	"slices"
)

// levy is the Levy function in len(x) dimensions, 0 at x = (1, ..., 1).
func levy(x []float64) float64 {
	w := func(i int) float64 { return 1 + (x[i]-1)/4 }
	last := len(x) - 1
	sum := sq(math.Sin(math.Pi * w(0)))
	for i := range last {
		sum += sq(w(i)-1) * (1 + 10*sq(math.Sin(math.Pi*w(i)+1)))
	}
	return sum + sq(w(last)-1)*(1+sq(math.Sin(2*math.Pi*w(last))))
}

// levyLevel is what level h of a nominal variable stands for: the minimum at 1
// is not on this grid.
func levyLevel(h int) float64 { return float64(2*h - 10) }

// Levy20C (MCBO, see Ackley20C) is purely nominal: 20 variables with 11
// levels, where level h stands for -10 + 2h.
func Levy20C() *Problem {
	return &Problem{
		Name:    "Levy20C",
		Optimum: 2.351046528222516, // by enumeration, one variable at a time: the function is separable
		Params:  repeat("h", 20, func(name string) Param { return nominal(name, 11) }),
		BestV:   append(slices.Repeat([]int{5}, 19), 6),
		eval: func(_ []float64, v []int) float64 {
			x := make([]float64, len(v))
			for i, h := range v {
				x[i] = levyLevel(h)
			}
			return levy(x)
		},
	}
}

// Levy6Mixed is the Levy function of three continuous variables in [-10, 10]
// and, after them, three nominal ones with the levels of Levy20C. Its optimum
// has x = (1, 1, 1).
func Levy6Mixed() *Problem {
	return &Problem{
		Name:    "Levy6-mixed",
		Optimum: 0.3066891082339489, // two levels "0" within the sum, and "2" (or "0") in the last term
		Params: append(
			repeat("x", 3, func(name string) Param { return Float(name, -10, 10) }),
			repeat("h", 3, func(name string) Param { return nominal(name, 11) })...),
		BestC: []float64{1, 1, 1},
		BestV: []int{5, 5, 6},
		eval: func(c []float64, v []int) float64 {
			x := slices.Clone(c)
			for _, h := range v {
				x = append(x, levyLevel(h))
			}
			return levy(x)
		},
	}
}
