package repeats

import (
	"math"
	"slices"

	"github.com/goptuna-fm/goptuna-fm/fmkernel"
	"github.com/goptuna-fm/goptuna-fm/graphs"
	"github.com/goptuna-fm/goptuna-fm/internal/boxmin"
)

const (
	// The logarithms of the rates are normal, with these medians and this standard
	// deviation: between two random points a continuous coordinate leaves the value as
	// it is with probability exp(-10/3), a choice with exp(-3), if nobody knows better.
	medianC, medianV = 10.0, 3.0
	rateSD           = 2.0
	// maxRate bounds them, where nothing repeats, and minRate where everything does.
	minRate, maxRate = 1e-4, 1e5
	iterations       = 40
	// gradTol and funcTol end the search where the density changes by less than matters
	// beside its uncertainty.
	gradTol, funcTol = 1e-2, 1e-4
	// minDistinct bounds the probability of another value from below.
	minDistinct = 1e-12
	// farPair is the rate times distance from which a pair that differs says nothing.
	farPair = 20
)

// Model says that the values at two points are exactly the same with probability
//
//	exp(-Σ_k rate_k δ_k)
//
// where δ_k is by how much coordinate k differs: |c - c'| of a dimension, the number of
// hops on a path as a share of its length, and on other graphs whether the vertex is
// another. It is immutable and safe for concurrent use.
type Model struct {
	rates []float64 // of the D dimensions, then of the P graphs
	units []float64 // δ of one hop on each graph; 0 where every other vertex is as far
}

// Fit returns the most probable model of the values ys, which are to be minimised, at as
// many points xs on the graphs, or nil where no repeated value is informative. unsearched
// are the values of trials that no search chose: how often two of them are equal is the
// rate of repeats by chance, as of values that are counts. A value that repeats among them
// and is not below their median is ignored: it may be a bound, such as a time limit, where
// nothing matters that does elsewhere. It takes O(n²(D+P)) operations.
func Fit(gs []*graphs.Graph, xs []fmkernel.Point, ys, unsearched []float64) *Model {
	again := informative(ys, unsearched)
	if len(again) == 0 {
		return nil
	}
	dims := len(xs[0].C)
	m := newModel(dims, gs)
	prior, lower, upper := make([]float64, len(m.rates)), make([]float64, len(m.rates)), make([]float64, len(m.rates))
	for k := range prior {
		prior[k], lower[k], upper[k] = math.Log(medianV), math.Log(minRate), math.Log(maxRate)
		if k < dims {
			prior[k] = math.Log(medianC)
		}
	}
	pairs, byChance := m.pairs(xs, ys, again), chance(unsearched)
	// The negative logarithm of the posterior density over the logarithms of the rates.
	density := func(grad, at []float64) float64 {
		sum := 0.0
		for k, v := range at {
			m.rates[k] = math.Exp(v)
			z := (v - prior[k]) / rateSD
			sum += z * z / 2
			grad[k] = z / rateSD
		}
		for _, p := range pairs {
			loss, slope := p.loss(m.rates, byChance)
			sum += loss
			if slope == 0 {
				continue
			}
			for k, d := range p.delta {
				grad[k] += slope * d * m.rates[k]
			}
		}
		return sum
	}
	found := boxmin.Minimize(density, prior, lower, upper, boxmin.Settings{MaxIterations: iterations, GradTol: gradTol, FuncTol: funcTol})
	for k, v := range found.X {
		m.rates[k] = math.Exp(v)
	}
	return m
}

func newModel(dims int, gs []*graphs.Graph) *Model {
	m := &Model{rates: make([]float64, dims+len(gs)), units: make([]float64, len(gs))}
	for p, g := range gs {
		if n := g.Order(); g.Shape() == graphs.ShapePath && n > 1 {
			m.units[p] = 1 / float64(n-1)
		}
	}
	return m
}

// informative returns the repeated ones of ys that say something.
func informative(ys, unsearched []float64) map[float64]bool {
	again, common := Repeated(ys), Repeated(unsearched)
	if len(common) == 0 {
		return again
	}
	bad := median(unsearched)
	for y := range common {
		if y >= bad {
			delete(again, y)
		}
	}
	return again
}

// Repeated returns the values that occur more than once.
func Repeated(ys []float64) map[float64]bool {
	seen, again := map[float64]bool{}, map[float64]bool{}
	for _, y := range ys {
		if seen[y] {
			again[y] = true
		}
		seen[y] = true
	}
	return again
}

// median returns the lower median of the values, at least one.
func median(ys []float64) float64 {
	return slices.Sorted(slices.Values(ys))[(len(ys)-1)/2]
}

// chance returns how often two of the values are the same, one half of a pair added to
// those that are, and to those that are not.
func chance(ys []float64) float64 {
	same, all := 0.5, 1.0
	for i, y := range ys {
		for _, z := range ys[:i] {
			all++
			if y == z {
				same++
			}
		}
	}
	return same / all
}

// pair is two points, and whether they have the same value.
type pair struct {
	delta []float64
	same  bool
}

// pairs returns those that say something: the two differ, or share one of the values in
// again.
func (m *Model) pairs(xs []fmkernel.Point, ys []float64, again map[float64]bool) (pairs []pair) {
	n, size := len(xs), len(m.rates)
	deltas := make([]float64, n*(n-1)/2*size)
	for i, x := range xs {
		for j, y := range xs[:i] {
			same := ys[i] == ys[j]
			if same && !again[ys[i]] {
				continue
			}
			delta := deltas[:size:size]
			deltas = deltas[size:]
			for k := range delta {
				delta[k] = m.delta(k, x, y)
			}
			pairs = append(pairs, pair{delta, same})
		}
	}
	return pairs
}

// loss returns the negative logarithm of the probability of what the pair is, up to a
// constant, and its derivative by Σ rate δ.
func (p pair) loss(rates []float64, chance float64) (loss, slope float64) {
	s := 0.0
	for k, d := range p.delta {
		s += rates[k] * d
	}
	if s > farPair && !p.same {
		return 0, 0
	}
	unchanged, changed := math.Exp(-s), math.Max(-math.Expm1(-s), minDistinct)
	if !p.same { // log(1 - chance) is the constant
		return -math.Log(changed), -unchanged / changed
	}
	distinct := (1 - chance) * changed
	return -math.Log1p(-distinct), (1 - chance) * unchanged / (1 - distinct)
}

// distance returns Σ_k rate_k δ_k, or something no less than limit if it is no less.
func (m *Model) distance(x, y fmkernel.Point, limit float64) (s float64) {
	for d, c := range x.C {
		s += m.rates[d] * math.Abs(c-y.C[d])
	}
	for p, v := range x.V {
		if s >= limit {
			return s
		}
		if w := y.V[p]; v != w {
			s += m.hopRate(p) * m.hops(p, v, w)
		}
	}
	return s
}

// delta returns δ of coordinate k between two points.
func (m *Model) delta(k int, x, y fmkernel.Point) float64 {
	if k < len(x.C) {
		return math.Abs(x.C[k] - y.C[k])
	}
	p := k - len(x.C)
	return m.hops(p, x.V[p], y.V[p])
}

// hops returns δ between two vertices of graph p.
func (m *Model) hops(p, v, w int) float64 {
	switch unit := m.units[p]; {
	case v == w:
		return 0
	case unit > 0:
		return unit * math.Abs(float64(v-w))
	}
	return 1
}

// hopRate returns the rate of graph p.
func (m *Model) hopRate(p int) float64 { return m.rates[len(m.rates)-len(m.units)+p] }

// Idle returns which dimensions, and which graphs, leave the value as it is with a
// probability of at least p along the whole range, or at another vertex.
func (m *Model) Idle(p float64) (c, v []bool) {
	idle := make([]bool, len(m.rates))
	for k, rate := range m.rates {
		idle[k] = rate <= -math.Log(p)
	}
	dims := len(m.rates) - len(m.units)
	return idle[:dims:dims], idle[dims:]
}
