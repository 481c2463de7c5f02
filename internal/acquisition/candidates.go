package acquisition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/internal/qmc"
)

const (
	sprayShare  = 0.4  // share of the candidates drawn around incumbents
	sprayMinLog = -7.0 // standard deviations of a spray are e^-7 … e^-1.5,
	sprayMaxLog = -1.5 // log-uniform, in units of the range
	perDiscrete = 2    // starts with the same discrete part at most
)

// MaxIncumbents is the number of incumbents that spray points are drawn around, the best.
const MaxIncumbents = 10

// SprayStep draws the standard deviation of a spray point from an incumbent, in units of
// the range.
func SprayStep(rng *rand.Rand) float64 {
	return math.Exp(sprayMinLog + (sprayMaxLog-sprayMinLog)*rng.Float64())
}

// candidates draws n points: scrambled Sobol points over the free space, and
// spray points around the incumbents.
func (m *maximizer) candidates(dom *Domain, n int) []fmkernel.Point {
	free := len(dom.Free())
	spray := int(sprayShare * float64(n))
	if len(dom.Incumbents) == 0 {
		spray = 0
	}
	xs := make([]fmkernel.Point, 0, n)
	if free == 0 {
		return append(xs, dom.Fixed.Clone())
	}
	seeds := make([]uint64, free)
	for i := range seeds {
		seeds[i] = m.rng.Uint64()
	}
	seq, u := qmc.New(seeds), make([]float64, free)
	for len(xs) < n-spray {
		seq.PointTo(u)
		seq.Next()
		x := dom.Fixed.Clone()
		dom.fromUnit(x, u)
		xs = append(xs, x)
	}
	for i := range spray {
		xs = append(xs, m.spray(dom, dom.Incumbents[i%min(len(dom.Incumbents), MaxIncumbents)]))
	}
	return xs
}

// spray returns a point near x: Gaussian steps in the continuous part, and each
// vertex moved to a neighbour with a probability that moves one on average, or half
// of a single one: near the best, most have its vertex.
func (m *maximizer) spray(dom *Domain, x fmkernel.Point) fmkernel.Point {
	x = x.Clone()
	sd := SprayStep(m.rng)
	for d, dim := range dom.Dims {
		if dom.FixedC[d] {
			x.C[d] = dom.Fixed.C[d]
			continue
		}
		x.C[d] = dim.Snap(x.C[d] + sd*m.rng.NormFloat64())
	}
	move := min(0.5, 1/float64(len(x.V)))
	for p := range x.V {
		if dom.FixedV[p] {
			x.V[p] = dom.Fixed.V[p]
			continue
		}
		if m.rng.Float64() < move {
			if near := dom.neighbors(p, x.V[p]); len(near) > 0 {
				x.V[p] = near[m.rng.IntN(len(near))]
			}
		}
		if vs := dom.Vertices[p]; vs != nil && !slices.Contains(vs, x.V[p]) { // an incumbent may lie elsewhere
			x.V[p] = vs[m.rng.IntN(len(vs))]
		}
	}
	return x
}

// spread picks the best candidates, few with the same discrete part.
func (m *maximizer) spread(sorted []Candidate) []Candidate {
	var picked []Candidate
	used := map[string]int{}
	for _, c := range sorted {
		if len(picked) == m.Starts {
			break
		}
		key := fmt.Sprint(c.X.V)
		if used[key] < perDiscrete || len(c.X.V) == 0 {
			used[key]++
			picked = append(picked, c)
		}
	}
	return picked
}
