package main

import (
	"math"
	"math/rand/v2"
)

const (
	classes    = 3 // arms of the spiral
	nuisance   = 3 // columns of pure noise, which a model must learn to ignore
	features   = 2 + nuisance
	trainRows  = 400
	validRows  = 1500
	spiralTurn = 1.0  // how far an arm winds from its inner to its outer end, in turns
	spiralBlur = 0.07 // standard deviation of a point about its arm; the radius is at most 1
)

// A dataset is a list of rows with the class of each. Both have the same length.
type dataset struct {
	x [][]float64 // features, len features per row
	y []int       // class, 0 to classes-1
}

// makeData generates the two halves of the problem: one to train on, one to judge by. The same seed gives the same data.
func makeData(seed uint64) (train, valid dataset) {
	rng := rand.New(rand.NewPCG(seed, 0))
	return spirals(rng, trainRows), spirals(rng, validRows)
}

// spirals draws n points about three interleaved spiral arms. An arm is a class: no straight line, and no pair of them,
// separates the classes, and the arms blur into each other near the centre, so that no model is right everywhere.
func spirals(rng *rand.Rand, n int) dataset {
	d := dataset{x: make([][]float64, n), y: make([]int, n)}
	for i := range n {
		class := i % classes
		radius := math.Sqrt(0.02 + 0.98*rng.Float64()) // the square root spreads the points evenly over the disc
		angle := 2 * math.Pi * (float64(class)/classes + spiralTurn*radius)

		row := make([]float64, features)
		row[0] = 2 * (radius*math.Cos(angle) + spiralBlur*rng.NormFloat64())
		row[1] = 2 * (radius*math.Sin(angle) + spiralBlur*rng.NormFloat64())
		for j := 2; j < features; j++ {
			row[j] = rng.NormFloat64()
		}
		d.x[i], d.y[i] = row, class
	}
	return d
}
