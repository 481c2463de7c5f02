package problems

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// Curve is a problem whose value is reached in steps, as a loss is in training:
// all points start from the same value and fall towards their own by a power
// law, with noise that fades.
type Curve struct {
	*Problem
	Steps int // the value at the last one is that of Problem

	start, noise float64
	rate         func(c []float64, v []int) float64
}

// Curves returns every learning curve, in a fixed order.
func Curves() []*Curve {
	return []*Curve{Hartmann6MixedCurve(), Func3CCurve(), Func3CCrossing()}
}

const curveSteps = 20

// At returns the value at the point (c, v) after 1, 2, ..., Steps steps.
func (p *Curve) At(c []float64, v []int, step int) float64 {
	final, err := p.Eval(c, v)
	if err != nil {
		panic("problems: a curve at an infeasible point")
	}
	rate := p.rate(c, v)
	end := math.Pow(float64(p.Steps), -rate)
	rest := (math.Pow(float64(step), -rate) - end) / (1 - end) // from 1 to 0

	rng := rand.New(rand.NewPCG(pointSeed(c, v), uint64(step)))
	left := 1 - float64(step)/float64(p.Steps)
	return final + rest*(p.start-final) + left*p.noise*rng.NormFloat64()
}

func constantRate(rate float64) func([]float64, []int) float64 {
	return func([]float64, []int) float64 { return rate }
}

// Hartmann6MixedCurve reaches [Hartmann6Mixed] on curves that keep their order
// but for the noise.
func Hartmann6MixedCurve() *Curve {
	return &Curve{Problem: Hartmann6Mixed(), Steps: curveSteps, start: 1, noise: 0.1, rate: constantRate(0.7)}
}

// Func3CCurve does so with [Func3C].
func Func3CCurve() *Curve {
	return &Curve{Problem: Func3C(), Steps: curveSteps, start: 3, noise: 0.1, rate: constantRate(0.7)}
}

// Func3CCrossing reaches [Func3C] on curves that cross: the rate falls from 2 at
// the ends of x1 to 0.3 in its middle, near the optimum, where small learning
// rates would be.
func Func3CCrossing() *Curve {
	p := Func3CCurve()
	named := *p.Problem
	named.Name += "-crossing"
	p.Problem = &named
	p.rate = func(c []float64, _ []int) float64 { return 0.3 + 1.7*math.Abs(c[0]) }
	return p
}

// pointSeed returns a number that differs from point to point, to seed random numbers with.
func pointSeed(c []float64, v []int) uint64 { return pointHash(c, v).Sum64() }

// pointHash returns a hash that has read a point.
func pointHash(c []float64, v []int) hash.Hash64 {
	h := fnv.New64a()
	for _, x := range c {
		_ = binary.Write(h, binary.LittleEndian, x)
	}
	for _, level := range v {
		_ = binary.Write(h, binary.LittleEndian, int64(level))
	}
	return h
}
