package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// distance is the one scalar d2 through which all continuous dependence of a
// pair goes: ‖c-c'‖²_θ, or u - k_H(c, c' | θ) of Eq. (7). It is bound to one θ at
// a time and belongs to one Evaluator.
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

// squared is ‖c-c'‖²_θ.
type squared struct {
	theta []float64
	inv2  []float64 // 1/θ_d²
}

func newSquared(dims int) *squared {
	return &squared{theta: make([]float64, dims), inv2: make([]float64, dims)}
}

func (s *squared) bind(theta []float64) {
	copy(s.theta, theta)
	for d, th := range theta {
		s.inv2[d] = 1 / (th * th)
	}
}

func (s *squared) row(d2, c []float64, cols *Columns) {
	clear(d2)
	for d, inv := range s.inv2 {
		cd, column := c[d], cols.c[d][:len(d2)]
		if others, ok := cols.others(d, cd, len(d2)); ok {
			for _, j := range others {
				diff := cd - column[j]
				d2[j] += diff * diff * inv
			}
			continue
		}
		for j, cj := range column {
			diff := cd - cj
			d2[j] += diff * diff * inv
		}
	}
}

func (s *squared) self([]float64) float64 { return 0 }

func (s *squared) selfVaries() bool { return false }

func (s *squared) grad(dst, c []float64, cols *Columns, j int) {
	for d, th := range s.theta {
		dst[d] = 2 * (c[d] - cols.c[d][j]) / (th * th)
	}
}

func (s *squared) sumGrad(dA, dB, a, b, c []float64, cols *Columns) {
	for d, th := range s.theta {
		var sumA, sumB float64
		if others, ok := cols.others(d, c[d], len(a)); ok {
			for _, j := range others {
				diff := c[d] - cols.c[d][j]
				sumA += a[j] * diff
				sumB += b[j] * diff
			}
		} else {
			for j, cj := range cols.c[d][:len(a)] {
				diff := c[d] - cj
				sumA += a[j] * diff
				sumB += b[j] * diff
			}
		}
		dA[d] = 2 * sumA / (th * th)
		dB[d] = 2 * sumB / (th * th)
	}
}

func (s *squared) addThetaGrad(dst, w, c []float64, cols *Columns) {
	for d, inv := range s.inv2 {
		// ∂d2/∂log θ_d = -2 (c_d - c'_d)²/θ_d²
		cd, column := c[d], cols.c[d][:len(w)]
		sum := 0.0
		if others, ok := cols.others(d, cd, len(w)); ok {
			for _, j := range others {
				diff := cd - column[j]
				sum += w[j] * diff * diff
			}
		} else {
			for j, cj := range column {
				diff := cd - cj
				sum += w[j] * diff * diff
			}
		}
		dst[d] -= 2 * inv * sum
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
