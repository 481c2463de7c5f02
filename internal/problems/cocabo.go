package problems

// Func2C and Func3C are from Ru, Alvi, Nguyen, Osborne, Roberts: Bayesian
// Optimisation over Multiple Continuous and Categorical Inputs (CoCaBO, 2020):
// nominal variables choose which functions of one continuous point are added
// up.

// rosenbrock, sixHump and beale are the scaled functions that are added up.
func rosenbrock(a, b float64) float64 {
	return (100*sq(b-a*a) + sq(a-1)) / 300
}

func sixHump(a, b float64) float64 {
	a2, b2 := a*a, b*b
	return ((4-2.1*a2+a2*a2/3)*a2 + a*b + (4*b2-4)*b2) / 10
}

func beale(a, b float64) float64 {
	return (sq(1.5-a+a*b) + sq(2.25-a+a*b*b) + sq(2.625-a+a*b*b*b)) / 50
}

func sq(x float64) float64 { return x * x }

// summand returns the function that level h of the first two variables chooses.
func summand(h int, a, b float64) float64 {
	switch h {
	case 0:
		return rosenbrock(a, b)
	case 1:
		return sixHump(a, b)
	default:
		return beale(a, b)
	}
}

// func2C is g_h1(2x) + g_h2(2x).
func func2C(c []float64, v []int) float64 {
	a, b := 2*c[0], 2*c[1]
	return summand(v[0], a, b) + summand(v[1], a, b)
}

// func3C adds to func2C a function chosen by h3. Levels 2 and 3 multiply by
// the number of the level.
func func3C(c []float64, v []int) float64 {
	a, b := 2*c[0], 2*c[1]
	sum := func2C(c, v[:2])
	switch v[2] {
	case 0:
		return sum + 5*sixHump(a, b)
	case 1:
		return sum + 2*rosenbrock(a, b)
	default:
		return sum + float64(v[2])*beale(a, b)
	}
}

// Func2C has x in [-1, 1]² and nominal h1 (3 levels) and h2 (5 levels, of
// which the last three are the same function). The optimum is at h = (1, 1).
func Func2C() *Problem {
	return &Problem{
		Name:    "Func2C",
		Optimum: -0.20632569069797552,
		Params: []Param{
			nominal("h1", 3), nominal("h2", 5),
			Float("x1", -1, 1), Float("x2", -1, 1),
		},
		BestC: []float64{0.0449210066, -0.3563282010},
		BestV: []int{1, 1},
		eval:  func2C,
	}
}

// Func3C is Func2C with a third nominal variable (4 levels). The optimum is at
// h = (1, 1, 0), and at the same x as that of Func2C.
func Func3C() *Problem {
	return &Problem{
		Name:    "Func3C",
		Optimum: -0.7221399174429143,
		Params: []Param{
			nominal("h1", 3), nominal("h2", 5), nominal("h3", 4),
			Float("x1", -1, 1), Float("x2", -1, 1),
		},
		BestC: []float64{0.0449210066, -0.3563282010},
		BestV: []int{1, 1, 0},
		eval:  func3C,
	}
}
