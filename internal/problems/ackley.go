package problems

import (
	"math"
	"slices"
)

// ackley is the Ackley function in len(z) dimensions, 0 at the origin.
func ackley(z []float64) float64 {
	var squares, cosines float64
	for _, zi := range z {
		squares += zi * zi
		cosines += math.Cos(2 * math.Pi * zi)
	}
	d := float64(len(z))
	return -20*math.Exp(-0.2*math.Sqrt(squares/d)) - math.Exp(cosines/d) + 20 + math.E
}

// ackley5C takes level h to the hidden value h/8 - 1 of [-1, 1].
func ackley5C(c []float64, v []int) float64 {
	z := []float64{c[0]}
	for _, h := range v {
		z = append(z, float64(h)/8-1)
	}
	return ackley(z)
}

// Ackley5C (CoCaBO, see Func2C) has one continuous variable in [-1, 1] and
// five nominal ones of 17 levels, which stand for the grid -1, -7/8, ..., 1.
//
// The order of the levels is informative here although they are nominal: a
// method that sees the level numbers has an advantage that
// [Ackley5CPermuted] takes away.
func Ackley5C() *Problem {
	return &Problem{
		Name:    "Ackley5C",
		Optimum: 0,
		Params: append(
			repeat("h", 5, func(name string) Param { return nominal(name, 17) }),
			Float("x", -1, 1)),
		BestC: []float64{0},
		BestV: []int{8, 8, 8, 8, 8},
		eval:  ackley5C,
	}
}

// Ackley5CPermuted is Ackley5C with the levels of each variable in a scrambled
// order: level h of variable i means level permutation[i][h] of Ackley5C.
func Ackley5CPermuted() *Problem {
	// Drawn once at random, such that level 8 is nowhere at an end or in the middle.
	permutation := [5][17]int{
		{9, 10, 4, 11, 12, 1, 14, 6, 5, 0, 15, 2, 13, 7, 8, 3, 16},
		{3, 16, 0, 2, 8, 5, 9, 4, 14, 6, 10, 1, 13, 15, 11, 7, 12},
		{13, 7, 12, 2, 16, 8, 0, 11, 9, 6, 14, 1, 5, 10, 3, 4, 15},
		{13, 8, 5, 2, 10, 9, 1, 16, 15, 0, 14, 4, 11, 6, 3, 12, 7},
		{0, 7, 15, 16, 3, 10, 8, 2, 6, 5, 11, 1, 4, 9, 14, 13, 12},
	}
	p := Ackley5C()
	p.Name = "Ackley5C-permuted"
	p.BestV = []int{14, 4, 5, 1, 6}
	p.eval = func(c []float64, v []int) float64 {
		levels := make([]int, len(v))
		for i, h := range v {
			levels[i] = permutation[i][h]
		}
		return ackley5C(c, levels)
	}
	return p
}

// Ackley20C (MCBO, Dreczkowski, Grosnit, Bou Ammar 2023) is purely nominal: 20
// variables with 11 levels, where level h stands for -32.768 + 6.5536·h.
func Ackley20C() *Problem {
	return &Problem{
		Name:    "Ackley20C",
		Optimum: 0,
		Params:  repeat("h", 20, func(name string) Param { return nominal(name, 11) }),
		BestV:   slices.Repeat([]int{5}, 20),
		eval: func(_ []float64, v []int) float64 {
			z := make([]float64, len(v))
			for i, h := range v {
				z[i] = 6.5536 * float64(h-5)
			}
			return ackley(z)
		},
	}
}

// Ackley53Shifted is the Ackley function of |x - x*| with 50 binary variables
// and three continuous ones in [0, 1]. A fixed x* away from the corners keeps
// a method from being flattered for starting, or for clipping, at all zeros
// (after AckleyMixed of BoTorch).
func Ackley53Shifted() *Problem {
	const bits = "11111001010110001110000101100001111000111101001110" // drawn once at random
	bestC := []float64{0.28, 0.72, 0.43}
	bestV := make([]int, len(bits))
	for i := range bestV {
		bestV[i] = int(bits[i] - '0')
	}
	return &Problem{
		Name:    "Ackley53-shifted",
		Optimum: 0,
		Params: append(
			repeat("b", len(bestV), func(name string) Param { return Choice(name, "off", "on") }),
			repeat("x", len(bestC), func(name string) Param { return Float(name, 0, 1) })...),
		BestC: bestC,
		BestV: bestV,
		eval: func(c []float64, v []int) float64 {
			z := make([]float64, 0, len(v)+len(c))
			for i, b := range v {
				z = append(z, float64(b-bestV[i]))
			}
			for i, x := range c {
				z = append(z, x-bestC[i])
			}
			return ackley(z)
		},
	}
}
