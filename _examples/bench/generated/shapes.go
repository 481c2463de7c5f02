package main

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// shapes are functions of floats that are hard in one way each.
var shapes = []family{
	{"thresholds8", "eight floats, each with a threshold that pays, and costs beyond it", func(r *rand.Rand) drawn {
		threshold, gain, slope := draws(8, between(r, 0.3, 0.95)), draws(8, between(r, 0.2, 1.2)), draws(8, between(r, 0, 0.3))
		return drawn{space: floats(8), value: func(x []float64) (y float64) {
			for i, u := range x {
				y += slope[i] * u
				if u < threshold[i] {
					y += gain[i]
				}
			}
			return y
		}}
	}},
	{"corners10", "ten floats with diminishing returns, the best in a corner", func(r *rand.Rand) drawn {
		gain, rate := draws(10, r.NormFloat64), draws(10, between(r, 1, 7))
		return drawn{space: floats(10), value: func(x []float64) (y float64) {
			for i, u := range x {
				y += gain[i] * (1 - math.Exp(-rate[i]*u))
			}
			return y
		}}
	}},
	{"valleys5", "five floats on log scales, each with a narrow valley", func(r *rand.Rand) drawn {
		optimum := draws(5, r.Float64)
		space := repeat(5, "x", func(name string) problems.Param { return problems.LogFloat(name, 1e-6, 1) })
		return drawn{space: space, value: func(x []float64) (y float64) {
			for i, u := range x {
				y += 1 - math.Exp(-math.Abs(1+math.Log10(u)/6-optimum[i])/0.08)
			}
			return y
		}}
	}},
	{"rastrigin6", "a bowl of six floats with a thousand local optima", func(r *rand.Rand) drawn {
		optimum := draws(6, between(r, 0.2, 0.8))
		return drawn{space: floats(6), value: func(x []float64) (y float64) {
			for i, u := range x {
				z := 10 * (u - optimum[i])
				y += z*z + 10*(1-math.Cos(2*math.Pi*z))
			}
			return y
		}}
	}},
	{"ripple4", "a bowl of four floats with a strong short ripple", func(r *rand.Rand) drawn {
		optimum, frequency, phase := draws(4, r.Float64), draws(4, between(r, 20, 80)), draws(4, between(r, 0, 6))
		return drawn{space: floats(4), value: func(x []float64) (y float64) {
			for i, u := range x {
				y += sq(u-optimum[i]) + 0.15*math.Sin(frequency[i]*u+phase[i])
			}
			return y
		}}
	}},
	{"waves5", "a random smooth function of five floats", func(r *rand.Rand) drawn {
		const waves = 60
		frequency := draws(5*waves, func() float64 { return 4 * r.NormFloat64() })
		phase, amplitude := draws(waves, between(r, 0, 2*math.Pi)), draws(waves, r.NormFloat64)
		return drawn{space: floats(5), value: func(x []float64) (y float64) {
			for w := range waves {
				z := phase[w]
				for i, u := range x {
					z += frequency[5*w+i] * u
				}
				y += amplitude[w] * math.Cos(z)
			}
			return y
		}}
	}},
	{"trees8", "a sum of twenty decision trees of floats, ints and a choice", func(r *rand.Rand) drawn {
		space := append(append(floats(4), ints(3, 0, 20)...), choice("c", 5))
		highs := []float64{1, 1, 1, 1, 20, 20, 20, 5}
		var trees []*tree
		for range 20 {
			trees = append(trees, grow(r, 4, highs))
		}
		return drawn{space: space, value: func(x []float64) (y float64) {
			for _, t := range trees {
				y += t.at(x)
			}
			return y
		}}
	}},
	{"boxes6", "one deep tree of six floats", func(r *rand.Rand) drawn {
		t := grow(r, 7, []float64{1, 1, 1, 1, 1, 1})
		return drawn{space: floats(6), value: func(x []float64) float64 {
			y := t.at(x)
			for _, u := range x {
				y += 0.02 * u
			}
			return y
		}}
	}},
	{"products9", "nine floats on log scales, of which only three products matter", func(r *rand.Rand) drawn {
		optimum := draws(3, between(r, 0.1, 0.9))
		space := repeat(9, "x", func(name string) problems.Param { return problems.LogFloat(name, 1e-3, 1) })
		return drawn{space: space, value: func(x []float64) (y float64) {
			for i, o := range optimum {
				y += sq(1 + math.Log10(x[3*i]*x[3*i+1]*x[3*i+2])/9 - o)
			}
			return y
		}}
	}},
	{"shares8", "a mixture of eight weights, of which only the shares matter", func(r *rand.Rand) drawn {
		wanted := share(draws(8, func() float64 { return sq(r.ExpFloat64()) }))
		return drawn{space: floats(8), value: func(x []float64) (y float64) {
			for i, s := range share(x) {
				y += sq(s - wanted[i])
			}
			return math.Sqrt(y)
		}}
	}},
	{"order6", "six priorities, of which only the order matters", func(r *rand.Rand) drawn {
		before := draws(36, r.NormFloat64)
		return drawn{space: floats(6), value: func(x []float64) (y float64) {
			for i := range x {
				for j := range x {
					if x[i] < x[j] {
						y += before[6*i+j]
					}
				}
			}
			return y
		}}
	}},
	{"scale5", "four floats over five decades, not on log scales as they should be, and a choice", func(r *rand.Rand) drawn {
		optimum, effect := draws(4, between(r, 1.5, 4)), draws(3, r.Float64)
		space := append(repeat(4, "x", func(name string) problems.Param { return problems.Float(name, 1, 1e5) }), choice("c", 3))
		return drawn{space: space, value: func(x []float64) float64 {
			y := effect[int(x[4])]
			for i, o := range optimum {
				y += sq(math.Log10(x[i]) - o)
			}
			return y
		}}
	}},
	{"momentum9", "mixed7 and two floats whose distance from 1 matters on a log scale", func(r *rand.Rand) drawn {
		d, optimum := mixed(r), draws(2, between(r, 1, 3.5))
		space := append(repeat(2, "m", func(name string) problems.Param { return problems.Float(name, 0, 1) }), d.space...)
		return drawn{space: space, value: func(x []float64) float64 {
			y := d.value(x[2:])
			for i, o := range optimum {
				y += 0.3 * sq(-math.Log10(1.0001-x[i])-o)
			}
			return y
		}}
	}},
}

// share returns parts of 1.
func share(weights []float64) []float64 {
	total := 1e-9
	for _, w := range weights {
		total += w
	}
	shares := make([]float64, len(weights))
	for i, w := range weights {
		shares[i] = w / total
	}
	return shares
}

// tree is a decision tree.
type tree struct {
	param        int
	split        float64
	below, above *tree // nil in a leaf
	leaf         float64
}

// grow draws a tree on parameters that begin at 0.
func grow(r *rand.Rand, depth int, highs []float64) *tree {
	if depth == 0 {
		return &tree{leaf: r.NormFloat64()}
	}
	i := r.IntN(len(highs))
	return &tree{param: i, split: highs[i] * (0.15 + 0.7*r.Float64()), below: grow(r, depth-1, highs), above: grow(r, depth-1, highs)}
}

func (t *tree) at(x []float64) float64 {
	for t.below != nil {
		if x[t.param] < t.split {
			t = t.below
		} else {
			t = t.above
		}
	}
	return t.leaf
}
