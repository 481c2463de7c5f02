package sampler

import (
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

// stream is the source of the random numbers of one trial.
type stream struct {
	seed   uint64
	number int
}

func (s stream) rand() *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, qmc.Mix(s.seed, uint64(s.number))))
}

// unit returns a number in [0, 1) for a purpose.
func (s stream) unit(purpose string) float64 {
	return rand.New(rand.NewPCG(s.seed, qmc.HashString(uint64(s.number), purpose))).Float64()
}
