package problems

import "math"

// Pipeline is the error rate of a made-up classifier: how to scale the features
// and how many to keep, which algorithm, and what that one needs. The forest is
// the best on average and forgiving; boosting can be better; the support vector
// machine is the worst on average and the best at its best, along a narrow
// valley in which its two parameters depend on each other.
func Pipeline() *Conditional {
	return &Conditional{
		Name:    "Pipeline",
		Optimum: 0.1,
		Best: map[string]float64{
			"scaler": 2, "features": 19, "algorithm": 1,
			"svm_kernel": 1, "svm_c": math.Pow(10, 1.2), "svm_gamma": math.Pow(10, -2.3),
		},
		Targets:  []float64{0.08, 0.07, 0.05, 0.02},
		Deciders: []string{"algorithm"},
		eval: func(a *asker) float64 {
			scaler := a.choice("scaler", "none", "minmax", "standard", "quantile")
			features := a.int("features", 5, 60)
			switch a.choice("algorithm", "forest", "svm", "boosting") {
			case 0:
				rate := 0.165 + [...]float64{0, 0, 0.002, 0.004}[scaler] + 0.02*well(features, 33, 18)
				rate += 0.03 * well(a.int("forest_trees", 10, 500), 420, 250)
				rate += 0.03 * well(a.int("forest_leaf", 1, 30), 4, 8)
				return rate + [...]float64{0.006, 0}[a.choice("forest_criterion", "entropy", "gini")]
			case 1:
				rate := 0.1 + [...]float64{0.12, 0.03, 0, 0.02}[scaler] + 0.06*well(features, 19, 12)
				rate += [...]float64{0.05, 0, 0.11}[a.choice("svm_kernel", "poly", "rbf", "sigmoid")]
				c := a.log10("svm_c", 1e-3, 1e4) - 1.2
				gamma := a.log10("svm_gamma", 1e-6, 10) + 2.3
				rate += 0.2*well(gamma+0.7*c, 0, 0.8) + 0.1*well(c, 0, 1.5)
				return math.Min(rate, 0.4) // no worse than guessing
			default:
				rate := 0.12 + [...]float64{0, 0.003, 0.004, 0}[scaler] + 0.05*well(features, 26, 14)
				shrinkage := a.log10("boosting_rate", 1e-4, 1) + 1.1
				rounds := math.Log10(a.int("boosting_rounds", 20, 1000)) - 2.5
				rate += 0.15*well(shrinkage+rounds, 0, 0.5) + 0.04*well(rounds, 0, 0.4)
				rate += 0.05 * well(a.int("boosting_depth", 1, 15), 5, 3)
				rate += 0.02 * well(a.float("boosting_subsample", 0.3, 1), 0.75, 0.2)
				return rate + [...]float64{0.01, 0, 0.06}[a.choice("boosting_booster", "dart", "tree", "linear")]
			}
		},
	}
}
