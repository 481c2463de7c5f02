package problems

import "math"

// Solvers is after scikit-learn's logistic regression: the penalties and the useful
// tolerances follow from the solver, which asks for both by the same names as the others
// do. The best solver is the only one with the best penalty, which has a parameter of its
// own.
func Solvers() *Conditional {
	return &Conditional{
		Name:    "Solvers",
		Optimum: 0,
		Best: map[string]float64{
			"solver": 2, "strength": math.Pow(10, 1.2), "penalty": 1, "tolerance": math.Pow(10, -2.3), "mix": 0.7,
		},
		Targets:  []float64{0.06, 0.04, 0.02, 0.005},
		Deciders: []string{"solver", "penalty"},
		eval: func(a *asker) float64 {
			solver := a.choice("solver", "liblinear", "lbfgs", "saga", "newton")
			loss := [...]float64{0.05, 0.04, 0.06, 0.03}[solver]
			strength := a.log10("strength", 1e-3, 1e3)
			penalties := [...][]string{{"l1", "l2"}, {"l2", "none"}, {"none", "elastic", "l1", "l2"}, {"none", "l2"}}[solver]
			penalty := penalties[a.choice("penalty", penalties...)]
			if solver == 2 {
				loss += 0.1 * well(a.log10("tolerance", 1e-4, 1e-1), -2.3, 1)
			} else {
				loss += 0.1 * well(a.log10("tolerance", 1e-9, 1e-3), -5, 2)
			}
			switch penalty {
			case "elastic":
				return loss - 0.06 + 0.2*well(a.float("mix", 0, 1), 0.7, 0.3) + 0.2*well(strength, 1.2, 1.5)
			case "l1":
				return loss + 0.02 + 0.2*well(strength, -0.5, 1.5)
			case "l2":
				return loss + 0.03 + 0.2*well(strength, 0.5, 1.5)
			}
			return loss + 0.1
		},
	}
}
