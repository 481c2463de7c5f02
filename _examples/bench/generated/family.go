package main

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/goptuna-fm/goptuna-fm/_examples/bench/harness"
	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// family is a kind of problem, of which each seed draws one.
type family struct {
	name  string
	about string
	draw  func(r *rand.Rand) drawn
}

// drawn is a problem, to be minimised. Its value is that at a number per parameter of the
// space, of a choice the one of its level; it is NaN where a trial fails.
type drawn struct {
	space problems.Space
	value func(x []float64) float64
	noise float64 // standard deviation of what is added to the values that a sampler gets
}

var families = slices.Concat(sums, shapes, systems, choices)

// problem returns the problem of a seed.
func (f *family) problem(seed int64) *harness.Problem {
	d := f.of(seed)
	p := harness.Flat(f.nameOf(seed), d.space, func(c []float64, v []int) (float64, error) {
		return d.value(d.space.Numbers(c, v)), nil
	})
	p.Noise = d.noise
	return p
}

func (f *family) nameOf(seed int64) string { return f.name + " " + strconv.FormatInt(seed, 10) }

func (f *family) of(seed int64) drawn {
	name := fnv.New64a()
	name.Write([]byte(f.name))
	return f.draw(rand.New(rand.NewPCG(uint64(seed), name.Sum64())))
}

// choice returns a choice of n values. They do not read as numbers, which would have an order.
func choice(name string, n int) problems.Param {
	values := make([]string, n)
	for i := range values {
		values[i] = "v" + strconv.Itoa(i)
	}
	return problems.Choice(name, values...)
}

// repeat returns n parameters, whose names begin with the prefix.
func repeat(n int, prefix string, param func(name string) problems.Param) problems.Space {
	space := make(problems.Space, n)
	for i := range space {
		space[i] = param(prefix + strconv.Itoa(i))
	}
	return space
}

func floats(n int) problems.Space {
	return repeat(n, "x", func(name string) problems.Param { return problems.Float(name, 0, 1) })
}

func ints(n, low, high int) problems.Space {
	return repeat(n, "n", func(name string) problems.Param { return problems.Int(name, low, high) })
}

// draws returns n numbers.
func draws(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}

// between returns a function that draws from a range.
func between(r *rand.Rand, low, high float64) func() float64 {
	return func() float64 { return low + (high-low)*r.Float64() }
}

// decades returns a function that draws powers of ten.
func decades(r *rand.Rand, low, high float64) func() float64 {
	exponent := between(r, low, high)
	return func() float64 { return math.Pow(10, exponent()) }
}

func sq(x float64) float64 { return x * x }
