package problems

import (
	"math"
	"slices"
)

// PressureVessel is the design of a cylindrical vessel: the cost of its
// material, forming and welding. The thicknesses of shell and head are n1/16
// and n2/16 inches, with n1 and n2 integers from 1 to 100; r in [10, 200] and
// l in [10, 240] are its radius and length.
//
// Points that are too thin for the radius, or hold less than 1,296,000 cubic
// inches, are infeasible: Eval returns ErrInfeasible for them, most of the
// space.
func PressureVessel() *Problem {
	params := Space{
		Int("n1", 1, 100), Int("n2", 1, 100),
		Float("r", 10, 200), Float("l", 10, 240),
	}
	return &Problem{
		Name:    "PressureVessel",
		Optimum: 5850.383060,
		Params:  params,
		BestC:   []float64{38.8601036, 221.3654719},
		BestV:   []int{11, 5},
		eval: func(c []float64, v []int) float64 {
			cost, _ := pressureVessel(params.Numbers(c, v))
			return cost
		},
		feasible: func(c []float64, v []int) bool {
			_, violations := pressureVessel(params.Numbers(c, v))
			return slices.Max(violations) <= 0
		},
	}
}

// pressureVessel returns the cost at (n1, n2, r, l), and by how much the constraints are
// violated: those of the two thicknesses and of the volume.
func pressureVessel(x []float64) (cost float64, violations []float64) {
	x1, x2, r, l := x[0]/16, x[1]/16, x[2], x[3]
	volume := math.Pi*r*r*l + 4.0/3*math.Pi*r*r*r
	return 0.6224*x1*r*l + 1.7781*x2*r*r + 3.1661*x1*x1*l + 19.84*x1*x1*r,
		[]float64{0.0193*r - x1, 0.00954*r - x2, 1296000 - volume}
}

// SpeedReducer is the design of a gearbox: its weight, with x3 the number of
// teeth of the pinion, an integer from 17 to 28, between the continuous x1, x2
// and x4 to x7. Its eleven constraints are moved into the objective by the
// penalty below, so that every point is feasible and has a value.
func SpeedReducer() *Problem {
	return &Problem{
		Name:    "SpeedReducer",
		Optimum: 2996.3481649685295,
		Params: []Param{
			Float("x1", 2.6, 3.6), Float("x2", 0.7, 0.8), Int("x3", 17, 28),
			Float("x4", 7.3, 8.3), Float("x5", 7.8, 8.3),
			Float("x6", 2.9, 3.9), Float("x7", 5, 5.5),
		},
		BestC: []float64{3.5, 0.7, 7.3, 7.8, 3.350214666096447, 5.286683229757916},
		BestV: []int{0},
		eval: func(c []float64, v []int) float64 {
			x := [7]float64{c[0], c[1], float64(17 + v[0]), c[2], c[3], c[4], c[5]}
			value := speedReducerWeight(x)
			for _, g := range speedReducerConstraints(x) {
				value += speedReducerPenalty * math.Max(0, g)
			}
			return value
		},
	}
}

// speedReducerPenalty is the price of violating a constraint, scaled to 1, by
// 100 %. An exact penalty has to exceed the constraints' multipliers at the
// optimum, of which the largest is about 1,400 (that of x1 ≥ 5 x2).
const speedReducerPenalty = 5000

func speedReducerWeight(x [7]float64) float64 {
	x1, x2, x3, x4, x5, x6, x7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6]
	return 0.7854*x1*x2*x2*(3.3333*x3*x3+14.9334*x3-43.0934) -
		1.508*x1*(x6*x6+x7*x7) +
		7.4777*(x6*x6*x6+x7*x7*x7) +
		0.7854*(x4*x6*x6+x5*x7*x7)
}

// speedReducerConstraints returns the constraints, which hold where they are
// at most 0, each divided by its limit.
func speedReducerConstraints(x [7]float64) [11]float64 {
	x1, x2, x3, x4, x5, x6, x7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6]
	stress := func(length, diameter, load float64) float64 {
		return math.Sqrt(sq(745*length/(x2*x3))+load) / (0.1 * diameter * diameter * diameter)
	}
	return [11]float64{
		27/(x1*x2*x2*x3) - 1,
		397.5/(x1*x2*x2*x3*x3) - 1,
		1.93*x4*x4*x4/(x2*x3*math.Pow(x6, 4)) - 1,
		1.93*x5*x5*x5/(x2*x3*math.Pow(x7, 4)) - 1,
		stress(x4, x6, 16.9e6)/1100 - 1,
		stress(x5, x7, 157.5e6)/850 - 1,
		x2*x3/40 - 1,
		1 - x1/(5*x2),
		x1/(12*x2) - 1,
		(1.5*x6+1.9)/x4 - 1,
		(1.1*x7+1.9)/x5 - 1,
	}
}
