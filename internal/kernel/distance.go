package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// distance is the one scalar d2 through which all continuous dependence of a
// pair goes: ‖c-c'‖²_θ, another sum over the dimensions, or u - k_H(c, c' | θ) of Eq. (7). It is
// bound to one θ at a time and belongs to one Evaluator.
type distance interface {
	// bind fixes θ.
	bind(theta []float64)
	// row stores d2 of c and point j of cols in d2[j].
	row(d2, c []float64, cols *Columns)
	// self returns d2 of c and itself.
	self(c []float64) float64
	// selfVaries reports whether self depends on c.
	selfVaries() bool
	// grad stores ∂d2_j/∂c in dst.
	grad(dst, c []float64, cols *Columns, j int)
	// sumGrad stores Σ_j a[j] ∂d2_j/∂c in dA, and the same of b in dB.
	sumGrad(dA, dB, a, b, c []float64, cols *Columns)
	// addThetaGrad adds Σ_j w[j] ∂d2_j/∂log θ to dst.
	addThetaGrad(dst, w, c []float64, cols *Columns)
}

// metric says what the difference Δ of two points in one dimension counts: the term of the
// dimension in the sum that is the distance. Here z = Δ/θ, and b(x) = 1 - (1+x/4)⁻⁴ grows
// as x where x is small, and up to 1.
type metric int

const (
	squared   metric = iota // z²
	saturated               // (2/D) b(z²D/2)
	weighted                // b(4Δ²)/4θ²
	rough                   // |z|^{3/2}
)

const (
	// saturation is D times the bound of a saturated term. Under the default prior, a typical
	// sum of squares is as large.
	saturation = 2
	// minBounded is the number of dimensions from which on terms are bounded: of one or
	// two there is little that the others could say.
	minBounded = 3

	// minTheta is the smallest θ that counts: with it, the cube of a sum of squares, which
	// derivatives have, is finite.
	minTheta = 1e-45
	// minSaturatedTheta is that of saturated terms, whose denominators have the degree 8 in
	// 1/θ: with it, all differences above 1e-20 are at the bound.
	minSaturatedTheta = 1e-30
)

func (m metric) isBounded() bool { return m == saturated || m == weighted }

func (m metric) String() string {
	return [...]string{"", "saturated ", "weighted ", "rough "}[m]
}

// scaledDistance is ‖c-c'‖²_θ, or another sum of one term for each dimension.
type scaledDistance struct {
	metric
	unit []float64 // θ_d², or θ_d^{3/2}, by which a term is divided
}

func newScaledDistance(dims int, m metric) *scaledDistance {
	return &scaledDistance{metric: m, unit: make([]float64, dims)}
}

func (s *scaledDistance) bind(theta []float64) {
	least := minTheta
	if s.metric == saturated {
		least = minSaturatedTheta
	}
	for d, th := range theta {
		th = max(th, least)
		s.unit[d] = th * th
		if s.metric == rough {
			s.unit[d] = th * math.Sqrt(th)
		}
	}
}

// power returns the power of θ in the unit.
func (m metric) power() float64 {
	if m == rough {
		return 1.5
	}
	return 2
}

// rate returns r of a dimension with that unit. Both bounded terms are b(4rΔ²)/4r over
// the unit: a saturated one with r = D/8θ², a weighted one with r = 1.
func (s *scaledDistance) rate(unit float64) float64 {
	if s.metric == saturated {
		return float64(len(s.unit)) / (4 * saturation * unit)
	}
	return 1
}

// term returns the term of a difference times its unit, and slope its derivative by the
// difference.
func (m metric) term(diff, rate float64) float64 {
	switch m {
	case squared:
		return diff * diff
	case rough:
		diff = math.Abs(diff)
		return diff * math.Sqrt(diff)
	}
	// b(4x)/4r with x = rΔ², without the cancellation of 1 - (1+x)⁻⁴.
	square := diff * diff
	x := rate * square
	v2 := (1 + x) * (1 + x)
	return square * (2 + x) * (1 + v2) / (4 * v2 * v2)
}

func (m metric) slope(diff, rate float64) float64 {
	switch m {
	case squared:
		return 2 * diff
	case rough:
		return math.Copysign(1.5*math.Sqrt(math.Abs(diff)), diff)
	}
	v := 1 + rate*diff*diff
	v2 := v * v
	return 2 * diff / (v2 * v2 * v)
}

// thetaTerm returns the derivative of a term by log θ, times its unit and over -power: the
// term itself where it is a multiple of θ^-power. A saturated term is a function of Δ/θ, and
// its derivative by log θ is -Δ times that by Δ.
func (m metric) thetaTerm(diff, rate float64) float64 {
	if m == saturated {
		return diff * m.slope(diff, rate) / 2
	}
	return m.term(diff, rate)
}

func (s *scaledDistance) row(d2, c []float64, cols *Columns) {
	clear(d2)
	for d, unit := range s.unit {
		rate, inv, cd, column := s.rate(unit), 1/unit, c[d], cols.c[d][:len(d2)]
		if others, ok := cols.others(d, cd, len(d2)); ok {
			for _, j := range others {
				d2[j] += s.term(cd-column[j], rate) * inv
			}
			continue
		}
		for j, cj := range column {
			d2[j] += s.term(cd-cj, rate) * inv
		}
	}
}

func (s *scaledDistance) self([]float64) float64 { return 0 }

func (s *scaledDistance) selfVaries() bool { return false }

func (s *scaledDistance) grad(dst, c []float64, cols *Columns, j int) {
	for d, unit := range s.unit {
		dst[d] = s.slope(c[d]-cols.c[d][j], s.rate(unit)) / unit
	}
}

func (s *scaledDistance) sumGrad(dA, dB, a, b, c []float64, cols *Columns) {
	for d, unit := range s.unit {
		rate, cd, column := s.rate(unit), c[d], cols.c[d][:len(a)]
		var sumA, sumB float64
		if others, ok := cols.others(d, cd, len(a)); ok {
			for _, j := range others {
				slope := s.slope(cd-column[j], rate)
				sumA += a[j] * slope
				sumB += b[j] * slope
			}
		} else {
			for j, cj := range column {
				slope := s.slope(cd-cj, rate)
				sumA += a[j] * slope
				sumB += b[j] * slope
			}
		}
		dA[d] = sumA / unit
		dB[d] = sumB / unit
	}
}

func (s *scaledDistance) addThetaGrad(dst, w, c []float64, cols *Columns) {
	for d, unit := range s.unit {
		rate, cd, column := s.rate(unit), c[d], cols.c[d][:len(w)]
		sum := 0.0
		if others, ok := cols.others(d, cd, len(w)); ok {
			for _, j := range others {
				sum += w[j] * s.thetaTerm(cd-column[j], rate)
			}
		} else {
			for j, cj := range column {
				sum += w[j] * s.thetaTerm(cd-cj, rate)
			}
		}
		dst[d] -= s.power() / unit * sum
	}
}

// dissimilarity is u - k_H(c, c' | θ).
type dissimilarity struct {
	k             Similarity
	theta         []float64
	c, dC, dTheta []float64 // scratch
}

func newDissimilarity(k Similarity, dims int) *dissimilarity {
	return &dissimilarity{
		k: k, theta: make([]float64, dims),
		c: make([]float64, dims), dC: make([]float64, dims), dTheta: make([]float64, dims),
	}
}

func (s *dissimilarity) bind(theta []float64) { copy(s.theta, theta) }

func (s *dissimilarity) row(d2, c []float64, cols *Columns) {
	for j := range d2 {
		d2[j] = s.between(c, cols.gather(s.c, j))
	}
}

// between returns u - k_H(c, other), without what rounding leaves below 0.
func (s *dissimilarity) between(c, other []float64) float64 {
	return math.Max(0, s.k.Bound()-s.k.Eval(s.theta, c, other))
}

func (s *dissimilarity) self(c []float64) float64 { return s.between(c, c) }

func (s *dissimilarity) selfVaries() bool { return true }

func (s *dissimilarity) grad(dst, c []float64, cols *Columns, j int) {
	s.k.EvalGrad(dst, s.dTheta, s.theta, c, cols.gather(s.c, j))
	floats.Scale(-1, dst)
}

func (s *dissimilarity) sumGrad(dA, dB, a, b, c []float64, cols *Columns) {
	clear(dA)
	clear(dB)
	for j := range a {
		s.grad(s.dC, c, cols, j)
		floats.AddScaled(dA, a[j], s.dC)
		floats.AddScaled(dB, b[j], s.dC)
	}
}

func (s *dissimilarity) addThetaGrad(dst, w, c []float64, cols *Columns) {
	for j, wj := range w {
		s.k.EvalGrad(s.dC, s.dTheta, s.theta, c, cols.gather(s.c, j))
		for d, g := range s.dTheta {
			dst[d] -= wj * g
		}
	}
}
