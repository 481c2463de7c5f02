package insight

import (
	"math/rand/v2"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/acquisition"
)

// near returns a configuration near x: of each number, or of half of them, another
// value, by a step as that of a spray point; and of each choice seldom another one.
// Parameters that are not active at x have any value.
func (m *Model) near(x fmkernel.Point, rng *rand.Rand) (fmkernel.Point, bool) {
	c := m.cube
	at := make([]float64, len(c.params))
	step := acquisition.SprayStep(rng)
	moved := []float64{0.5, 1}[rng.IntN(2)]
	for i, p := range c.params {
		switch {
		case !c.space.Active(x, p) || p.Graph != nil && rng.Float64() < 1/float64(len(c.params)):
			at[i] = coordinate(p, rng.Float64())
		case p.Graph == nil && rng.Float64() < moved:
			at[i] = p.Dim().Snap(c.space.Coordinate(x, p) + step*rng.NormFloat64())
		default:
			at[i] = c.space.Coordinate(x, p)
		}
	}
	return c.point(at)
}
