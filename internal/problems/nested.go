package problems

import "math"

// Nested is a tree of depth three with eight leaves at different depths, made up
// after the choice of a regression model and its training: model, then solver or
// covariance, then learning rate schedule. One parameter is shared by all
// leaves, others by the leaves below a choice, and the best leaf is one of the
// deepest.
func Nested() *Conditional {
	return &Conditional{
		Name:    "Nested",
		Optimum: 0,
		Best: map[string]float64{
			"noise": 0.3, "model": 1, "width": 90, "solver": 1,
			"sgd_rate": math.Pow(10, -1.7), "sgd_momentum": 0.8, "schedule": 1, "warmup": 0.17,
		},
		Targets:  []float64{0.25, 0.15, 0.1, 0.05},
		Deciders: []string{"model", "solver", "covariance", "schedule"},
		eval: func(a *asker) float64 {
			loss := 0.2 * well(a.float("noise", 0, 1), 0.3, 0.25)
			switch a.choice("model", "ridge", "network", "kriging") {
			case 0:
				return loss + 0.35 + 0.4*well(a.log10("penalty", 1e-6, 1e3), 0.4, 1.5)
			case 2:
				loss += 0.4 * well(a.log10("length", 1e-3, 1e2), -0.6, 0.6)
				if a.choice("covariance", "matern", "rbf") == 0 {
					// Choices that are numbers: the second and the third are alike.
					return loss + [...]float64{0.12, 0.01, 0}[a.choice("nu", "0.5", "1.5", "2.5")] + 0.14
				}
				return loss + 0.22
			}
			loss += 0.2 * well(math.Log2(a.int("width", 8, 512)), math.Log2(90), 2)
			switch a.choice("solver", "adam", "sgd", "lbfgs") {
			case 0:
				return loss + 0.13 + 0.3*well(a.log10("adam_rate", 1e-5, 1), -2.6, 0.9) +
					0.1*well(a.float("adam_beta", 0.8, 0.999), 0.91, 0.05)
			case 2:
				return loss + 0.25 + 0.2*well(a.int("lbfgs_memory", 3, 30), 12, 6)
			}
			// What counts is the effective rate, rate/(1-momentum).
			rate, momentum := a.log10("sgd_rate", 1e-5, 1), a.float("sgd_momentum", 0, 0.99)
			loss += 0.3*well(rate-math.Log10(1-momentum), -1.7-math.Log10(0.2), 0.9) + 0.1*well(momentum, 0.8, 0.3)
			switch a.choice("schedule", "constant", "cosine", "step") {
			case 0:
				return loss + 0.12
			case 1:
				return loss + 0.1*well(a.float("warmup", 0, 0.5), 0.17, 0.15)
			}
			return loss + 0.05 + 0.1*well(a.float("drop", 0.05, 0.9), 0.3, 0.3) + 0.1*well(a.int("every", 5, 50), 20, 15)
		},
	}
}
