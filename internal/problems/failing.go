package problems

// failing gives a problem another name and a region in which it fails.
func failing(p *Problem, name string, fails func(c []float64, v []int) bool) *Problem {
	p.Name = name
	p.feasible = func(c []float64, v []int) bool { return !fails(c, v) }
	return p
}

// Func2CHalfspace is [Func2C] that fails where x2 < -1/3, a third of the space:
// at one of its two equal optima.
func Func2CHalfspace() *Problem {
	p := failing(Func2C(), "Func2C-halfspace", func(c []float64, _ []int) bool { return c[1] < -1.0/3 })
	p.BestC = []float64{-p.BestC[0], -p.BestC[1]}
	return p
}

// Func3CCategory is [Func3C] that fails at level 1 of h1, the level of its
// optimum.
func Func3CCategory() *Problem {
	p := failing(Func3C(), "Func3C-category", func(_ []float64, v []int) bool { return v[0] == 1 })
	p.Optimum = -0.4609781265968662
	p.BestC, p.BestV = []float64{-0.0504482800, 0.3320823200}, []int{0, 1, 0}
	return p
}

// Ackley5CLevels is [Ackley5C] that fails at the last 6 of the 17 levels of h1,
// next to nothing of interest.
func Ackley5CLevels() *Problem {
	return failing(Ackley5C(), "Ackley5C-levels", func(_ []float64, v []int) bool { return v[0] >= 11 })
}

// Hartmann6MixedEdge is [Hartmann6Mixed] that fails where x5 < 1/3: what is left
// has its optimum on the edge.
func Hartmann6MixedEdge() *Problem {
	p := failing(Hartmann6Mixed(), "Hartmann6-mixed-edge", func(c []float64, _ []int) bool { return c[0] < 1.0/3 })
	p.Optimum = -2.5380187963609915
	p.BestC = []float64{1.0 / 3, 0.6552661900}
	return p
}
