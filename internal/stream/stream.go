// Package stream derives the random numbers of a trial: a stream for each purpose,
// so that how many one purpose draws changes nothing for the others.
package stream

import (
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// Trial identifies the streams of one trial.
type Trial struct {
	Seed   uint64
	Number int
}

// Rand returns the stream for a purpose, at its start.
func (t Trial) Rand(purpose string) *rand.Rand {
	return rand.New(rand.NewPCG(t.Seed, qmc.HashString(uint64(t.Number), purpose)))
}
