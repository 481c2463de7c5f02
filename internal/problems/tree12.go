package problems

import "math"

const (
	tree12Families = 3
	tree12Members  = 4
)

// tree12Floor is the minimum of each leaf, by family and member.
var tree12Floor = [tree12Families][tree12Members]float64{
	{0.21, 0.16, 0.34, 0.27},
	{0.19, 0.42, 0, 0.3},
	{0.08, 0.24, 0.37, 0.13},
}

// Tree12 has twelve leaves in three families of four: 30 parameters, of which a
// trial asks for six. Two are shared by all, and each leaf has two of its own, on
// a log scale and an int, with optima of their own.
func Tree12() *Conditional {
	return &Conditional{
		Name:    "Tree12",
		Optimum: 0,
		Best: map[string]float64{
			"scale": 0.64, "depth": 7, "family": 1, "member_b": 2,
			"rate_bc": math.Pow(10, tree12Rate(1, 2)), "size_bc": tree12Size(1, 2),
		},
		Targets:  []float64{0.3, 0.2, 0.1, 0.05},
		Deciders: []string{"family", "member_a", "member_b", "member_c"},
		eval: func(a *asker) float64 {
			loss := 0.2*well(a.float("scale", 0, 1), 0.64, 0.3) + 0.2*well(a.int("depth", 1, 12), 7, 4)
			families, members := letters(tree12Families), letters(tree12Members)
			f := a.choice("family", families...)
			m := a.choice("member_"+families[f], members...)
			leaf := families[f] + members[m]
			loss += 0.4 * well(a.log10("rate_"+leaf, 1e-4, 1), tree12Rate(f, m), 0.8)
			return loss + tree12Floor[f][m] + 0.2*well(a.int("size_"+leaf, 1, 100), tree12Size(f, m), 25)
		},
	}
}

// tree12Rate returns the decimal logarithm of the best rate of a leaf, and
// tree12Size its best size: spread over the middle of the ranges, and different
// for all leaves.
func tree12Rate(family, member int) float64 {
	return -3 + 2*math.Mod(0.38+0.618*float64(tree12Members*family+member), 1)
}

func tree12Size(family, member int) float64 {
	return math.Round(20 + 60*math.Mod(0.71+0.414*float64(tree12Members*family+member), 1))
}
