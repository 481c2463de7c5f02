package main

import (
	"math"
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// choices are problems that choices decide.
var choices = []family{
	{"signs11", "ten switches, none of which matters alone, and a float", func(r *rand.Rand) drawn {
		const switches = 10
		var products [][]int
		for range 15 {
			products = append(products, r.Perm(switches)[:2+r.IntN(2)])
		}
		weight, optimum := draws(len(products), r.NormFloat64), r.Float64()
		space := append(floats(1), repeat(switches, "s", func(name string) problems.Param { return choice(name, 2) })...)
		return drawn{space: space, value: func(x []float64) float64 {
			y := 3 * sq(x[0]-optimum)
			for i, product := range products {
				sign := weight[i]
				for _, s := range product {
					sign *= 2*x[1+s] - 1
				}
				y += sign
			}
			return y
		}}
	}},
	{"flags60", "sixty switches, of which some and some pairs matter to a running time", func(r *rand.Rand) drawn {
		const flags, pairs = 60, 15
		effect := draws(flags, func() float64 {
			if r.Float64() < 0.2 {
				return 0.06 * r.NormFloat64()
			}
			return 0.003 * r.NormFloat64()
		})
		one, other := r.Perm(flags)[:pairs], r.Perm(flags)[:pairs]
		both := draws(pairs, func() float64 { return 0.05 * r.NormFloat64() })
		space := repeat(flags, "f", func(name string) problems.Param { return choice(name, 2) })
		return drawn{space: space, value: func(x []float64) float64 {
			y := 0.0
			for i, on := range x {
				y += effect[i] * on
			}
			for i, w := range both {
				y += w * x[one[i]] * x[other[i]]
			}
			return 10 * math.Exp(y)
		}}
	}},
	{"joint10", "ten switches, of which four pay together only", func(r *rand.Rand) drawn {
		effect, needed := draws(10, between(r, 0, 0.1)), r.Perm(10)[:4]
		space := repeat(10, "s", func(name string) problems.Param { return choice(name, 2) })
		return drawn{space: space, value: func(x []float64) float64 {
			y, all := 0.0, 2.0
			for i, on := range x {
				y += effect[i] * on
			}
			for _, i := range needed {
				all *= x[i]
			}
			return y - all
		}}
	}},
	{"thirty5", "three choices of thirty, in five groups of like ones, and two floats", func(r *rand.Rand) drawn {
		const values, groups = 30, 5
		var effect [][]float64
		for range 3 {
			group := draws(groups, r.Float64)
			effect = append(effect, draws(values, func() float64 { return group[r.IntN(groups)] + 0.05*r.NormFloat64() }))
		}
		optimum := draws(2, r.Float64)
		space := append(repeat(3, "c", func(name string) problems.Param { return choice(name, values) }), floats(2)...)
		return drawn{space: space, value: func(x []float64) (y float64) {
			for i, e := range effect {
				y += e[int(x[i])]
			}
			for i, o := range optimum {
				y += sq(x[3+i] - o)
			}
			return y
		}}
	}},
	{"models3", "a choice of fifty models, each with a learning rate of its own, and a float", func(r *rand.Rand) drawn {
		const models = 50
		base, optimum := draws(models, func() float64 { return 0.3 * r.NormFloat64() }), draws(models, between(r, 0.3, 0.7))
		space := problems.Space{choice("model", models), problems.LogFloat("rate", 1e-5, 1), problems.Float("dropout", 0, 0.5)}
		return drawn{space: space, value: func(x []float64) float64 {
			m := int(x[0])
			return base[m] + 3*sq(1+math.Log10(x[1])/5-optimum[m]) + sq(x[2]-0.2)
		}}
	}},
	{"moves6", "two choices, from which follows where the optimum of four floats is", func(r *rand.Rand) drawn {
		base, optimum := draws(4, between(r, 0, 0.1)), draws(16, r.Float64)
		space := append(repeat(2, "c", func(name string) problems.Param { return choice(name, 4) }), floats(4)...)
		return drawn{space: space, value: func(x []float64) float64 {
			a, b := int(x[0]), int(x[1])
			y := base[(a+b)%4]
			for i, u := range x[2:] {
				c := a
				if i >= 2 {
					c = b
				}
				y += sq(u - optimum[4*c+i])
			}
			return y
		}}
	}},
	{"identifiers6", "three ints that have no order, and three other parameters", func(r *rand.Rand) drawn {
		d := sum(r, "ffm", 1, similar(r), bowl)
		effect := draws(3*12, between(r, 0, 0.3))
		space := append(repeat(3, "id", func(name string) problems.Param { return problems.Int(name, 0, 11) }), d.space...)
		return drawn{space: space, value: func(x []float64) float64 {
			y := d.value(x[3:])
			for i := range 3 {
				y += effect[12*i+int(x[i])]
			}
			return y
		}}
	}},
}
