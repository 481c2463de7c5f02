package graphs

import "math"

// completeProjectors are the projectors of a complete graph. Their entries are the
// same for all v, and for all v ≠ w.
type completeProjectors struct {
	same, different []float64 // len M: E_m[v, v], and E_m[v, w]
}

func (c *completeProjectors) coef(dst []float64, v, w int) []float64 {
	row := c.different
	if v == w {
		row = c.same
	}
	if dst == nil {
		return row
	}
	copy(dst, row)
	return dst
}

// completeSpectrum has the eigenvalues 0, with projector J/n for the all-ones
// matrix J, and n, with projector I - J/n.
func completeSpectrum(n int) *Spectrum {
	if n == 1 {
		one := []float64{1}
		return &Spectrum{Lambda: []float64{0}, multiplicity: []int{1}, order: 1, projectors: &completeProjectors{same: one}}
	}
	mean := 1 / float64(n)
	return &Spectrum{
		Lambda:       []float64{0, float64(n)},
		multiplicity: []int{1, n - 1},
		order:        n,
		projectors: &completeProjectors{
			same:      []float64{mean, 1 - mean},
			different: []float64{mean, -mean},
		},
	}
}

// pathProjectors are the projectors of a path. Its eigenvectors are
// U_vk = √(2/n) cos(πk(v+½)/n) for k ≥ 1, and by the product formula for cosines
//
//	U_vk U_wk = (cos(πk(v-w)/n) + cos(πk(v+w+1)/n)) / n.
type pathProjectors struct {
	n   int
	cos []float64 // cos(πj/n), len 2n
}

func (p *pathProjectors) coef(dst []float64, v, w int) []float64 {
	if dst == nil {
		dst = make([]float64, p.n)
	}
	scale := 1 / float64(p.n)
	period := 2 * p.n
	minus, plus := max(v, w)-min(v, w), v+w+1
	dst[0] = scale
	for k, i, j := 1, minus, plus; k < p.n; k++ {
		dst[k] = scale * (p.cos[i] + p.cos[j])
		// minus and plus are below the period; % would cost more than the rest.
		if i += minus; i >= period {
			i -= period
		}
		if j += plus; j >= period {
			j -= period
		}
	}
	return dst
}

func pathSpectrum(n int) *Spectrum {
	s := &Spectrum{
		Lambda:       make([]float64, n),
		multiplicity: make([]int, n),
		order:        n,
		projectors:   &pathProjectors{n: n, cos: cosines(2 * n)},
	}
	for k := range n {
		s.Lambda[k] = eigenvalue(k, 2*n)
		s.multiplicity[k] = 1
	}
	return s
}

// cycleProjectors are the projectors of a cycle. Its eigenvectors pair up to
//
//	E_k[v, w] = multiplicity_k cos(2πk(v-w)/n) / n,  k = 0, …, ⌊n/2⌋.
type cycleProjectors struct {
	multiplicity []int     // len M
	cos          []float64 // cos(2πj/n), len n
}

func (c *cycleProjectors) coef(dst []float64, v, w int) []float64 {
	if dst == nil {
		dst = make([]float64, len(c.multiplicity))
	}
	n := len(c.cos)
	hop := max(v, w) - min(v, w)
	at := 0 // k·hop mod n
	for k, mult := range c.multiplicity {
		dst[k] = float64(mult) / float64(n) * c.cos[at]
		if at += hop; at >= n {
			at -= n
		}
	}
	return dst
}

func cycleSpectrum(n int) *Spectrum {
	m := n/2 + 1
	multiplicity := make([]int, m)
	lambda := make([]float64, m)
	for k := range m {
		lambda[k] = eigenvalue(k, n)
		multiplicity[k] = 2
		if k == 0 || 2*k == n {
			multiplicity[k] = 1
		}
	}
	return &Spectrum{
		Lambda:       lambda,
		multiplicity: multiplicity,
		order:        n,
		projectors:   &cycleProjectors{multiplicity: multiplicity, cos: cosines(n)},
	}
}

// eigenvalue returns λ_k = 2 - 2cos(2πk/period) of a cycle of that length, or of the
// path of half of it. The form 4sin²(πk/period) keeps its digits where the cosine is
// close to one.
func eigenvalue(k, period int) float64 {
	s := math.Sin(math.Pi * float64(k) / float64(period))
	return 4 * s * s
}

// cosines returns cos(2πj/period) for j = 0, …, period-1.
func cosines(period int) []float64 {
	c := make([]float64, period)
	for j := range c {
		c[j] = math.Cos(2 * math.Pi * float64(j) / float64(period))
	}
	return c
}
