package problems

// Jenatton is a tree of binary choices with four leaves after Jenatton,
// Archambeau, González, Seeger: Bayesian Optimization with Tree-structured
// Dependencies (ICML 2017). Each leaf has a parameter of its own, and each pair
// of leaves one that they share. There the optimum is where all choices are the
// first and the shared parameter is 0; here nothing is at an end of its range,
// and the squares have different centres.
func Jenatton() *Conditional {
	return &Conditional{
		Name:     "Jenatton",
		Optimum:  0.1,
		Best:     map[string]float64{"x1": 1, "x3": 1, "x7": 0.27, "r9": 0.36},
		Targets:  []float64{0.1, 0.03, 0.01, 0.003},
		Deciders: []string{"x1", "x2", "x3"},
		eval: func(a *asker) float64 {
			// The shared parameters are linear there: here they are squares
			// which reach 1, too.
			if a.choice("x1", "a", "b") == 0 {
				r := 2.5 * sq(a.float("r8", 0, 1)-0.63)
				if a.choice("x2", "a", "b") == 0 {
					return 0.2 + r + sq(a.float("x4", -1, 1)-0.41)
				}
				return 0.4 + r + sq(a.float("x5", -1, 1)+0.33)
			}
			r := 2.5 * sq(a.float("r9", 0, 1)-0.36)
			if a.choice("x3", "a", "b") == 0 {
				return 0.3 + r + sq(a.float("x6", -1, 1)+0.55)
			}
			return 0.1 + r + sq(a.float("x7", -1, 1)-0.27)
		},
	}
}
