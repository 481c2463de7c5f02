package problems

import "math"

// BraninChoice is the Branin function of two continuous variables (Dixon and Szegő,
// Towards Global Optimisation 2, 1978) beside one choice, all that is discrete, which
// moves the function along x1 and lifts it: few trials are needed to know the best
// level, and many to come near the optimum there. Its optimum is level b, at three
// points.
func BraninChoice() *Problem {
	return &Problem{
		Name:    "Branin-choice",
		Optimum: 5 / (4 * math.Pi),
		Params:  []Param{nominal("h", 4), Float("x1", -5, 10), Float("x2", 0, 15)},
		BestC:   []float64{math.Pi, 2.275},
		BestV:   []int{1},
		eval: func(c []float64, v []int) float64 {
			level := float64(v[0] - 1)
			return branin(c[0]-level/2, c[1]) + math.Abs(level)
		},
	}
}

func branin(x, y float64) float64 {
	return sq(y-5.1/(4*math.Pi*math.Pi)*x*x+5/math.Pi*x-6) + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10
}
