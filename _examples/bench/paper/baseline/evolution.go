package baseline

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/problems"
)

// The settings of regularized evolution in Oh, Gavves, Welling (2021), Supp.
// "Regularized Evolution Hyperparameters". The size of the Gaussian step,
// relative to the parameter's range, is that of the authors' program.
const (
	populationSize = 50
	sampleSize     = 15
	mutationScale  = 0.01
)

// Evolution is regularized evolution (Real, Aggarwal, Huang, Le, 2019): the
// population is the 50 youngest points, the first 50 are random. Each step takes
// the best of a sample of 15, drawn with replacement, and alters one discrete
// and one continuous parameter: the one to another level, the other by Gaussian
// noise.
//
// The authors' program draws whether an operation or an input of the cell
// changes and keeps one of a pair of inputs; here all discrete parameters, and
// all other levels, are equally likely, so that it serves every space.
type Evolution struct {
	Space problems.Space
	Seed  int64
}

// Suggest implements Method. Failed trials are dead at once.
func (e Evolution) Suggest(history []Trial) (c []float64, v []int, err error) {
	rng := newRand(e.Seed, len(history))
	var population []Trial
	for _, t := range history {
		if !math.IsNaN(t.Value) {
			population = append(population, t)
		}
	}
	if len(population) < populationSize {
		c, v = draw(e.Space, rng)
		return c, v, nil
	}
	population = population[len(population)-populationSize:]
	parent := population[rng.IntN(populationSize)]
	for range sampleSize - 1 {
		if other := population[rng.IntN(populationSize)]; other.Value < parent.Value {
			parent = other
		}
	}
	c, v = e.mutate(parent, rng)
	return c, v, nil
}

// mutate returns the child of a parent.
func (e Evolution) mutate(parent Trial, rng *rand.Rand) (c []float64, v []int) {
	c, v = slices.Clone(parent.C), slices.Clone(parent.V)
	continuous, discrete := split(e.Space)
	if len(continuous) > 0 {
		d := rng.IntN(len(continuous))
		q := continuous[d]
		c[d] += rng.NormFloat64() * mutationScale * (q.High - q.Low)
		c[d] = min(max(c[d], q.Low), q.High)
	}
	if len(discrete) > 0 {
		p := rng.IntN(len(discrete))
		if levels := discrete[p].Levels; levels > 1 {
			v[p] = (v[p] + 1 + rng.IntN(levels-1)) % levels
		}
	}
	return c, v
}
