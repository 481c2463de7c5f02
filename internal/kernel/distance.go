package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// distance is the one scalar d2 through which all continuous dependence of a
// pair goes: ‖c-c'‖²_θ, a rougher one, or u - k_H(c, c' | θ) of Eq. (7). It is
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

// scaledDistance is ‖c-c'‖²_θ, or Σ_d |(c_d-c'_d)/θ_d|^{3/2} where it is rough: one
// term for each dimension.
type scaledDistance struct {
	rough bool
	unit  []float64 // θ_d², or θ_d^{3/2}
}

func newScaledDistance(dims int, rough bool) *scaledDistance {
	return &scaledDistance{rough: rough, unit: make([]float64, dims)}
}

func (s *scaledDistance) bind(theta []float64) {
	for d, th := range theta {
		s.unit[d] = s.term(th)
	}
}

// power returns the power of the differences.
func (s *scaledDistance) power() float64 {
	if s.rough {
		return 1.5
	}
	return 2
}

// term returns the power of a difference, and slope the derivative of that.
func (s *scaledDistance) term(diff float64) float64 {
	if s.rough {
		diff = math.Abs(diff)
		return diff * math.Sqrt(diff)
	}
	return diff * diff
}

func (s *scaledDistance) slope(diff float64) float64 {
	if s.rough {
		return math.Copysign(1.5*math.Sqrt(math.Abs(diff)), diff)
	}
	return 2 * diff
}

func (s *scaledDistance) row(d2, c []float64, cols *Columns) {
	clear(d2)
	for d, unit := range s.unit {
		inv, cd, column := 1/unit, c[d], cols.c[d][:len(d2)]
		if others, ok := cols.others(d, cd, len(d2)); ok {
			for _, j := range others {
				d2[j] += s.term(cd-column[j]) * inv
			}
			continue
		}
		for j, cj := range column {
			d2[j] += s.term(cd-cj) * inv
		}
	}
}

func (s *scaledDistance) self([]float64) float64 { return 0 }

func (s *scaledDistance) selfVaries() bool { return false }

func (s *scaledDistance) grad(dst, c []float64, cols *Columns, j int) {
	for d, unit := range s.unit {
		dst[d] = s.slope(c[d]-cols.c[d][j]) / unit
	}
}

func (s *scaledDistance) sumGrad(dA, dB, a, b, c []float64, cols *Columns) {
	for d, unit := range s.unit {
		var sumA, sumB float64
		if others, ok := cols.others(d, c[d], len(a)); ok {
			for _, j := range others {
				slope := s.slope(c[d] - cols.c[d][j])
				sumA += a[j] * slope
				sumB += b[j] * slope
			}
		} else {
			for j, cj := range cols.c[d][:len(a)] {
				slope := s.slope(c[d] - cj)
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
		// A term is homogeneous of degree -power in θ_d.
		cd, column := c[d], cols.c[d][:len(w)]
		sum := 0.0
		if others, ok := cols.others(d, cd, len(w)); ok {
			for _, j := range others {
				sum += w[j] * s.term(cd-column[j])
			}
		} else {
			for j, cj := range column {
				sum += w[j] * s.term(cd-cj)
			}
		}
		dst[d] -= s.power() / unit * sum
	}
}

// dissimilarity is u - k_H(c, c' | θ).
type dissimilarity struct {
	k             Bounded
	theta         []float64
	c, dC, dTheta []float64 // scratch
}

func newDissimilarity(k Bounded, dims int) *dissimilarity {
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
