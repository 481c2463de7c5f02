package problems

import (
	"fmt"
	"math"
)

// Hartmann6 is the Hartmann function in six dimensions, each continuous in [0, 1].
func Hartmann6() *Problem {
	return &Problem{
		Name:    "Hartmann6",
		Optimum: -3.322368011,
		Params:  repeat("x", 6, func(name string) Param { return Float(name, 0, 1) }),
		BestC:   []float64{0.20168951, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053},
		eval:    func(c []float64, _ []int) float64 { return hartmann6(c) },
	}
}

// Rosenbrock4 is the Rosenbrock chain in four dimensions, each continuous in
// [-2, 2]: a curved valley.
func Rosenbrock4() *Problem {
	return &Problem{
		Name:   "Rosenbrock4",
		Params: repeat("x", 4, func(name string) Param { return Float(name, -2, 2) }),
		BestC:  []float64{1, 1, 1, 1},
		eval:   func(c []float64, _ []int) float64 { return rosenbrockChain(c) },
	}
}

// QuadraticMixed is a sum of squares of three continuous variables and an ordinal
// one, the first of which weighs most, and of the costs of two choices.
func QuadraticMixed() *Problem {
	p := &Problem{
		Name: "Quadratic-mixed",
		Params: []Param{
			Float("x1", 0, 1), Float("x2", 0, 1), Float("x3", 0, 1),
			ordinal("x4", 0, 1, 21), nominal("h1", 4), nominal("h2", 3),
		},
		BestC: []float64{0.31, 0.72, 0.45},
		BestV: []int{13, 2, 1},
	}
	p.eval = func(c []float64, v []int) float64 {
		return 100*sq(c[0]-0.31) + sq(c[1]-0.72) + sq(c[2]-0.45) + 20*sq(float64(v[0]-13)/20) +
			[]float64{3, 1, 0, 7}[v[1]] + []float64{1, 0, 0.3}[v[2]]
	}
	return p
}

// Knobs is a weighted sum of the distances of eight integers from where they should be,
// of 11 to 18 levels each.
func Knobs() *Problem {
	levels := []int{18, 11, 15, 12, 17, 13, 16, 14}
	best := []int{4, 7, 11, 1, 13, 6, 2, 9}
	weights := []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3}
	p := &Problem{Name: "Knobs", BestV: best}
	for i, n := range levels {
		p.Params = append(p.Params, Int(fmt.Sprintf("x%d", i+1), 0, n-1))
	}
	p.eval = func(_ []float64, v []int) (sum float64) {
		for i, n := range levels {
			sum += weights[i] * math.Abs(float64(v[i]-best[i])) / float64(n-1)
		}
		return sum
	}
	return p
}
