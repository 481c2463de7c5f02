package fmkernel

// completeLap is f_Lap on the complete graph with n vertices. With s = 1 + t
// the factor is (β + s·δ_vw) / (s (s + βn)); see the proof of Thm 3.2 for
// general f.
type completeLap struct {
	n    float64
	beta float64
	same []float64 // indicator of the row's vertex, all 0 between calls
}

func (f *completeLap) bind(beta float64) { f.beta = beta }

func (f *completeLap) mulRow(dst []float64, v int32, vs []int32, alpha float64, d2 []float64) {
	b, bn, same := f.beta, f.beta*f.n, f.same
	same[v] = 1
	vs, d2 = vs[:len(dst)], d2[:len(dst)]
	for j := range dst {
		s := 1 + alpha*d2[j]
		dst[j] *= (b + s*same[vs[j]]) / (s * (s + bn))
	}
	same[v] = 0
}

func (f *completeLap) gradRow(slope, u []float64, v int32, vs []int32, alpha float64, d2 []float64) (dBeta, dAlpha float64) {
	b, bn, same := f.beta, f.beta*f.n, f.same
	same[v] = 1
	slope, vs, d2 = slope[:len(u)], vs[:len(u)], d2[:len(u)]
	for j, uj := range u {
		t := alpha * d2[j]
		s := 1 + t
		x, y := b+s*same[vs[j]], s+bn
		inv := 1 / (s * x * y)
		// ∂log k/∂log β = β/x - βn/y; homogeneity of degree -1 in (s, β)
		// gives ∂log k/∂s = -(1 + ∂log k/∂log β)/s.
		q := s * inv * (b*y - bn*x)
		r := -(1 + q) * x * y * inv
		slope[j] += alpha * r
		dBeta += uj * q
		dAlpha += uj * t * r
	}
	same[v] = 0
	return dBeta, dAlpha
}

func (f *completeLap) meanDiag() (mean, dLogBeta float64) {
	// Eigenvalue 0 once, n with multiplicity n-1.
	g := 1 / (1 + f.beta*f.n)
	mean = (1 + (f.n-1)*g) / f.n
	return mean, -(f.n - 1) * f.beta * g * g / mean
}
