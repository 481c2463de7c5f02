package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// term is what one parameter adds: a cost, and a distance from its optimum, which products
// of two parameters are of.
type term func(x float64) (cost, distance float64)

// bowl is quadratic in the distance, kink linear, and pit as steep at the optimum and flat far
// from it.
var bowl, kink, pit = func(d float64) float64 { return 2 * d * d },
	math.Abs,
	func(d float64) float64 { return 0.6 * (1 - math.Exp(-math.Abs(d)/0.25)) }

// sum adds up terms, and products of random pairs of them. Kinds has a letter for each
// parameter: f a float, l one on a log scale over five decades, i an int of 3 to 10 values, m
// one of 11 to 20, n one of 21 to 60, c a choice of 3 to 6 values. Each term has one of the
// costs, times a weight.
func sum(r *rand.Rand, kinds string, pairs int, weight func() float64, costs ...func(float64) float64) drawn {
	var d drawn
	terms := make([]term, len(kinds))
	weights := draws(len(kinds), weight)
	for i, kind := range kinds {
		name, weight := "p"+strconv.Itoa(i), weights[i]
		cost, optimum := costs[r.IntN(len(costs))], r.Float64()
		ordered := func(q problems.Param, share func(x float64) float64) {
			d.space = append(d.space, q)
			terms[i] = func(x float64) (float64, float64) {
				distance := share(x) - optimum
				return weight * cost(distance), distance
			}
		}
		short := func(values int) {
			ordered(problems.Int(name, 1, values), func(x float64) float64 { return (x - 1) / float64(values-1) })
		}
		switch kind {
		case 'f':
			ordered(problems.Float(name, 0, 1), func(x float64) float64 { return x })
		case 'l':
			ordered(problems.LogFloat(name, 1e-5, 1), func(x float64) float64 { return 1 + math.Log10(x)/5 })
		case 'i':
			short(3 + r.IntN(8))
		case 'm':
			short(11 + r.IntN(10))
		case 'n':
			short(21 + r.IntN(40))
		default:
			q := choice(name, 3+r.IntN(4))
			d.space = append(d.space, q)
			effects := draws(q.Levels, func() float64 { return 0.25 * r.NormFloat64() })
			terms[i] = func(x float64) (float64, float64) { return weight * effects[int(x)], effects[int(x)] }
		}
	}
	type pair struct {
		a, b   int
		weight float64
	}
	var products []pair
	for range pairs {
		a, b := r.IntN(len(kinds)), r.IntN(len(kinds))
		products = append(products, pair{a, b, r.NormFloat64() * math.Sqrt(weights[a]*weights[b])})
	}
	d.value = func(x []float64) float64 {
		y, distances := 0.0, make([]float64, len(x))
		for i, t := range terms {
			var cost float64
			cost, distances[i] = t(x[i])
			y += cost
		}
		for _, p := range products {
			y += p.weight * distances[p.a] * distances[p.b]
		}
		return y
	}
	return d
}

// similar draws weights of parameters that matter about as much.
func similar(r *rand.Rand) func() float64 { return between(r, 0.2, 1.2) }

// unlike draws weights of which some are many times others.
func unlike(r *rand.Rand) func() float64 { return func() float64 { return math.Exp(r.NormFloat64()) } }

// mixed is a sum with interactions, of floats, ints and choices.
func mixed(r *rand.Rand) drawn { return sum(r, "fflmncc", 3, unlike(r), bowl) }

// then returns a problem with another value for each of it.
func (d drawn) then(f func(y float64) float64) drawn {
	value := d.value
	d.value = func(x []float64) float64 { return f(value(x)) }
	return d
}

var sums = []family{
	{"mixed7", "a quadratic of seven floats, ints and choices, with interactions", mixed},
	{"mixed11", "mixed7 with eleven parameters", func(r *rand.Rand) drawn { return sum(r, "fffllmnnccc", 5, unlike(r), bowl) }},
	{"mixed30", "mixed7 with thirty parameters", func(r *rand.Rand) drawn { return sum(r, "fffffllllliiimmmnnnncccccccccc", 15, unlike(r), bowl) }},
	{"noisy7", "mixed7 with noise", func(r *rand.Rand) drawn {
		d := mixed(r)
		d.noise = 0.1
		return d
	}},
	{"counts7", "mixed7 with few values", func(r *rand.Rand) drawn {
		return mixed(r).then(func(y float64) float64 { return math.Ceil(6 * y) })
	}},
	{"latency7", "mixed7 with a long tail of bad values", func(r *rand.Rand) drawn {
		return mixed(r).then(func(y float64) float64 { return math.Exp(1.5 * y) })
	}},
	{"pits13", "a sum over thirteen short ints, floats and choices, some with a steep optimum", func(r *rand.Rand) drawn {
		return sum(r, "iiiimmmmfflcc", 4, similar(r), bowl, kink, pit)
	}},
	{"kinks10", "a sum over ten floats, each with a kink at its optimum", func(r *rand.Rand) drawn { return sum(r, "ffffffffff", 0, similar(r), kink) }},
	{"floats20", "a sum over twenty floats", func(r *rand.Rand) drawn { return sum(r, "ffffffffffffffffffff", 0, similar(r), bowl, kink) }},
	{"long-ints10", "a sum over ten ints of 21 to 60 values", func(r *rand.Rand) drawn { return sum(r, "nnnnnnnnnn", 0, similar(r), kink) }},
	{"short-ints16", "a sum over sixteen ints of 3 to 20 values", func(r *rand.Rand) drawn { return sum(r, "imimimimimimimim", 0, similar(r), bowl, kink) }},
	{"pairs16", "short-ints16 with interactions", func(r *rand.Rand) drawn { return sum(r, "imimimimimimimim", 16, similar(r), bowl, kink, pit) }},
	{"half12", "a sum over six floats and six choices", func(r *rand.Rand) drawn { return sum(r, "ffffffcccccc", 0, similar(r), bowl, kink) }},
	{"ellipsoid25", "a quadratic of 25 floats, of which some count a hundred times what others do", func(r *rand.Rand) drawn {
		return sum(r, "fffffffffffffffffffffffff", 0, decades(r, -1, 1), bowl)
	}},
	{"sparse40", "a quadratic of forty floats, ints and choices, of which five matter", func(r *rand.Rand) drawn {
		matters := r.Perm(40)[:5]
		i := -1
		return sum(r, "fffffffffflllllllllliiiiiiiiiicccccccccc", 2, func() float64 {
			i++
			for _, m := range matters {
				if m == i {
					return 1
				}
			}
			return 0
		}, bowl)
	}},
}
