package problems

import (
	"math"
	"slices"
)

// NoisyPlateau is a landscape as measurements of servers have it: one choice gives
// about the same good value whatever the rest, and hides a better one elsewhere,
// behind worse ones. mode (4 levels) is on the plateau at 1 with its first two
// levels, which is half of the space: one percent of structure, and half a percent
// of noise that depends on the point alone. With mode c the value falls from 1.6 to
// the optimum, 0.5, around x = 0.3, y = 0.7 and size 5 of 8; with mode d it does not.
// flag (2 levels) matters by a percent.
func NoisyPlateau() *Problem { return plateau("Noisy-plateau", 0, 1) }

// WidePlateau is [NoisyPlateau] with mode d on the plateau, too, which is three
// quarters of the space then: a start-up of ten points has hardly anything else.
func WidePlateau() *Problem { return plateau("Wide-plateau", 0, 1, 3) }

// plateau returns the problem with these levels of mode on the plateau.
func plateau(name string, modes ...int) *Problem {
	p := &Problem{
		Name:    name,
		Optimum: 0.5,
		Params: []Param{
			nominal("mode", 4), Int("size", 1, 8), nominal("flag", 2),
			Float("x", 0, 1), Float("y", 0, 1),
		},
		BestC: []float64{0.3, 0.7},
		BestV: []int{2, 4, 0},
	}
	p.eval = func(c []float64, v []int) float64 {
		x, y, size := c[0]-0.3, c[1]-0.7, float64(v[1]-4)/7
		d2 := x*x + y*y + size*size
		if slices.Contains(modes, v[0]) {
			return 1 + 0.01*(math.Sin(5*c[0])*math.Cos(3*c[1])+size*size) + 0.005*pseudoNormal(c, v)
		}
		value := 1.6 + 0.3*d2 + 0.01*float64(v[2])
		if v[0] == 2 {
			value -= 1.1 * math.Exp(-d2/(2*0.3*0.3))
		}
		return value
	}
	return p
}

// TimeLimit is the time of a program that is stopped at a limit, as measurements have
// it: in a corner, a sixteenth of the space, it ends by itself; elsewhere all take the
// limit, 1, with 0.05 % of noise that depends on the point alone. In the corner, x
// below 0.25 and y above 0.75, the time is the distance from its centre, and a tenth of
// z and of the number of the mode.
func TimeLimit() *Problem {
	return &Problem{
		Name:   "Time-limit",
		Params: []Param{nominal("mode", 3), nominal("flag", 2), Float("x", 0, 1), Float("y", 0, 1), Float("z", 0, 1)},
		BestC:  []float64{0.125, 0.875, 0},
		BestV:  []int{0, 0},
		eval: func(c []float64, v []int) float64 {
			if c[0] > 0.25 || c[1] < 0.75 {
				return 1 + 0.0005*pseudoNormal(c, v)
			}
			return math.Abs(c[0]-0.125) + math.Abs(c[1]-0.875) + 0.1*c[2] + 0.1*float64(v[0])
		},
	}
}

// pseudoNormal returns a standard normal number that depends on the point alone: the
// sum of twelve uniform ones, less 6.
func pseudoNormal(c []float64, v []int) float64 {
	h := pointHash(c, v)
	sum := -6.0
	for range 12 {
		h.Write([]byte{1})
		sum += float64(h.Sum64()>>11) / (1 << 53)
	}
	return sum
}
