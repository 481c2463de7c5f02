package sampler

import (
	"slices"

	"github.com/goptuna-fm/goptuna-fm/internal/observe"
)

// minRepeats is how many trials have to find exactly the best value again until its
// neighbours are taken to have it, too. On smooth functions that are rounded, some of
// them lead farther.
const minRepeats = 3

// repeats reports whether the search keeps finding the best value. Where no parameter
// is continuous, no configuration comes twice, and what has the same value need not be
// a neighbour.
func repeats(p *observe.Problem) bool {
	if !p.Space.Continuous() {
		return false
	}
	best, n := slices.Min(p.Y), -1
	for _, y := range p.Y {
		if y == best {
			n++
		}
	}
	return n >= minRepeats
}
